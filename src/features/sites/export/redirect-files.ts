import { escapeHtml } from "#docs/markup/html.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { isPatternSegment } from "#docs/tree/redirects.ts";
import { canonicalPath } from "#docs/routes.ts";

/** A page that leads elsewhere by itself, for servers that know no redirects. */
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
  /** Paths that are left, with where they lead. */
  exact: { path: string; location: string; permanent: boolean }[];
  /** All of them in the form of Netlify and Cloudflare Pages: `_redirects`. */
  text: string;
}

/** The redirects of a site. Those with `:name` or `*` are in the text alone. */
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
