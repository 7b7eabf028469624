import type { DocsConfig } from "#docs/config/docs-config.ts";
import type { NamedIcon } from "#docs/navigation-icon.ts";
import type { Icons } from "#docs/render/icons.ts";
import { html, raw, type Html } from "#kit/pages/markup.ts";

/** Draws the icons of entries: one of a set, or a picture of the repository. Null when it has none, or none is known. */
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
