import { isJsonObject, type Json } from "./json-document.ts";

/** The sets that a site may name as its own; the others are looked in after it. */
export const ICON_LIBRARIES = ["fontawesome", "lucide", "tabler"] as const;
export type IconLibrary = (typeof ICON_LIBRARIES)[number];

/** An icon as an author names it: of a set, or the path of a picture in the repository. */
export interface NamedIcon {
  name: string;
  /** Font Awesome's `solid`, `regular`, `brands` …; null for any. */
  type: string | null;
  library: IconLibrary | null;
}

/** The `icon` of an entry of the navigation or of a page's front matter: a text, or `{"name", "style", "library"}`. */
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
