import type { DocsConfig, SiteFont } from "#docs/config/docs-config.ts";

const FALLBACK = "ui-sans-serif,system-ui,-apple-system,sans-serif";
const FORMATS: Record<string, string> = { woff2: "woff2", woff: "woff", ttf: "truetype", otf: "opentype" };

/**
 * The styles of the fonts that a site names. Files come from its repository alone; a family without one is the reader's own
 * where they have it.
 */
export function fontStyles({
  config,
  assetHref,
}: {
  config: DocsConfig;
  assetHref(reference: string): string | null;
}): string {
  const { body, heading } = config.fonts;
  const face = (font: SiteFont | null): string => {
    const href = font?.source ? assetHref(font.source) : null;
    const format = FORMATS[/\.(\w{3,5})$/.exec(font?.source ?? "")?.[1]?.toLowerCase() ?? ""];
    if (font === null || href === null || format === undefined || !/^\/(?!\/)[\w./%@~+-]+(?:\?v=\w+)?$/.test(href))
      return "";
    const weight = font.weight === null ? "100 900" : String(font.weight);
    return `@font-face{font-family:"${font.family}";src:url("${href}") format("${format}");font-weight:${weight};font-display:swap}`;
  };
  const faces = new Set([face(body), face(heading)]);
  const bodyRule = body === null ? "" : `:root{--font-body:"${body.family}",${FALLBACK}}`;
  const headings = ".site-page-title,.content :is(h1,h2,h3,h4,h5,h6)";
  const headingRule = heading === null ? "" : `${headings}{font-family:"${heading.family}",var(--font-body)}`;
  return [...faces].join("") + bodyRule + headingRule;
}
