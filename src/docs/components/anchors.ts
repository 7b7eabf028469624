import { isAllowedTag, safeId } from "#docs/markup/allowed-html.ts";
import type { Anchor } from "#docs/markup/page-nodes.ts";
import type { WrittenTag } from "./component.ts";
import { componentNamed } from "./registry.ts";

/** The source of a tag's id: `explicit` unchanged, otherwise the slug of `text`. */
export interface AnchorSource {
  text: string;
  explicit: string | null;
  /** The source of its second id's slug; null without a second id. */
  alias: string | null;
  kind: Anchor["kind"];
  depth: number;
}

/**
 * The source of the id of a component or an HTML tag (except a heading); null for a tag without an id. The printer uses it
 * to print ids and the link checker to accept them, so that both agree. `title` is for a component without a title of its
 * own.
 */
export function anchorSource(tag: WrittenTag, title: string | null = null): AnchorSource | null {
  const component = componentNamed(tag.name);
  if (component?.anchor === "none") return null;
  if (component === undefined && !isAllowedTag(tag.name)) return null;
  const id = tag.text("id");
  const explicit = id === null ? null : safeId(id);
  if (component !== undefined && typeof component.anchor === "object") {
    const { titles, depth } = component.anchor;
    const text = titles.map((name) => tag.text(name)).find((found) => found !== null) ?? title;
    // A dated changelog entry is part of the outline, like the headings around it.
    const alias = component.alias?.(tag) ?? null;
    if (text !== null) return { text, explicit, alias, kind: depth > 0 ? "heading" : "component", depth };
  }
  const only = explicit ?? anchorName(tag);
  return only === null ? null : { text: "", explicit: only, alias: null, kind: "element", depth: 0 };
}

/** The `name` of an `<a>`, which is an anchor in addition to its `id`. */
export function anchorName(tag: WrittenTag): string | null {
  const name = (componentNamed(tag.name)?.tag ?? tag.name) === "a" ? tag.text("name") : null;
  return name === null ? null : safeId(name);
}
