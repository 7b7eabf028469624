import { raw, type Html, html } from "#kit/pages/markup.ts";
import type { DocsConfig } from "#docs/config/docs-config.ts";
import type { NamedIcon } from "#docs/navigation-icon.ts";
import type { Icons } from "#docs/render/icons.ts";

const PATHS = {
  menu: "M4 6h16M4 12h16M4 18h16",
  chevron: "m9 6 6 6-6 6",
  previous: "m15 6-6 6 6 6",
  external: "M8 16 17 7M9 7h8v8",
  issue: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 8v5M12 16v.01",
  edit: "M4 20h4L19 9l-4-4L4 16v4Z",
  markdown: "M3 6h18v12H3zM7 15V9l2.5 3L12 9v6M17 9v6m-2-2 2 2 2-2",
  moon: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9Z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2m0 16v2M2 12h2m16 0h2M5 5l1.4 1.4m11.2 11.2L19 19M5 19l1.4-1.4M17.6 6.4 19 5",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm5 12 4 4",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  close: "M6 6l12 12M18 6 6 18",
} as const;

/** Icons that point along the line: they are mirrored in right-to-left languages. */
const MIRRORED: readonly string[] = ["chevron", "previous", "external"];

/** A drawn icon next to a text with the same meaning: hidden from assistive technology. */
export function icon(name: keyof typeof PATHS): Html {
  const mirrored = MIRRORED.includes(name) ? " site-icon-mirrored" : "";
  return raw(
    `<svg class="site-icon${mirrored}" viewBox="0 0 24 24" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`,
  );
}

/** Draws the icons of entries: from a set, or an image of the repository. Null when it has none, or an unknown one. */
export type DrawIcon = (icon: NamedIcon | null | undefined) => Html | null;

export function navigationIcons(
  icons: Icons,
  { config, assetHref }: { config: DocsConfig; assetHref(reference: string): string | null },
): DrawIcon {
  return (icon) => {
    if (!icon) return null;
    if (/[/.]/.test(icon.name)) {
      const href = assetHref(icon.name);
      return href?.startsWith("/") && !href.startsWith("//")
        ? html`<img class="site-entry-icon" src="${href}" alt="" width="16" height="16" /> `
        : null;
    }
    const svg = icons.svg(icon.name, icon.type, icon.library ?? config.icons.library);
    return svg === null ? null : html`${raw(svg.replace("content-icon", "site-entry-icon"))} `;
  };
}
