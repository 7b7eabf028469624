import { posix } from "node:path";
import { findConfigFile } from "#docs/config/config-file.ts";
import { trimContentRoot } from "#docs/routes.ts";
import type { ToolEnvironment } from "./tool.ts";

/** Folder of the documentation in the current tree; `""` is the repository's root. */
export async function contentRootOf({
  tree,
  contentRoot,
}: Pick<ToolEnvironment, "tree" | "contentRoot">): Promise<string> {
  if (contentRoot !== null) return trimContentRoot(contentRoot);
  const file = await findConfigFile(tree, null);
  const folder = file === null ? "." : posix.dirname(file);
  return folder === "." ? "" : folder;
}
