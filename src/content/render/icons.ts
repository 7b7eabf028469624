import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

interface IconSet {
  icons: Record<string, { body: string; width?: number; height?: number }>;
  aliases?: Record<string, { parent: string }>;
  width?: number;
  height?: number;
}

/** Draws an icon by its name in Lucide (ISC) or Font Awesome Free (CC BY 4.0). */
export interface Icons {
  /** An inline SVG that takes the colour of the text; null when there is no such icon. `type` is Font Awesome's. */
  svg(name: string, type?: string | null): string | null;
}

const SETS = ["lucide", "fa6-solid", "fa6-brands"] as const;

/** Reads a set when a name is first looked for in it (0.6 to 0.9 MB each). */
export function createIcons(): Icons {
  const require = createRequire(import.meta.url);
  const sets = new Map<string, IconSet>();
  const load = (name: string): IconSet => {
    const loaded =
      sets.get(name) ??
      (JSON.parse(readFileSync(require.resolve(`@iconify-json/${name}/icons.json`), "utf8")) as IconSet);
    sets.set(name, loaded);
    return loaded;
  };

  return {
    svg(written, type) {
      const name = written
        .trim()
        .toLowerCase()
        .replaceAll("_", "-")
        .replace(/^(?:lucide|fa-solid|fa-brands|fa-regular|fab|fas|far|fa)[-:/ ]+(?:fa-)?/, "");
      if (!/^[a-z0-9-]{1,60}$/.test(name)) return null;
      const order = type === "brands" ? ["fa6-brands", "lucide"] : type ? ["fa6-solid", "lucide", "fa6-brands"] : SETS;
      for (const setName of order) {
        const set = load(setName);
        const own = Object.hasOwn(set.icons, name) ? name : aliasOf(set, name);
        const icon = own === null ? undefined : set.icons[own];
        if (icon === undefined) continue;
        const width = icon.width ?? set.width ?? 24;
        const height = icon.height ?? set.height ?? 24;
        return `<svg class="content-icon" viewBox="0 0 ${width} ${height}" width="1em" height="1em" aria-hidden="true">${icon.body}</svg>`;
      }
      return null;
    },
  };
}

function aliasOf(set: IconSet, name: string): string | null {
  const parent = set.aliases && Object.hasOwn(set.aliases, name) ? set.aliases[name]?.parent : undefined;
  return parent !== undefined && Object.hasOwn(set.icons, parent) ? parent : null;
}
