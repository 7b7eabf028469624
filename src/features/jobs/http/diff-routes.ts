import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { headersOf } from "#kit/http/document/answer-headers.ts";
import { errorAnswers } from "#kit/http/document/error-answers.ts";
import { notFound } from "#kit/http/errors.ts";
import { CursorParameter, linkNextCursor, NextCursor, numberParameter } from "#kit/http/paging.ts";
import { operation } from "#kit/http/operation.ts";
import { createRouter } from "#kit/http/router.ts";
import { amount } from "#kit/http/schemas.ts";
import { JobParams } from "./schemas.ts";
import { findJob } from "#features/jobs/jobs.ts";
import { AppError } from "#lib/app-error.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import type { Project } from "#features/projects/project.ts";
import type { HostedRepository } from "#hosts/code-host.ts";
import type { FileChange, RepoStore } from "#git/repo-store.ts";
import { type CommitRange, findJobRange, type JobRangeDeps } from "#features/jobs/job-range.ts";

interface DiffDeps extends JobRangeDeps {
  repoStore: RepoStore;
}

const MAX_PATCH_BYTES = 2 * 1024 * 1024;
/** Files per page of the list. */
const MAX_FILES = 3_000;

/** A unified patch. `AppError too_large` above 2 MiB. */
async function readJobPatch(
  { repoStore }: Pick<DiffDeps, "repoStore">,
  repository: HostedRepository,
  range: CommitRange,
): Promise<string> {
  try {
    return await repoStore.patch(repository.projectId, { ...range, maxBytes: MAX_PATCH_BYTES });
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "too_large") throw cause;
    const advice = "Ask for the list of files with `Accept: application/json`, or clone the repository";
    throw new AppError("too_large", `The patch has more than ${MAX_PATCH_BYTES / 1024 / 1024} MiB. ${advice}.`, {
      cause,
    });
  }
}

/** One page of the changed files in git's order, which is stable for a range. */
async function listJobFiles(
  { repoStore }: Pick<DiffDeps, "repoStore">,
  repository: HostedRepository,
  { offset = 0, limit = MAX_FILES, ...range }: CommitRange & { offset?: number; limit?: number },
): Promise<{ files: FileChange[]; hasMore: boolean }> {
  const files = await repoStore.changes(repository.projectId, range.base, range.head);
  return { files: files.slice(offset, offset + limit), hasMore: files.length > offset + limit };
}

export interface AgentJobDiffDeps extends DiffDeps {
  findProject(id: ProjectId): Promise<Project | null>;
}

const tags = ["Agent jobs"];

const FileBody = z.object({
  status: z.enum(["added", "modified", "removed", "renamed"]).openapi({ description: "Kind of change." }),
  path: z.string().openapi({ description: "Path of the file in the repository." }),
  oldPath: z
    .string()
    .nullable()
    .openapi({ description: "Path of the file before it was renamed. `null` if the file was not renamed." }),
  additions: amount.nullable().openapi({ description: "Number of added lines. `null` for a binary file." }),
  deletions: amount.nullable().openapi({ description: "Number of removed lines. `null` for a binary file." }),
});
const commitId = (description: string) => z.string().nullable().openapi({ description });

const DiffBody = z
  .object({
    base: commitId("Commit that the changes are compared with. `null` if there are no changes."),
    head: commitId("Commit that contains the changes. `null` if there are no changes."),
    files: z.array(FileBody).max(MAX_FILES).openapi({ description: "Changed files." }),
    hasMore: z.boolean().openapi({ description: "Whether there are more files." }),
    nextCursor: NextCursor,
  })
  .openapi("AgentJobDiff");

const PATCH = { type: "string", description: "Unified patch in the format of `git apply`." } as const;

const diffRoute = operation({
  method: "get",
  path: "/v2/agent/{projectId}/job/{id}/diff",
  id: "getAgentJobDiff",
  tags,
  summary: "Get the changes of an agent job",
  description:
    "Returns a unified patch of the job's pull request or branch. With `Accept: application/json`, the response lists the changed files; with `Accept: text/plain`, it is the patch with that media type.",
  scope: "read",
  params: JobParams,
  query: z.object({
    limit: numberParameter("limit", {
      min: 1,
      max: MAX_FILES,
      fallback: MAX_FILES,
      description: "Number of files per page of the list.",
    }),
    cursor: CursorParameter,
  }),
  answer: {
    200: {
      description: "The changes. Empty if nothing has changed.",
      headers: headersOf(["Cache-Control", "Vary", "Link", "X-Content-Type-Options"]),
      content: {
        "text/x-diff": { schema: PATCH },
        "text/plain": { schema: PATCH },
        "application/json": { schema: DiffBody },
      },
    },
    ...errorAnswers([413]),
  },
});

/** Route for the changes of a job, as a patch or file by file. The caller authenticates the requests. */
export function agentJobDiffRoutes(deps: AgentJobDiffDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();

  routes.openapi(diffRoute, async (c) => {
    const { projectId } = c.get("principal");
    const job = await findJob({ database: deps.database }, { projectId, jobId: c.req.param("id") as JobId });
    const project = job && (await deps.findProject(projectId));
    if (!project) throw notFound();
    const repository = hostedRepository(project);
    const range = await findJobRange(deps, { job, repository });
    c.header("Vary", "Accept");
    c.header("Cache-Control", "private, no-cache");
    if (wantsJson(c)) {
      const { limit, cursor } = c.req.valid("query");
      const offset = readDiffCursor(cursor, range);
      const part = range && (await listJobFiles(deps, repository, { ...range, offset, limit }));
      const { files, hasMore } = part ?? { files: [], hasMore: false };
      const nextCursor = hasMore ? `${range!.base}.${range!.head}.${offset + limit}` : null;
      linkNextCursor(c, nextCursor);
      return c.json({ base: range?.base ?? null, head: range?.head ?? null, files, hasMore, nextCursor }, 200);
    }
    const patch = range ? await readJobPatch(deps, repository, range) : "";
    const type = wantsPlain(c) ? "text/plain" : "text/x-diff";
    c.header("Content-Type", `${type}; charset=utf-8`);
    c.header("X-Content-Type-Options", "nosniff");
    return c.body(patch, 200) as never;
  });

  return routes;
}

const wantsJson = (c: HttpContext) => /\bapplication\/json\b/i.test(c.req.header("accept") ?? "");
const wantsPlain = (c: HttpContext) => /\btext\/plain\b/i.test(c.req.header("accept") ?? "");

/** Where a page of the list begins. A cursor is valid for one range: in another, files would be missing or repeated. */
function readDiffCursor(cursor: string | undefined, range: CommitRange | null): number {
  if (cursor === undefined) return 0;
  const [base, head, offset = ""] = cursor.split(".");
  if (range && base === range.base && head === range.head && /^\d{1,9}$/.test(offset)) return Number(offset);
  throw new AppError("invalid", "`cursor` is not one that a page of these changes gave. Begin with the first page.", {
    details: [{ path: "cursor", message: "not a cursor of these changes" }],
  });
}
