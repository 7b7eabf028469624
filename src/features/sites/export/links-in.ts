import { canonicalPath } from "#docs/routes.ts";

/** `data-path` is a path of the API that a page describes. */
const ATTRIBUTE = /(?:href|src|content|poster|data-(?!path=)[a-z-]+)="([^"]{1,2000})"/g;
const SOURCE_SET = / srcset="([^"]{1,10000})"/g;
const STYLE_ADDRESS = /url\(["']?([^"')]{1,2000})["']?\)/g;
const ENTITIES: Record<string, string> = { amp: "&", quot: '"', "#39": "'", "#34": '"', lt: "<", gt: ">" };

/** The paths on a site that one of its own documents or styles names, each once, without query and anchor. */
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
