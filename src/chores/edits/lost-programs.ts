import type { Nodes, Root } from "mdast";
import { AppError } from "#lib/app-error.ts";
import { nodesOf } from "./markdown-text.ts";
import type { TextEdit } from "./page-edits.ts";

const EXPORTED = /\bexport (?:const|let|var|async function|function|function\*|class) ([\w$]+|[[{][^=\]}]*)/g;
const NO_NAMES: ReadonlySet<string> = new Set(["import", "type", "as", "default"]);

/** Throws `AppError invalid` where an import or an export goes with a section of MDX that the rest of the page uses. */
export function refuseLostPrograms(before: Root, after: Root, edit: TextEdit): void {
  const programs = [...nodesOf(before)].filter(
    (node) =>
      node.type === "mdxjsEsm" &&
      (node.position?.start.offset ?? 0) >= edit.start &&
      (node.position?.end.offset ?? 0) <= edit.end,
  );
  if (programs.length === 0) return;
  const nodes = [...nodesOf(after)];
  const stays = new Set(nodes.flatMap((node) => (node.type === "mdxjsEsm" ? namesIn(node) : [])));
  for (const node of programs) {
    const used = namesIn(node).find((name) => !stays.has(name) && nodes.some((each) => uses(each, name)));
    if (used !== undefined)
      throw new AppError(
        "invalid",
        `The section defines “${used}”, which the rest of the page uses. Move that line first.`,
      );
  }
}

function namesIn(node: Nodes): string[] {
  const text = "value" in node ? node.value : "";
  const names = [...text.matchAll(EXPORTED)].flatMap(([, name = ""]) => name.match(/[\w$]+/g) ?? []);
  for (let at = text.indexOf("import"); at !== -1; at = text.indexOf("import", at + 1)) {
    const end = text.indexOf("from", at);
    if (end === -1) break;
    names.push(...(text.slice(at, end).match(/[\w$]+/g) ?? []).filter((word) => !NO_NAMES.has(word)));
    at = end;
  }
  return names;
}

function uses(node: Nodes, name: string): boolean {
  const isNamed = (text: string) => text.split(/[^\w$]+/).includes(name);
  if ("value" in node && node.type.startsWith("mdx")) return isNamed(node.value);
  if (node.type !== "mdxJsxFlowElement" && node.type !== "mdxJsxTextElement") return false;
  return (node.name ?? "").split(".")[0] === name || isNamed(JSON.stringify(node.attributes.map(({ value }) => value)));
}
