import { nodesOf } from "#docs/nodes.ts";
import type { Definition, Nodes, Root, Text } from "mdast";
import type { InlineRule } from "./inline-rule.ts";

/** Keeps Markdown from reading the underscores of `[text][package.Class.__init__]` as emphasis. */
export const dunderName: InlineRule = {
  sign: "__",
  pattern: String.raw`\]\[(?<name>[A-Za-z_][\w.]{0,200})\]`,
  replace: ({ name = "" }) => (name.includes("__") ? `][${name.replaceAll("_", String.raw`\_`)}]` : null),
  isEverywhere: true,
};

/** In Python-Markdown the last of several definitions of a link counts, in Markdown the first. */
export function dropRedefined(root: Root): void {
  const last = new Map<string, Definition>();
  for (const node of nodesOf(root)) if (node.type === "definition") last.set(node.identifier, node);
  for (const node of nodesOf(root)) {
    if (!("children" in node) || !node.children.some(({ type }) => type === "definition")) continue;
    const kept = (node.children as Nodes[]).filter(
      (child) => child.type !== "definition" || last.get(child.identifier) === child,
    );
    node.children = kept as typeof node.children;
  }
}

const REFERENCE = /\]\[(?:[A-Za-z_][\w.-]{0,200})?\]/;

/** `[text][package.Class]` and `[package.Class][]` link to what a MkDocs plugin generates. Without it only the text remains. */
export function dropUnresolved(root: Root): void {
  for (const node of nodesOf(root)) {
    if (!("children" in node)) continue;
    const children = node.children as Nodes[];
    let start: Text | null = null;
    for (const child of children) {
      if (child.type !== "text") continue;
      for (let found = REFERENCE.exec(child.value); found !== null; found = REFERENCE.exec(child.value)) {
        const before = child.value.slice(0, found.index);
        const opening = before.lastIndexOf("[");
        if (opening === -1 && start === null) break;
        const after = child.value.slice(found.index + found[0].length);
        if (opening !== -1) child.value = before.slice(0, opening) + before.slice(opening + 1) + after;
        else {
          child.value = before + after;
          if (start !== null) start.value = withoutLast(start.value, "[");
        }
        start = null;
      }
      if (child.value.includes("[")) start = child;
    }
  }
}

function withoutLast(text: string, character: string): string {
  const at = text.lastIndexOf(character);
  return text.slice(0, at) + text.slice(at + 1);
}
