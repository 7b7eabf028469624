import { Content, type Value, ValueMap } from "./page-nodes.ts";

/** Attributes that configure a component, whatever they contain. */
const SETTINGS =
  /^(?:d|id|key|slot|lang|style|sizes|viewbox|.*(?:class|classname|icon|href|url|src|path|color|size))$/i;

const MAX_VALUES = 1_000;

/**
 * The attributes of an unknown component that probably hold words for readers: a text of two words, a capitalized word, letters
 * beyond ASCII, markup, or a list or object with one of these. Numbers, addresses, colors and names in lower case do not count.
 */
export function attributesWithText(props: ReadonlyMap<string, Value>): string[] {
  return [...props].flatMap(([name, value]) => (!SETTINGS.test(name) && hasText(value) ? [name] : []));
}

function hasText(value: Value): boolean {
  const open: Value[] = [value];
  for (let seen = 0; open.length > 0 && seen < MAX_VALUES; seen += 1) {
    const next = open.pop();
    if (typeof next === "string" && isText(next)) return true;
    if (next instanceof Content && next.nodes.length > 0) return true;
    if (Array.isArray(next)) open.push(...(next as readonly Value[]).slice(0, MAX_VALUES));
    else if (next instanceof ValueMap)
      for (const [name, inner] of next.entries) if (!SETTINGS.test(name) && open.length < MAX_VALUES) open.push(inner);
  }
  return false;
}

function isText(written: string): boolean {
  const text = written.trim();
  if (/^(?:[a-z][a-z+.-]{1,20}:|[./#~])\S*$/i.test(text)) return false;
  if (/^[A-Z][a-z]+$/.test(text)) return true;
  return /[\p{L}.,:;!?"')]\s+[-"'(]{0,3}\p{L}/u.test(text) || /[^\p{ASCII}]/u.test(text.replaceAll(/\P{L}/gu, ""));
}
