import type { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { defineTool, type Tool } from "#agent/tool.ts";
import { done, refused } from "#agent/tools/outcome.ts";
import { createWorkspace, type DocsCaches, type Workspace } from "./workspace.ts";

/** What a chore tells: the lines of a pull request's description, and details for whoever wants to go on from there. */
export interface ChoreReport {
  /** One line in the past tense. */
  summary: string;
  /** What a reviewer should know, such as what was left and where. One Markdown line each. */
  notes: string[];
  details?: Record<string, unknown>;
}

/** A deterministic job on the docs. It fails as a whole, by throwing `AppError`, or does all that it says. */
export interface Chore<Input> {
  name: string;
  description: string;
  input: z.ZodType<Input>;
  mutates: boolean;
  run(input: Input, workspace: Workspace): Promise<ChoreReport>;
}

/** What every chore shares: what was read of a file is kept by its content, for the next chore. */
export interface ChoreDeps {
  caches: DocsCaches;
}

const MAX_LISTED = 100;
const MAX_NOTES = 60;

/** Makes a tool of a chore: it works on a fork, and is taken over only when all went well and every page still parses. */
export function choreTool<Input>({ caches }: ChoreDeps, chore: Chore<Input>): Tool {
  return defineTool<Input>({
    name: chore.name,
    description: chore.description,
    input: chore.input,
    mutates: chore.mutates,
    async run(input, environment) {
      const workspace = createWorkspace(environment, caches);
      const failed = `${chore.name} changed nothing`;
      try {
        const report = await chore.run(input, workspace);
        const changed = workspace.changed();
        if (chore.mutates && changed.length > 0) environment.tree.adopt(workspace.tree);
        return done(report.summary, {
          summary: report.summary,
          notes: shorten(report.notes, MAX_NOTES),
          changed: changed.slice(0, MAX_LISTED),
          changedCount: changed.length,
          ...report.details,
        });
      } catch (error) {
        if (error instanceof AppError && error.code !== "internal") return refused(failed, error.message);
        throw error;
      }
    },
  });
}

function shorten(notes: string[], limit: number): string[] {
  return notes.length <= limit ? notes : [...notes.slice(0, limit), `… and ${notes.length - limit} more.`];
}
