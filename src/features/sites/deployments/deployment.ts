import type { Selectable } from "kysely";
import { z } from "@hono/zod-openapi";
import type { Database } from "#db/database.ts";
import type { DeploymentTable } from "#db/tables/sites.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Project } from "#features/projects/project.ts";

/**
 * `loading`: its pages are being loaded for the first time; `ready`: they can be shown; `failed`: they cannot, and
 * readers keep the previous version; `skipped`: a newer commit came before it was loaded.
 */
export const DEPLOYMENT_STATES = ["loading", "ready", "failed", "skipped"] as const;
export type DeploymentState = (typeof DEPLOYMENT_STATES)[number];

/** A commit that became the newest of a site's branch. */
export interface Deployment {
  id: string;
  projectId: ProjectId;
  /** Counts from 1 in each project. */
  number: number;
  commit: string;
  branch: string;
  subject: string;
  author: string;
  authoredAt: Date;
  /** When the push was received, or found at its host; null when neither was observed. */
  pushedAt: Date | null;
  noticedAt: Date;
  /** When readers could first see it; null: never. */
  liveAt: Date | null;
  state: DeploymentState;
  /** Why it has `failed`. */
  trouble: string | null;
  pages: number | null;
  /** Problems in its report; null while there is no report. */
  errors: number | null;
  warnings: number | null;
}

/** Loose: an older or newer version may have written it. */
export const KeptReport = z.object({
  problems: z
    .array(
      z.object({
        severity: z.enum(["error", "warning"]).describe("Severity of the problem."),
        code: z
          .string()
          .optional()
          .describe("Kind of problem, as named by `docent check`. Omitted in reports of older versions."),
        path: z.string().describe("Path of the file in the repository."),
        line: z.number().nullable().describe("Line in the file, counted from 1. `null` if the problem has no line."),
        message: z.string().describe("Description of the problem for people."),
      }),
    )
    .describe("Problems that were found."),
  leftOut: z.number().describe("Number of problems that are counted but not listed."),
  links: z
    .object({
      checked: z.number().describe("Number of links that were checked."),
      broken: z.number().describe("Number of broken links."),
    })
    .describe("Results of the link check of the site."),
  durationMs: z.number().describe("Time taken to create the report, in milliseconds."),
});
export type KeptReport = z.infer<typeof KeptReport>;

type Row = Omit<Selectable<DeploymentTable>, "report" | "reported_at" | "claimed_at">;

const COLUMNS = [
  "id",
  "project_id",
  "number",
  "commit_id",
  "branch",
  "subject",
  "author",
  "authored_at",
  "pushed_at",
  "noticed_at",
  "live_at",
  "state",
  "trouble",
  "pages",
  "errors",
  "warnings",
] as const satisfies readonly (keyof Row)[];

const deployments = ({ database }: { database: Database }, projectId: ProjectId) =>
  database.kysely.selectFrom("deployment").select(COLUMNS).where("project_id", "=", projectId);

/** Newest first; `before`: only those with a lower number; `commit`: only those of one. */
export async function listDeployments(
  deps: { database: Database },
  options: { projectId: ProjectId; limit: number; before?: number | null; commit?: string },
): Promise<Deployment[]> {
  let query = deployments(deps, options.projectId).orderBy("number", "desc").limit(options.limit);
  if (options.commit !== undefined) query = query.where("commit_id", "=", options.commit);
  if (options.before != null) query = query.where("number", "<", options.before);
  return (await query.execute()).map(fromRow);
}

/** `AppError not_found`. */
export async function requireDeployment(
  deps: { database: Database },
  name: { projectId: ProjectId; id: string } | { projectId: ProjectId; number: number },
): Promise<Deployment> {
  const query = deployments(deps, name.projectId);
  const found = "id" in name ? query.where("id", "=", name.id) : query.where("number", "=", name.number);
  const row = await found.executeTakeFirstOrThrow(() => new AppError("not_found", "There is no such deployment."));
  return fromRow(row);
}

/**
 * The live deployment: the newest of the pinned commit, else the newest that can be shown. Also null when the
 * repository no longer has the pinned commit: no server that starts now could show anything.
 */
export async function findLive(
  deps: { database: Database; repoStore: Pick<RepoStore, "resolve"> },
  { id: projectId, pin }: Pick<Project, "id" | "pin">,
): Promise<Deployment | null> {
  // A repository that cannot be read at the moment tells nothing about the pin.
  const pinned = pin && (await deps.repoStore.resolve(projectId, pin.commit).catch(() => undefined));
  if (pin && pinned === null) return null;
  const query = deployments(deps, projectId).orderBy("number", "desc").limit(1);
  const live = pin ? query.where("commit_id", "=", pin.commit) : query.where("state", "=", "ready");
  const row = await live.executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** The problems in a deployment's report; null while it has none. */
export async function readReport({ database }: { database: Database }, id: string): Promise<KeptReport | null> {
  const row = await database.kysely.selectFrom("deployment").select("report").where("id", "=", id).executeTakeFirst();
  return row?.report == null ? null : KeptReport.parse(JSON.parse(row.report));
}

const instant = (value: number | null) => (value === null ? null : new Date(value));

function fromRow(row: Row): Deployment {
  return {
    id: row.id,
    projectId: row.project_id,
    number: row.number,
    commit: row.commit_id,
    branch: row.branch,
    subject: row.subject,
    author: row.author,
    authoredAt: new Date(row.authored_at),
    pushedAt: instant(row.pushed_at),
    noticedAt: new Date(row.noticed_at),
    liveAt: instant(row.live_at),
    state: row.state,
    trouble: row.trouble,
    pages: row.pages,
    errors: row.errors,
    warnings: row.warnings,
  };
}
