import { withoutByteOrderMark, decodeText } from "#docs/text-encoding.ts";
import { markdownFormat } from "#docs/parser.ts";
import { holdsCredentials } from "#docs/credential-files.ts";
import { type Docs, includedPath } from "#docs/tree/page-tree.ts";
import { stripContentRoot } from "#docs/routes.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import type { RenderedPage, RenderInput } from "./page.ts";

/** What rendering a page needs from its site. */
export type PageSite = Pick<Docs, "contentRoot" | "configFile"> & { config: Pick<Docs["config"], "dialect"> };

/** Renders a page's file as readers see it, without colors of code; null when it is not a page or does not exist. */
export async function renderFile(
  render: (input: RenderInput) => Promise<RenderedPage>,
  {
    owner,
    path,
    snapshot,
    docs: { contentRoot, configFile, config },
  }: { owner: string; path: string; snapshot: Snapshot; docs: PageSite },
): Promise<RenderedPage | null> {
  const format = markdownFormat(path);
  const bytes = format === null ? null : await snapshot.read(path);
  if (format === null || bytes === null) return null;
  return await render({
    owner,
    path: stripContentRoot(path, contentRoot) ?? path,
    source: withoutByteOrderMark(decodeText(bytes).text),
    format,
    dialect: config.dialect,
    contentRoot,
    configFile,
    isColoured: false,
    async readInclude(included) {
      const path = includedPath({ contentRoot }, included);
      const file = holdsCredentials(path) ? null : await snapshot.read(path);
      return file === null ? null : decodeText(file).text;
    },
  });
}
