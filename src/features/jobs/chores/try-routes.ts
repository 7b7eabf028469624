import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { HttpEnv } from "#kit/http/context.ts";
import { operation } from "#kit/http/operation.ts";
import { createRouter } from "#kit/http/router.ts";
import { amount, BranchName, ProjectParams } from "#kit/http/schemas.ts";
import type { CalledChore } from "#agent/toolbox/chore-calls.ts";
import type { Project } from "#features/projects/project.ts";
import { type FindsProject, projectOfKey } from "#features/projects/project-of-key.ts";
import { Chores } from "#features/jobs/http/chore-schemas.ts";
import type { Trial } from "./try-chores.ts";

export interface TryChoresDeps extends FindsProject {
  tryChores(
    project: Project,
    trial: { ref: string; chores: readonly CalledChore[]; signal: AbortSignal; withPages?: boolean },
  ): Promise<Trial>;
}

const text = (description: string) => z.string().openapi({ description });
const FindingBody = z.object({
  check: text("Which check found it."),
  path: z.string().nullable().openapi({ description: "The file; null where it is about no single one." }),
  line: z.number().int().nullable().openapi({ description: "The line; null where it is about no single one." }),
  message: text("What it is, for a person."),
});

export const TrialBody = z
  .object({
    ok: z.boolean().openapi({
      description:
        "Whether a job with these chores would open a pull request, or find that there is nothing to change.",
    }),
    commit: text("Commit of the branch that the chores were tried on."),
    chores: z
      .array(
        z.object({
          chore: text("Name of the chore."),
          ok: z.boolean().openapi({ description: "Whether it can be done." }),
          summary: text("What it would do, or why it cannot be done."),
          notes: z.array(z.string()).openapi({ description: "What a reviewer should know, in Markdown." }),
          hint: z
            .string()
            .nullable()
            .openapi({ description: "What to do where it cannot be done; null without advice." }),
        }),
      )
      .openapi({ description: "What came of each chore, in order." }),
    files: z
      .array(
        z.object({
          status: z
            .enum(["added", "modified", "removed", "renamed"])
            .openapi({ description: "What would happen to it." }),
          path: text("Its path in the repository."),
          oldPath: z
            .string()
            .nullable()
            .openapi({ description: "Its path before; null of a file that is not renamed." }),
          additions: amount.nullable().openapi({ description: "Lines that would be new; null for a binary file." }),
          deletions: amount.nullable().openapi({ description: "Lines that would be gone; null for a binary file." }),
          places: z
            .array(
              z.object({
                line: amount.openapi({ description: "Its number after the change, or before it for a removed line." }),
                before: z.string().nullable().openapi({ description: "The line as it is; null for a new one." }),
                after: z
                  .string()
                  .nullable()
                  .openapi({ description: "The line as it would be; null for a removed one." }),
              }),
            )
            .openapi({ description: "The lines that would change, at most 50." }),
          morePlaces: amount.openapi({ description: "Lines that would change and are not in `places`." }),
        }),
      )
      .openapi({ description: "The files that would change, at most 1,000; empty when a chore cannot be done." }),
    moreFiles: amount.openapi({ description: "Files that would change and are not in `files`." }),
    diff: text("A unified patch, of at most 100 files and 3,000 lines."),
    diffLeftOut: amount.openapi({
      description: "Files that would change and are not in `diff`; they have no `places` either.",
    }),
    findings: z
      .object({
        errors: z.array(FindingBody).openapi({ description: "What would keep the change from being published." }),
        warnings: z.array(FindingBody).openapi({ description: "What a reviewer would be told." }),
        leftOut: amount.openapi({ description: "Findings that are not listed." }),
      })
      .openapi({ description: "What the checks before a pull request find, at most 50 of each." }),
    pages: z
      .array(
        z.object({
          path: text("The page's file."),
          title: z.string().nullable().openapi({ description: "Its title; null without one." }),
          text: text("Its text as readers would get it, at most 4,000 characters."),
          problems: z.array(z.string()).openapi({ description: "What is wrong on it: components, syntax, snippets." }),
        }),
      )
      .exactOptional()
      .openapi({
        description:
          "With `withPages`: the changed pages as readers would get them, at most 5. Absent otherwise, and where the checks have errors.",
      }),
  })
  .openapi("ChoreTrial", {
    description: "What chores would change.",
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
    "Says what chores would change, without a job: files, lines, the patch, and what the checks before a pull request find. It makes no branch, no job and no pull request. One trial of a project runs at a time, for at most 60 seconds.",
  scope: "agent",
  params: ProjectParams,
  body: z
    .strictObject({
      chores: Chores,
      ref: BranchName(200).optional().openapi({ description: "Branch to try them on; the project's by default." }),
      withPages: z
        .boolean()
        .optional()
        .openapi({ description: "Answer with the changed pages as readers would get them." }),
    })
    .openapi("TryChores"),
  answer: [200, TrialBody, "What would change."],
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
