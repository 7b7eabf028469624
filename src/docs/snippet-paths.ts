import { resolveHref } from "./hrefs.ts";

/** Path of an imported file relative to the site's root; null for packages and for paths out of the site. */
export function importPath(specifier: string, from: string): string | null {
  if (!/^(?:\/|\.{1,2}\/|snippets\/)/.test(specifier) || !/\.(?:mdx?|markdown|jsx?|tsx?|mjs|json)$/i.test(specifier))
    return null;
  const target = resolveHref(specifier.startsWith("snippets/") ? `/${specifier}` : specifier, from, "source");
  return target.kind === "internal" ? target.path.slice(1) : null;
}

/** Where `<Snippet file="x.mdx" />` looks: the folder of today's format, then that of `mint.json`. */
export function snippetPaths(file: string): string[] {
  const target = resolveHref(`/${file.replace(/^\/+/, "")}`, "", "source");
  if (target.kind !== "internal") return [];
  const bare = target.path.replace(/^\/(?:_?snippets\/)?/, "");
  const name = /\.[a-z]+$/i.test(bare) ? bare : `${bare}.mdx`;
  return [`snippets/${name}`, `_snippets/${name}`];
}
