import { posix } from "node:path";
import type { Docs } from "#docs/tree/page-tree.ts";
import { isNamedForAgents, mayInstructAgents } from "./obeyed-names.ts";

/**
 * Whether an agent would follow a page as instructions because of its location, while neither the navigation nor, without a
 * configured one, the folder's other pages show that it is for readers.
 */
export function isForAgents(docs: Docs, path: string): boolean {
  if (!mayInstructAgents(path)) return false;
  if (docs.config.navigation !== null) return docs.pagesByPath.get(path)?.hidden !== false;
  const isFolderOfDocs =
    !isNamedForAgents(path) && [...docs.pagesByPath.keys()].some((page) => posix.dirname(page) === posix.dirname(path));
  return !isFolderOfDocs;
}

/** The refusal for such a page. */
export const forAgentsProblem = (path: string): string =>
  `${JSON.stringify(path)} is in a place where agents look for instructions. Add it to the navigation, or move it elsewhere.`;
