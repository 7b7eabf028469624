import { isJsonObject, type Json } from "./json-document.ts";

/** The sets that a site may choose; the others are searched after it. */
export const ICON_LIBRARIES = ["fontawesome", "lucide", "tabler"] as const;
export type IconLibrary = (typeof ICON_LIBRARIES)[number];

/** An icon as an author names it: a name in a set, or the path of an image in the repository. */
export interface NamedIcon {
  name: string;
  /** Font Awesome's `solid`, `regular`, `brands` …; null for any. */
  type: string | null;
  library: IconLibrary | null;
}

/** Reads the `icon` of a navigation entry or of a page's front matter: a string, or `{"name", "style", "library"}`. */
export function readNamedIcon(icon: unknown, iconType?: unknown): NamedIcon | null {
  const text = (value: unknown): string | null =>
    typeof value === "string" && value.trim() !== "" && value.length <= 500 ? value.trim() : null;
  if (!isJsonObject(icon as Json)) {
    const name = text(icon);
    return name === null ? null : { name, type: text(iconType), library: null };
  }
  const { name: written, style, library } = icon as Record<string, unknown>;
  const name = text(written);
  const known = ICON_LIBRARIES.find((each) => each === library) ?? null;
  return name === null ? null : { name, type: text(style), library: known };
}
