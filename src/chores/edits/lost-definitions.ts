import type { Definition, FootnoteDefinition, Nodes, Root } from "mdast";
import { AppError } from "#lib/app-error.ts";
import { foldedLabel, nodesOf } from "./markdown-text.ts";
import type { TextEdit } from "./page-edits.ts";

/** A page's text with what a parser made of it. */
interface ParsedPage {
  source: string;
  root: Root;
}

/**
 * Throws `AppError invalid` when an edit takes an address or a footnote from the rest of the page, or gives it another:
 * `[webhook]` would be words in brackets from then on, or lead elsewhere. Of two definitions the first one holds
 * (CommonMark 0.31, 4.7). A text that defines anew what it replaces is taken at its word.
 */
export function refuseLostDefinitions(before: ParsedPage, after: ParsedPage, edit: TextEdit): void {
  const was = definitionsOf(before);
  const is = definitionsOf(after);
  const isInside = (offset: number, end: number) => offset >= edit.start && offset < end;
  const editEnd = edit.start + edit.text.length;
  const references = new Set(referencesOf(after.root).map(({ key, offset }) => `${key}\n${offset}`));
  for (const { key, label, line, offset } of referencesOf(before.root)) {
    const old = was.get(key);
    if (isInside(offset, edit.end) || old === undefined) continue;
    const moved = offset < edit.start ? offset : offset + editEnd - edit.end;
    const now = references.has(`${key}\n${moved}`) ? is.get(key) : undefined;
    const wasInside = isInside(old.offset, edit.end);
    if (now === undefined) {
      const reason = wasInside ? `The section defines “${label}”` : `The text would take “${label}” from the page`;
      const advice = wasInside ? " Move that definition first." : "";
      throw new AppError("invalid", `${reason}, which line ${line} outside of it needs.${advice}`);
    }
    if (now.content === old.content || (wasInside && isInside(now.offset, editEnd))) continue;
    throw new AppError(
      "invalid",
      wasInside
        ? `The section defines “${label}”, which line ${line} outside of it needs, and the page defines it again otherwise. Move that definition first.`
        : `The text defines “${label}”, which the page defines already and line ${line} needs. Give it another name.`,
    );
  }
}

interface FoundDefinition {
  offset: number;
  content: string;
}

/** The first definition of each label. */
function definitionsOf({ source, root }: ParsedPage): Map<string, FoundDefinition> {
  const found = new Map<string, FoundDefinition>();
  for (const node of nodesOf(root)) {
    if (node.type !== "definition" && node.type !== "footnoteDefinition") continue;
    const key = keyOf(node);
    if (!found.has(key)) found.set(key, { offset: offsetOf(node), content: contentOf(node, source) });
  }
  return found;
}

function contentOf(node: Definition | FootnoteDefinition, source: string): string {
  if (node.type === "definition") return JSON.stringify([node.url, node.title ?? null]);
  return source.slice(offsetOf(node), node.position?.end.offset).trim();
}

function referencesOf(root: Root): { key: string; label: string; line: number; offset: number }[] {
  return [...nodesOf(root)].flatMap((node) =>
    node.type === "linkReference" || node.type === "imageReference" || node.type === "footnoteReference"
      ? [{ key: keyOf(node), label: node.identifier, line: node.position?.start.line ?? 0, offset: offsetOf(node) }]
      : [],
  );
}

const offsetOf = (node: Nodes) => node.position?.start.offset ?? 0;

/** Addresses and footnotes are named apart: `[1]` and `[^1]`. */
function keyOf({ type, identifier }: { type: string; identifier: string }): string {
  return (type.startsWith("footnote") ? "^" : "") + foldedLabel(identifier);
}
