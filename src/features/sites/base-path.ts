import { htmlTokens } from "#docs/markup/html-tokens.ts";

/**
 * A site addresses itself from its own root: `/guides/setup`. When another site mounts it below a path such as `/docs`,
 * these functions add that prefix to every address in a rendered document and in the response's headers.
 */

/** Attributes that contain an address; of `data-*` only those that name a file or an endpoint of the theme. */
const ADDRESSES = new Set(["href", "src", "action", "formaction", "poster", "data", "xlink:href"]);
const OWN_PREFIX = "/_docent/";

/**
 * An address of the site with the prefix `base` ("" for a site at its host's root); external and relative addresses
 * stay.
 */
export function hrefBelow(base: string, href: string): string {
  return base !== "" && /^\/(?![/\\])/.test(href) ? base + href : href;
}

/** An HTML document or fragment with the addresses in its attributes prefixed by `base`. */
export function htmlBelow(base: string, html: string): string {
  if (base === "") return html;
  let moved = "";
  let done = 0;
  for (const token of htmlTokens(html)) {
    if (token.kind !== "open") continue;
    for (const { name, value, start, end } of token.attributes) {
      const to = value === null ? null : attributeBelow(base, name.toLowerCase(), html.slice(start, end));
      if (to === null) continue;
      moved += html.slice(done, start) + to;
      done = end;
    }
  }
  return moved + html.slice(done);
}

/** `written` is the escaped value from the document: the prefix needs no escapes. */
function attributeBelow(base: string, name: string, written: string): string | null {
  if (name === "srcset" || name === "imagesrcset") {
    return written.replaceAll(
      /(^|,\s*)(\/(?![/\\])[^\s,]*)/g,
      (_, before: string, href: string) => before + base + href,
    );
  }
  const isAddress = ADDRESSES.has(name) || (name.startsWith("data-") && written.startsWith(OWN_PREFIX));
  return isAddress ? hrefBelow(base, written) : null;
}

/** Styles of a page with the addresses of files prefixed by `base`. */
export function cssBelow(base: string, css: string): string {
  return base === "" ? css : css.replaceAll(/\burl\((["']?)\/(?![/\\])/g, (_, quote: string) => `url(${quote}${base}/`);
}

const IN_MARKDOWN =
  /`[^`\n]*`|(\]\(<?|^ {0,3}\[[^\]\n]{1,300}\]: {0,4}<?|\b(?:href|src|poster)=["'])\/(?![/\\])([^\s)>"'?#]*)/gm;

/**
 * Markdown with the targets of its links and images prefixed by `base`, which may depend on the path; code stays
 * unchanged.
 */
export function markdownBelow(base: string | ((path: string) => string), markdown: string): string {
  if (base === "") return markdown;
  const baseOf = typeof base === "string" ? () => base : base;
  let fence: string | null = null;
  const move = (line: string) =>
    line.replaceAll(IN_MARKDOWN, (found, before: string | undefined, path: string) =>
      before === undefined ? found : `${before}${baseOf(`/${path}`)}/${path}`,
    );
  const lines = markdown.split("\n").map((line) => {
    const [, mark] = /^\s*(?:>\s?)*(```+|~~~+)/.exec(line) ?? [];
    if (mark !== undefined && fence === null) fence = mark;
    else if (mark !== undefined && fence !== null && mark.startsWith(fence)) fence = null;
    return fence === null ? move(line) : line;
  });
  return lines.join("\n");
}

/** The path inside the site for a requested path. Also accepts requests from a proxy that strips `base`. */
export function pathInside(base: string, pathname: string): string {
  if (base === "" || (pathname !== base && !pathname.startsWith(`${base}/`))) return pathname;
  return pathname.slice(base.length) || "/";
}
