import { posix } from "node:path";
import { encodePath } from "#docs/routes.ts";

/**
 * Writes a link to `target` in the style of the link that it replaces: root-absolute or relative, with or without extension,
 * with the same query. Both paths are files relative to the site's root. A null `hash` drops the anchor.
 */
export function writeHref(options: { like: string; from: string; target: string; hash: string | null }): string {
  const { like, from, target, hash } = options;
  const [, path = "", query = ""] = /^([^?#]*)(\?[^#]*)?/s.exec(like) ?? [];
  const suffix = query + (hash === null ? "" : `#${encodeFragment(hash)}`);
  if (target === from && path === "") return suffix === "" ? "#" : suffix;

  // The page's address without a leading slash: `guides/index.md` is `guides`.
  const bare = target.replace(/\.(md|mdx|markdown)$/i, "");
  const keepsExtension = /\.(md|mdx|markdown)$/i.test(path) || bare === target;
  const named = keepsExtension ? target : bare.replace(/(^|\/)(index|readme)$/i, "");
  if (path.startsWith("/")) return escapeForMarkdown(encodePath(named)) + suffix;

  const relative = posix.relative(posix.dirname(from), named === "" ? "." : named);
  const encoded = encodePath(relative).slice(1);
  const dotted = encoded === "" ? "./" : path.startsWith("./") && !encoded.startsWith("../") ? `./${encoded}` : encoded;
  return escapeForMarkdown(dotted) + suffix;
}

function encodeFragment(hash: string): string {
  return escapeForMarkdown(encodeURIComponent(hash).replaceAll(/%(?:40|3A|24|26|2B|2C|3B|3D)/g, decodeURIComponent));
}

// Inside `[text](…)` a bare parenthesis could end the link.
function escapeForMarkdown(url: string): string {
  return url.replaceAll("(", "%28").replaceAll(")", "%29");
}

/** A link to another id of the same page. */
export function replaceHash(url: string, id: string, { from, target }: { from: string; target: string }): string {
  const hash = writeHref({ like: "#", from, target: from, hash: id });
  return target === from && url.startsWith("#") ? hash : url.replace(/#.*/s, "") + hash;
}
