import { escapeHtml } from "#docs/markup/html.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { isPatternSegment } from "#docs/tree/redirects.ts";
import { canonicalPath } from "#docs/routes.ts";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

/** A page that redirects by itself, for servers without redirects. */
export function refreshPage(location: string): string {
  const href = escapeHtml(location);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Moved</title>
<meta name="robots" content="noindex">
<link rel="canonical" href="${href}">
<meta http-equiv="refresh" content="0; url=${href}">
</head>
<body><p>This page is at <a href="${href}">${href}</a>.</p></body>
</html>
`;
}

interface RedirectFiles {
  /** Former paths, with their targets. */
  exact: { path: string; location: string; permanent: boolean }[];
  /** All of them in the form of Netlify and Cloudflare Pages: `_redirects`. */
  text: string;
}

/** The redirects of a site. Those with `:name` or `*` are in `text` only. */
export function redirectFiles({ config, redirects }: Docs, homeRoute: string | null): RedirectFiles {
  const exact: RedirectFiles["exact"] = [];
  const lines: string[] = [];
  if (homeRoute !== null && homeRoute !== "/") exact.push({ path: "/", location: homeRoute, permanent: false });
  for (const { source, destination, permanent } of config.redirects) {
    const isPattern = source.split("/").some(isPatternSegment);
    const path = isPattern ? null : canonicalPath(source.replace(/[?#].*/s, ""));
    const target = path === null ? null : redirects.match(path);
    if (path !== null && target) exact.push({ path, location: target.location, permanent: target.permanent });
    else if (isPattern) {
      const from = source.replaceAll(/(?<=\/):[\w-]+\*/g, "*");
      const to = destination.replaceAll(/:[\w-]+\*|\*$/g, ":splat");
      if (!/\s/.test(from + to)) lines.push(`${from} ${to} ${permanent ? 308 : 307}`);
    }
  }
  const own = exact.map(({ path, location, permanent }) => `${path} ${location} ${permanent ? 308 : 307}`);
  return { exact, text: `${[...own, ...lines].join("\n")}\n` };
}

/**
 * A module of `src/` with all its imports, as files that browsers load from one folder. The modules must not use Node,
 * and their packages must be ES modules.
 */
export function browserFiles(entry: string): Map<string, string> {
  const files = new Map<string, string>();
  const open = [new URL(entry, import.meta.url)];
  for (let url = open.pop(); url !== undefined; url = open.pop()) {
    const name = nameOf(url);
    if (files.has(name)) continue;
    const source = readFileSync(url, "utf8");
    const script = url.pathname.endsWith(".ts") ? stripTypeScriptTypes(source) : source;
    const from = url;
    const linked = script.replaceAll(
      /^(import|export)\b([^;"']*?)from\s*["']([^"']+)["']/gm,
      (_, word, names, path) => {
        const target = resolve(String(path), from);
        open.push(target);
        return `${String(word)}${String(names)}from "./${nameOf(target)}"`;
      },
    );
    files.set(name, linked);
  }
  return files;
}

function resolve(specifier: string, from: URL): URL {
  if (specifier.startsWith(".")) return new URL(specifier, from);
  if (specifier.startsWith("#")) return new URL(`../../../${specifier.slice(1)}`, import.meta.url);
  const main = new URL(import.meta.resolve(specifier));
  // Published in two forms, with the one for Node at the root.
  return fileURLToPath(main).includes("/esm/") ? main : new URL("./esm/mod.js", main);
}

const nameOf = (url: URL): string => (url.pathname.split("/").pop() ?? "").replace(/\.[jt]s$/, "") + ".js";

/** `data-path` is a path of the API that a page describes. */
const ATTRIBUTE = /(?:href|src|content|poster|data-(?!path=)[a-z-]+)="([^"]{1,2000})"/g;
const SOURCE_SET = / srcset="([^"]{1,10000})"/g;
const STYLE_ADDRESS = /url\(["']?([^"')]{1,2000})["']?\)/g;
const ENTITIES: Record<string, string> = { amp: "&", quot: '"', "#39": "'", "#34": '"', lt: "<", gt: ">" };

/** The paths on a site that one of its documents or style sheets references, each once, without query and fragment. */
export function linksIn(text: string, origin: string): Set<string> {
  const paths = new Set<string>();
  const pictures = [...text.matchAll(SOURCE_SET)].flatMap(([, written = ""]) =>
    written.split(", ").map((each) => ["", each.replace(/ .*/, "")] as const),
  );
  for (const found of [text.matchAll(ATTRIBUTE), text.matchAll(STYLE_ADDRESS), pictures]) {
    for (const [, written = ""] of found) {
      const decoded = written.replaceAll(/&(amp|quot|#39|#34|lt|gt);/g, (_, name: string) => ENTITIES[name] ?? "");
      const address = decoded.startsWith(`${origin}/`) ? decoded.slice(origin.length) : decoded;
      if (!address.startsWith("/") || address.startsWith("//")) continue;
      const path = canonicalPath(address.replace(/[?#].*/s, ""));
      if (path !== null && path !== "/") paths.add(path);
    }
  }
  return paths;
}
