import { htmlTokens } from "#docs/markup/html-tokens.ts";
import { escapeHtml } from "#docs/markup/html.ts";
import type { RenderedPage } from "#docs/render/page.ts";
import { addressInTool } from "#docs/links/tool-links.ts";
import type { Docs, Page } from "#docs/tree/page-tree.ts";

/**
 * The HTML of a page of another tool's site with its links resolved to addresses: the renderer keeps the paths of
 * files, which differ when the tool has slugs, numbers in names or rewrites, or serves images from a folder of its own.
 */
export function linkedInTool(
  docs: Docs,
  page: Page,
  rendered: Pick<RenderedPage, "html" | "links" | "images">,
): string {
  const { html, links, images } = rendered;
  if (docs.tool === null) return html;
  const moved = new Map<string, string>();
  const add = (printed: string, written: string, use: "link" | "source") => {
    if (!printed.startsWith("/") || printed.startsWith("//")) return;
    const end = printed.search(/[?#]/);
    const [route, rest] = end === -1 ? [printed, ""] : [printed.slice(0, end), printed.slice(end)];
    const address = addressInTool(docs, { url: written, use, route, page: page.route });
    if (address !== null && address !== route) moved.set(escapeHtml(printed), escapeHtml(address + rest));
  };
  for (const { href, written } of links) add(href, written, "link");
  for (const { src } of images) add(src, src, "source");
  if (moved.size === 0) return html;
  let text = "";
  let done = 0;
  for (const token of htmlTokens(html)) {
    if (token.kind !== "open") continue;
    for (const { name, start, end } of token.attributes) {
      const to = name === "href" || name === "src" ? moved.get(html.slice(start, end)) : undefined;
      if (to === undefined) continue;
      text += html.slice(done, start) + to;
      done = end;
    }
  }
  return text + html.slice(done);
}
