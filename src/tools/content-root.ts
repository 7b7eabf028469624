import { posix } from "node:path";
import { findConfigFile } from "#docs/config/config-file.ts";
import { trimContentRoot } from "#docs/routes.ts";
import type { ToolEnvironment } from "./tool.ts";
import { createWritePolicy, type WritePolicy } from "./write-policy.ts";

/** The policy for the files below the documentation in the current tree. */
export async function writePolicyOf({
  tree,
  contentRoot,
}: Pick<ToolEnvironment, "tree" | "contentRoot">): Promise<WritePolicy> {
  if (contentRoot !== null) return createWritePolicy(tree, trimContentRoot(contentRoot));
  const file = await findConfigFile(tree, null);
  return createWritePolicy(tree, file === null ? "" : posix.dirname(file).replace(/^\.$/, ""));
}
