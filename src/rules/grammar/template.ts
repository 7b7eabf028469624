import { isSlotType } from "./slots.ts";

/**
 * A form of instruction, compiled from a line such as
 *
 *     move|relocate [the] page {page:page} to|into {to:path}
 *
 * Words match themselves, `|` separates alternative words, `do_not` is two words in a row, `[…]` is optional, `(… / …)`
 * separates alternative sequences, a star after a bracket repeats it, `{name:type}` is a slot, `~` a place where restrictions
 * and options are allowed, and `\` escapes the next character.
 */
export type Node =
  | { kind: "word"; words: ReadonlySet<string>; phrases: readonly (readonly string[])[] }
  | { kind: "slot"; name: string; type: string }
  | { kind: "sequence"; nodes: readonly Node[] }
  | { kind: "choice"; options: readonly Node[] }
  | { kind: "repeated"; node: Node }
  | { kind: "modifiers" };

const PART = /\{(\w+):([\w.]+)\}|[[\]()/~]|\*|(?:\\.|[^\s[\](){}/~*\\])+/g;

/** Templates contain the same lists of words many times: sharing them reduces their memory to a quarter. */
const wordNodes = new Map<string, Node>();

/** Compiles a template. Throws on an unclosed one: templates are constants in the code. */
export function compile(template: string): Node {
  const parts = [...template.matchAll(PART)];
  let at = 0;

  function choice(closing: string | null): Node {
    const options: Node[] = [];
    let nodes: Node[] = [];
    for (;;) {
      const part = parts[at];
      const sign = part?.[0] ?? null;
      at += 1;
      if (part === undefined || sign === closing) {
        if (sign !== closing) throw new Error(`not closed: ${template}`);
        options.push({ kind: "sequence", nodes });
        return options.length === 1 ? (options[0] as Node) : { kind: "choice", options };
      }
      if (sign === "/") {
        options.push({ kind: "sequence", nodes });
        nodes = [];
      } else nodes.push(item(part));
    }
  }

  function item([sign, name, type]: RegExpMatchArray): Node {
    if (sign === "~") return { kind: "modifiers" };
    if (sign === "(" || sign === "[") {
      const inner = choice(sign === "(" ? ")" : "]");
      if (parts[at]?.[0] === "*") {
        at += 1;
        return { kind: "repeated", node: inner };
      }
      return sign === "(" ? inner : { kind: "choice", options: [inner, { kind: "sequence", nodes: [] }] };
    }
    if (name !== undefined && type !== undefined) {
      if (!isSlotType(type)) throw new Error(`no slot type “${type}” in: ${template.slice(0, 300)}`);
      return { kind: "slot", name, type };
    }
    if (/^[\])*]$/.test(sign)) throw new Error(`not opened: ${template}`);
    const known = wordNodes.get(sign);
    if (known) return known;
    const alternatives = sign.split(/(?<!\\)\|/).map((word) => word.replaceAll("\\", ""));
    if (alternatives.includes("")) throw new Error(`an empty word: ${template}`);
    const phrases = alternatives.filter((word) => word.includes("_")).map((word) => word.split("_"));
    const words = new Set(alternatives.filter((word) => !word.includes("_")));
    const node: Node = { kind: "word", words, phrases };
    wordNodes.set(sign, node);
    return node;
  }

  return choice(null);
}

/**
 * Words without which a sentence cannot match a template: of each set it must contain one; of a phrase its first word. Looking
 * for them first spares most templates of a sentence the attempt to match.
 */
export function neededWords(node: Node): readonly ReadonlySet<string>[] {
  switch (node.kind) {
    case "word":
      return [new Set([...node.words, ...node.phrases.flatMap(([first = ""]) => first)])];
    case "sequence":
      return node.nodes.flatMap(neededWords);
    case "choice": {
      const needed = node.options.map((option) => neededWords(option)[0]);
      return needed.includes(undefined) ? [] : [new Set(needed.flatMap((words) => [...(words ?? [])]))];
    }
    case "slot":
    case "repeated":
    case "modifiers":
      return [];
  }
}
