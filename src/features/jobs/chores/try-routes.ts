import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { HttpEnv } from "#kit/http/context.ts";
import { operation } from "#kit/http/operation.ts";
import { createRouter } from "#kit/http/router.ts";
import { amount, BranchName, ProjectParams } from "#kit/http/schemas.ts";
import type { Project } from "#features/projects/project.ts";
import { type FindsProject, projectOfKey } from "#features/projects/project-of-key.ts";
import { Chores } from "#features/jobs/http/chore-schemas.ts";
import type { Trial, WantedTrial } from "./try-chores.ts";

export interface TryChoresDeps extends FindsProject {
  tryChores(project: Project, trial: WantedTrial): Promise<Trial>;
}

const text = (description: string) => z.string().openapi({ description });
const FindingBody = z.object({
  check: text("Name of the check that reported the finding."),
  path: z
    .string()
    .nullable()
    .openapi({ description: "Path of the file. `null` if the finding does not concern a single file." }),
  line: z
    .number()
    .int()
    .nullable()
    .openapi({ description: "Number of the line. `null` if the finding does not concern a single line." }),
  message: text("Human-readable description of the finding."),
});

export const TrialBody = z
  .object({
    ok: z.boolean().openapi({
      description:
        "Whether a job with these chores would succeed: it would open a pull request, or find that there is nothing to change.",
    }),
    commit: text("Commit of the branch on which the chores were tried."),
    chores: z
      .array(
        z.object({
          chore: text("Name of the chore."),
          ok: z.boolean().openapi({ description: "Whether the chore can be carried out." }),
          summary: text("What the chore would do, or why it cannot be carried out."),
          notes: z.array(z.string()).openapi({ description: "Notes for reviewers, in Markdown." }),
          hint: z
            .string()
            .nullable()
            .openapi({ description: "Advice for a chore that cannot be carried out, otherwise `null`." }),
        }),
      )
      .openapi({ description: "Result of each chore, in order." }),
    files: z
      .array(
        z.object({
          status: z.enum(["added", "modified", "removed", "renamed"]).openapi({ description: "Kind of change." }),
          path: text("Path of the file in the repository."),
          oldPath: z
            .string()
            .nullable()
            .openapi({ description: "Path of the file before the change. `null` if the file would not be renamed." }),
          additions: amount
            .nullable()
            .openapi({ description: "Number of lines that would be added. `null` for a binary file." }),
          deletions: amount
            .nullable()
            .openapi({ description: "Number of lines that would be removed. `null` for a binary file." }),
          places: z
            .array(
              z.object({
                line: amount.openapi({
                  description: "Number of the line after the change or, for a removed line, before it.",
                }),
                before: z
                  .string()
                  .nullable()
                  .openapi({ description: "Current text of the line. `null` for a new line." }),
                after: z
                  .string()
                  .nullable()
                  .openapi({ description: "Text of the line after the change. `null` for a removed line." }),
              }),
            )
            .openapi({ description: "Lines that would change, at most 50." }),
          morePlaces: amount.openapi({ description: "Number of lines that would change and are not in `places`." }),
        }),
      )
      .openapi({ description: "Files that would change, at most 1,000. Empty if a chore cannot be carried out." }),
    moreFiles: amount.openapi({ description: "Number of files that would change and are not in `files`." }),
    diff: text("Unified patch of at most 100 files and 3,000 lines."),
    diffLeftOut: amount.openapi({
      description: "Number of files that would change and are not in `diff`. These files have no `places` either.",
    }),
    findings: z
      .object({
        errors: z
          .array(FindingBody)
          .openapi({ description: "Findings that would prevent the change from being published." }),
        warnings: z.array(FindingBody).openapi({ description: "Findings that reviewers would be told." }),
        leftOut: amount.openapi({ description: "Number of findings that are not listed." }),
      })
      .openapi({ description: "Findings of the checks that run before a pull request, at most 50 of each kind." }),
    pages: z
      .array(
        z.object({
          path: text("Path of the page's file."),
          title: z.string().nullable().openapi({ description: "Title of the page. `null` if the page has no title." }),
          text: text("Text of the page as readers would see it, at most 4,000 characters."),
          problems: z
            .array(z.string())
            .openapi({ description: "Problems on the page with components, syntax or snippets." }),
        }),
      )
      .exactOptional()
      .openapi({
        description:
          "Changed pages as readers would see them, at most 5. Omitted if `withPages` is not `true` or the checks report errors.",
      }),
  })
  .openapi("ChoreTrial", {
    description: "Changes that chores would make.",
    // zod-to-openapi 9 marks `exactOptional` fields as required.
    required: ["ok", "commit", "chores", "files", "moreFiles", "diff", "diffLeftOut", "findings"],
  });

const tryRoute = operation({
  method: "post",
  path: "/v2/agent/{projectId}/chores/try",
  id: "tryChores",
  tags: ["Agent jobs"],
  summary: "Try chores",
  description:
    "Returns what the chores would change: files, lines, the patch, and the findings of the checks that run before a pull request. Creates no branch, no job and no pull request. Each project runs one trial at a time, for at most 60 seconds.",
  scope: "agent",
  params: ProjectParams,
  body: z
    .strictObject({
      chores: Chores,
      ref: BranchName(200)
        .optional()
        .openapi({ description: "Branch on which to try the chores. The project's branch if omitted." }),
      withPages: z
        .boolean()
        .optional()
        .openapi({ description: "Whether to include the changed pages as readers would see them." }),
    })
    .openapi("TryChores"),
  answer: [200, TrialBody, "The changes that the chores would make."],
});

/** Routes for trials of chores. The caller authenticates the requests. */
export function tryChoresRoutes(deps: TryChoresDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();
  const projectOf = projectOfKey(deps);
  routes.openapi(tryRoute, async (c) => {
    const project = await projectOf(c);
    const { chores, ref = project.branch, withPages = false } = c.req.valid("json");
    return c.json(await deps.tryChores(project, { ref, chores, withPages, signal: c.req.raw.signal }), 200);
  });
  return routes;
}
