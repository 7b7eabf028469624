import { isDroppedTag } from "#docs/markup/allowed-html.ts";
import { boxes } from "./boxes.ts";
import { callouts } from "./callouts.ts";
import { cards } from "./cards.ts";
import { code } from "./code.ts";
import type { Component, WrittenTag } from "./component.ts";
import { disclosures } from "./disclosures.ts";
import { fields } from "./fields.ts";
import { inline } from "./inline.ts";
import { media } from "./media.ts";
import { steps } from "./steps.ts";
import { structure, trees } from "./structure.ts";
import { tabs } from "./tabs.ts";
import { update } from "./updates.ts";

/**
 * The components that pages may use without defining them: today's Mintlify dialect, and the few names of Nextra,
 * Docusaurus and Fumadocs for the same things. A page's own component of the same name takes precedence.
 */
export const COMPONENTS: readonly Component[] = [
  ...callouts, ...cards, ...steps, ...tabs, ...code, ...disclosures, ...fields, update, ...trees, ...boxes, ...media,
  ...inline, ...structure,
]; // oxfmt-ignore

const byName = new Map(COMPONENTS.flatMap((component) => component.names.map((name) => [name, component])));

export function componentNamed(name: string): Component | undefined {
  return byName.get(name);
}

/** Whether a tag is left out of pages with all that it contains. */
export function isHidden(tag: WrittenTag): boolean {
  return isDroppedTag(tag.name) || (componentNamed(tag.name)?.hides?.(tag) ?? false);
}

/** The file that a tag includes; null for all tags but `<Snippet file="…">`. */
export function includedFile(tag: WrittenTag): string | null {
  const attribute = componentNamed(tag.name)?.includes;
  return attribute === undefined ? null : tag.text(attribute);
}

/** The styles of all components. */
export const COMPONENTS_CSS = COMPONENTS.map(({ style }) => style ?? "").join("");
