import { didYouMean } from "#lib/nearest.ts";
import type { Attribute, Component } from "./component.ts";

const MIN_MISTYPED = 4; // shorter names resemble many
/** Attributes that are React's, or that every component has. */
const COMMON_ATTRIBUTES: ReadonlySet<string> = new Set(["id", "children", "key", "ref", "iconLibrary"]);

/**
 * Names attributes and values that a component does not have; in another tool's pages, whose components have names of their
 * own, only mistyped attributes. `text` is the text of an attribute, null without one. An alias of an HTML tag has the
 * attributes of the tag, so they are not looked at.
 */
export function attributeProblems(
  component: Component,
  written: { name: string; isNative: boolean; attributes: Iterable<string>; text(attribute: string): string | null },
): string[] {
  if (component.tag !== undefined || component.includes !== undefined) return [];
  const known = component.attributes ?? {};
  return [...written.attributes].flatMap((name) => {
    const tag = `<${written.name}>`;
    const attribute = Object.hasOwn(known, name) ? known[name] : undefined;
    if (attribute !== undefined)
      return written.isNative ? valueProblem(attribute, written.text(name), { name, tag }) : [];
    if (COMMON_ATTRIBUTES.has(name) || /^(?:data|aria)-/.test(name)) return [];
    const hint = didYouMean(name, Object.keys(known));
    if (!written.isNative)
      return hint === "" || name.length < MIN_MISTYPED
        ? []
        : [`The attribute ${name.slice(0, 40)} has no effect.${hint}`];
    return [`The attribute ${name.slice(0, 40)} of ${tag} is left out: the component does not have it.${hint}`];
  });
}

function valueProblem(
  { values, otherwise }: Attribute,
  value: string | null,
  { name, tag }: { name: string; tag: string },
): string[] {
  if (value === null || values === undefined) return [];
  // Whether content is hidden depends on the value exactly as it is written.
  if (values.includes(otherwise === undefined ? value.toLowerCase() : value)) return [];
  const effect = otherwise === undefined ? "" : ` ${otherwise}`;
  const hint = didYouMean(value, values);
  return [
    `The value "${value.slice(0, 40)}" of ${name} has no effect: ${tag} has ${values.join(", ")}.${effect}${hint}`,
  ];
}
