import { trimOf } from "#lib/trim.ts";
import { encodePath } from "./routes.ts";

/** The target of a link or an image of a page. */
export type Href =
  /** Another origin, or a scheme such as `mailto:`. */
  | { kind: "external"; href: string }
  /** A place on the same site. `path` is decoded and root-absolute, as routes and files are named. */
  | { kind: "internal"; href: string; path: string; hash: string | null }
  /** A relative path that climbs out of the site's root. */
  | { kind: "outside"; href: string }
  /** A scheme that is unknown or could run a script. Must not be printed. */
  | { kind: "refused"; reason: string };

/** How a reference is used: a link is turned into a route, a source (image, video) stays a file. */
export type HrefUse = "link" | "source";

const SCHEMES = new Set(
  "http https mailto tel sms ftp irc ircs xmpp matrix git ssh vscode vscode-insiders cursor windsurf zed jetbrains slack obsidian".split(
    " ",
  ),
);

// Browsers ignore tabs and line ends inside a URL and control characters around it, so `java\tscript:` is a scheme to them.
// \p{Cf}: zero-width spaces, joiners, direction marks, the byte order mark.
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const IMAGE_DATA = /^data:image\/(?:png|gif|jpeg|jpg|webp|avif|svg\+xml)[;,]/i;

/**
 * Resolves a reference as written in the page at `pagePath` (relative to the site's root, `/` separated). Relative
 * references are resolved from the page's folder; a link's `.md`/`.mdx` extension, trailing slash, and a last `index` or
 * `README` are removed. Pure: the printer and the link checker agree because both call it.
 */
export function resolveHref(written: string, pagePath: string, use: HrefUse = "link"): Href {
  const href = written.replace(INVISIBLE, "").trim();
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href.replace(/\s/g, ""))?.[1]?.toLowerCase();
  if (scheme !== undefined) {
    if (use === "source" && IMAGE_DATA.test(href)) return { kind: "external", href };
    if (use === "source" ? scheme === "http" || scheme === "https" : SCHEMES.has(scheme))
      return { kind: "external", href };
    return { kind: "refused", reason: `links of the scheme "${scheme.slice(0, 40)}" are not allowed` };
  }
  if (/^[\\/]{2}/.test(href)) return { kind: "external", href: `https://${href.replace(/^[\\/]+/, "")}` };

  const [, rawPath = "", query = "", rawHash = null] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/s.exec(href) ?? [];
  const decodedHash = rawHash === null ? null : decodeLoose(rawHash);
  // As ids, which browsers compare letter by letter.
  const hash = decodedHash?.normalize("NFC") ?? null;
  const suffix =
    encodeLoose(query) + (hash === null ? "" : `#${encodeLoose(hash === decodedHash ? (rawHash ?? "") : hash)}`);
  if (rawPath === "") {
    const path = use === "link" ? routeOf(pagePath) : `/${pagePath}`;
    return { kind: "internal", href: suffix === "" ? encodePath(path.slice(1)) : suffix, path, hash };
  }
  const segments = resolveSegments(rawPath.replaceAll("\\", "/"), pagePath);
  if (segments === null) return { kind: "outside", href };
  const file = segments.join("/");
  const path = use === "link" ? routeOf(file) : `/${file}`;
  return { kind: "internal", href: encodePath(path.slice(1)) + suffix, path, hash };
}

/**
 * The root-absolute route of a page or of a link's path: `guides/index.mdx` and `guides/README.md` are `/guides`,
 * `guides/a.mdx` is `/guides/a`, `index.md` is `/`. Other files keep their names.
 */
export function routeOf(path: string): string {
  const bare = trimOf(path, "/").replace(/\.(?:md|mdx|markdown)$/i, "");
  return `/${bare.replace(/(?:^|\/)(?:index|readme)$/i, "")}`;
}

function resolveSegments(path: string, pagePath: string): string[] | null {
  const base = path.startsWith("/") ? [] : pagePath.split("/").slice(0, -1);
  const resolved = [...base];
  // Decoded before it is split, because `%2e%2e%2f` climbs too.
  for (const name of decodeLoose(path).split("/")) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (resolved.pop() === undefined) return null;
    } else resolved.push(name);
  }
  return resolved;
}

/** Decodes percent-encoded text; returns text with a lone “%” unchanged. */
export function decodeLoose(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function encodeLoose(text: string): string {
  return encodeURI(text.toWellFormed()).replaceAll("%25", "%");
}

/** Path of an imported file relative to the site's root; null for packages and for paths outside the site. */
export function importPath(specifier: string, from: string): string | null {
  if (!/^(?:\/|\.{1,2}\/|snippets\/)/.test(specifier) || !/\.(?:mdx?|markdown|jsx?|tsx?|mjs|json)$/i.test(specifier))
    return null;
  const target = resolveHref(specifier.startsWith("snippets/") ? `/${specifier}` : specifier, from, "source");
  return target.kind === "internal" ? target.path.slice(1) : null;
}

/** The paths of `<Snippet file="x.mdx" />`: in the folder of today's format, then in that of `mint.json`. */
export function snippetPaths(file: string): string[] {
  const target = resolveHref(`/${file.replace(/^\/+/, "")}`, "", "source");
  if (target.kind !== "internal") return [];
  const bare = target.path.replace(/^\/(?:_?snippets\/)?/, "");
  const name = /\.[a-z]+$/i.test(bare) ? bare : `${bare}.mdx`;
  return [`snippets/${name}`, `_snippets/${name}`];
}
