import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { createGlob } from "#tools/glob.ts";
import { resolveScope } from "./page-reference.ts";
import type { Workspace } from "./workspace.ts";

/** Input field of chores that can be held to a part of the docs. */
export const ScopeInput = z
  .array(z.string().min(1).max(400))
  .min(1, "names no part: leave it out for everywhere")
  .max(100)
  .optional()
  .describe("Pages, folders or path patterns; everywhere when absent");

/** Input field of chores that can leave parts of the docs alone. */
export const ExceptInput = z
  .array(z.string().min(1).max(400))
  .max(100)
  .optional()
  .describe("Pages, folders or path patterns that stay as they are");

/** A test of repository paths. Throws `AppError` when an entry names nothing. */
export async function scopeTest(
  workspace: Workspace,
  scope: readonly string[] | undefined,
  except: readonly string[] = [],
): Promise<(path: string) => boolean> {
  const docs = await workspace.docs();
  const testsOf = (entries: readonly string[]) => entries.map((entry) => createGlob(resolveScope(docs, entry)));
  const wanted = scope === undefined || scope.length === 0 ? null : testsOf(scope);
  const unwanted = testsOf(except);
  const paths = [...docs.pagesByPath.keys()].filter((path) => wanted?.some((test) => test(path)) ?? true);
  const idle = except.find((_entry, at) => !paths.some((path) => unwanted[at]?.(path)));
  if (wanted !== null && idle !== undefined) {
    throw new AppError("invalid", `“${idle}” is not in ${scope?.join(", ")}, so it would except nothing. Name it by its path.`); // oxfmt-ignore
  }
  return (path) => (wanted?.some((test) => test(path)) ?? true) && !unwanted.some((test) => test(path));
}
