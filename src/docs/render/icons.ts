import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { attributes } from "#docs/markup/html.ts";
import type { IconLibrary } from "#docs/navigation-icon.ts";

interface IconSet {
  icons: Record<string, { body: string; width?: number; height?: number }>;
  aliases?: Record<string, { parent: string }>;
  width?: number;
  height?: number;
}

/** Draws an icon by its name in Lucide (ISC), Tabler (MIT) or Font Awesome Free (CC BY 4.0). */
export interface Icons {
  /**
   * An inline SVG in the color of the text; null for an unknown name. `type` is Font Awesome's, and `library` is searched
   * first.
   */
  svg(name: string, type?: string | null, library?: IconLibrary | null): string | null;
}

export interface IconLook {
  class: string;
  /** In pixels; null for that of the text. */
  size: string | null;
  /** Null for that of the text. */
  color: string | null;
}

/** A drawing of a set with an author's color and size. */
export function withLook(svg: string, { size, color, ...rest }: IconLook): string {
  const drawn = size === null ? svg : svg.replace('width="1em" height="1em"', `width="${size}" height="${size}"`);
  return drawn.replace(' class="content-icon"', () => attributes({ ...rest, color }));
}

type SetName = "lucide" | "tabler" | "fa6-solid" | "fa6-regular" | "fa6-brands";

const FONT_AWESOME: readonly SetName[] = ["fa6-solid", "fa6-brands", "fa6-regular"];
const ORDERS: Record<IconLibrary, readonly SetName[]> = {
  lucide: ["lucide", ...FONT_AWESOME, "tabler"],
  tabler: ["tabler", "lucide", ...FONT_AWESOME],
  fontawesome: [...FONT_AWESOME, "lucide", "tabler"],
};
const BY_TYPE: Record<string, readonly SetName[]> = {
  brands: ["fa6-brands", "tabler", "lucide"],
  regular: ["fa6-regular", ...ORDERS.fontawesome],
};

const PREFIX = /^(?:lucide|tabler|fa-(?:solid|brands|regular)|fab|fas|far|fa)[-:/ ]{1,3}(?:fa-)?/;

// Names of Font Awesome 5, and icons that the free edition lacks, with the nearest one that it has.
const RENAMED: Record<string, string> = {
  home: "house", cog: "gear", cogs: "gears", search: "magnifying-glass", times: "xmark", "times-circle": "circle-xmark", "check-circle": "circle-check",
  "info-circle": "circle-info", "exclamation-circle": "circle-exclamation", "exclamation-triangle": "triangle-exclamation", "question-circle": "circle-question",
  "external-link": "arrow-up-right-from-square", "external-link-alt": "arrow-up-right-from-square", "file-alt": "file-lines", edit: "pen-to-square", "sign-in-alt": "right-to-bracket",
  "sign-out-alt": "right-from-bracket", "shield-alt": "shield-halved", "tachometer-alt": "gauge-high", "map-marker-alt": "location-dot", tools: "screwdriver-wrench",
  "sync-alt": "rotate", sync: "arrows-rotate", redo: "rotate-right", undo: "rotate-left", "history": "clock-rotate-left", "chart-bar": "chart-column", "project-diagram": "diagram-project",
  "money-bill-alt": "money-bill-1", "user-circle": "circle-user", "users-cog": "users-gear", "plus-circle": "circle-plus", "play-circle": "circle-play", "trash-alt": "trash-can",
  "cloud-download-alt": "cloud-arrow-down", "cloud-upload-alt": "cloud-arrow-up", "calendar-alt": "calendar-days", "comment-alt": "message", "lock-alt": "lock", "book-open-cover": "book-open",
  sparkle: "sparkles", "grid-2": "table-cells-large", "square-terminal": "terminal", "rectangle-terminal": "terminal", "browser": "window-maximize", "screen-users": "users", "messages": "comments",
  "files": "copy", "puzzle": "puzzle-piece", "rocket-launch": "rocket", "brackets-curly": "code", "code-simple": "code", "chart-mixed": "chart-line", "webhook": "webhook",
}; // oxfmt-ignore

/** Loads a set on its first use (0.1 to 2 MB each), because most sites use one. `library` is the set that a site chooses. */
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
  const find = (name: string, order: readonly SetName[]): string | null => {
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
  };

  return {
    svg(written, type, library) {
      const name = written.trim().toLowerCase().replaceAll("_", "-");
      const prefix = PREFIX.exec(name)?.[0] ?? "";
      const rest = name.slice(prefix.length);
      if (!/^[a-z0-9-]{1,60}$/.test(rest)) return null;
      const order = orderOf(prefix, type ?? null, library ?? null);
      const renamed = Object.hasOwn(RENAMED, rest) ? RENAMED[rest] : undefined;
      return find(rest, order) ?? (renamed === undefined ? null : find(renamed, order));
    },
  };
}

function orderOf(prefix: string, type: string | null, library: IconLibrary | null): readonly SetName[] {
  const kind = /brands|^fab/.test(prefix) ? "brands" : /regular|^far/.test(prefix) ? "regular" : type;
  if (prefix.startsWith("tabler")) return ORDERS.tabler;
  if (prefix.startsWith("lucide")) return ORDERS.lucide;
  if (kind !== null) return Object.hasOwn(BY_TYPE, kind) ? (BY_TYPE[kind] ?? ORDERS.fontawesome) : ORDERS.fontawesome;
  return ORDERS[library ?? (prefix === "" ? "lucide" : "fontawesome")];
}

function aliasOf(set: IconSet, name: string): string | null {
  const parent = set.aliases && Object.hasOwn(set.aliases, name) ? set.aliases[name]?.parent : undefined;
  return parent !== undefined && Object.hasOwn(set.icons, parent) ? parent : null;
}
