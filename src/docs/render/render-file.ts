import { withoutByteOrderMark, decodeText } from "#docs/text-encoding.ts";
import { markdownFormat } from "#docs/parser.ts";
import { holdsCredentials } from "#docs/credential-files.ts";
import { type Docs, includedPath } from "#docs/tree/page-tree.ts";
import { calloutTitlesAt } from "#docs/page-rules.ts";
import { spellingsOf, stripContentRoot } from "#docs/routes.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { dollarFormulas } from "./formulas/mark-formulas.ts";
import type { RenderedPage, RenderInput } from "./page.ts";

/** What rendering a page needs from its site. */
export type PageSite = Pick<Docs, "contentRoot" | "config" | "pagesByPath">;

/** What the configuration of a site changes about the page of a file. `path` is in the repository. */
export function renderSettings({ contentRoot, config, pagesByPath }: PageSite, path: string) {
  const { dialect, rules, variables, styling, icons } = config;
  return {
    path: stripContentRoot(path, contentRoot) ?? path,
    contentRoot,
    dialect,
    rules,
    calloutTitles: calloutTitlesAt(rules, pagesByPath.get(path)?.route ?? "/"),
    variables,
    dollars: dollarFormulas(styling.latex),
    iconLibrary: icons.library,
  };
}

/** Renders a page's file as readers see it, without colors of code; null when it is not a page or does not exist. */
export async function renderFile(
  render: (input: RenderInput) => Promise<RenderedPage>,
  { owner, path, snapshot, docs }: { owner: string; path: string; snapshot: Snapshot; docs: PageSite },
): Promise<RenderedPage | null> {
  const format = markdownFormat(path);
  const bytes = format === null ? null : await snapshot.read(path);
  if (format === null || bytes === null) return null;
  return await render({
    ...renderSettings(docs, path),
    owner,
    source: withoutByteOrderMark(decodeText(bytes).text),
    format,
    isColoured: false,
    async readInclude(included) {
      for (const path of spellingsOf(includedPath(docs, included))) {
        const file = holdsCredentials(path) ? null : await snapshot.read(path);
        if (file !== null) return decodeText(file).text;
      }
      return null;
    },
  });
}
