import { z } from "zod";
import { createGlob } from "#agent/tools/glob.ts";
import { resolveScope } from "./page-reference.ts";
import type { Workspace } from "./workspace.ts";

/** Input field of chores that can be held to a part of the docs. */
export const ScopeInput = z
  .array(z.string().min(1).max(400))
  .max(100)
  .optional()
  .describe("Pages, folders or path patterns; everywhere when absent");

/** A test of repository paths. Throws `AppError` when an entry names nothing. */
export async function scopeTest(
  workspace: Workspace,
  scope: readonly string[] | undefined,
): Promise<(path: string) => boolean> {
  if (scope === undefined || scope.length === 0) return () => true;
  const docs = await workspace.docs();
  const tests = scope.map((entry) => createGlob(resolveScope(docs, entry)));
  return (path) => tests.some((test) => test(path));
}
