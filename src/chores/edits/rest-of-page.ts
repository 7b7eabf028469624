import type { Definition, FootnoteDefinition, Nodes, Root } from "mdast";
import { formulasIn } from "#docs/render/formulas/mark-formulas.ts";
import { AppError } from "#lib/app-error.ts";
import { nodesOf } from "#docs/nodes.ts";
import { foldedLabel, nodeText } from "./markdown-text.ts";
import type { TextEdit } from "./page-edits.ts";
import { unpairedTags } from "./sections.ts";

/** A page's text and its syntax tree. */
interface ParsedPage {
  source: string;
  root: Root;
}

/** Blocks that readers recognize as such. Two lists may be merged, because their items stay the same. */
const BLOCKS = /^(?:heading|paragraph|code|table|html|thematicBreak|blockquote|mdxJsxFlowElement)$/;
const REFERENCES = /^(?:link|image|footnote)Reference$/;
const MAX_SHOWN = 60;

/**
 * Throws `AppError invalid` unless the rest of the page reads the same after an edit: every block outside the edit is still
 * the same block, every reference has the same target, every name in use is defined, and no tag lost its counterpart.
 */
export function refuseChangedRest(before: ParsedPage, after: ParsedPage, edit: TextEdit): void {
  refuseLostDefinitions(before, after, edit);
  refuseLostNames(before.root, after.root);
  if (edit.text.trim() !== "") refuseOpenText(after, edit);
  refuseCutTags(before, after, edit);
  const editEnd = edit.start + edit.text.length;
  const now = new Set(blocksOutside(after.root, { start: edit.start, end: editEnd, shift: 0 }).map(({ key }) => key));
  const was = blocksOutside(before.root, { start: edit.start, end: edit.end, shift: editEnd - edit.end });
  const lost = was.find(({ key }) => !now.has(key));
  if (lost === undefined) return;
  const words = (nodeText(lost.node) ?? "").replaceAll(/\s+/g, " ").slice(0, MAX_SHOWN);
  throw new AppError(
    "invalid",
    `Line ${lineOf(lost.node)}${words === "" ? "" : ` (“${words}”)`} would be read as something else then: a block of the text has no end, or the section is in a quote or a list. Close it, or edit the page by hand.`,
  );
}

/** The blocks outside an edit, with a key of what each is, its parents, and its start after the edit. */
function blocksOutside(
  root: Root,
  { start, end, shift }: { start: number; end: number; shift: number },
): { node: Nodes; key: string }[] {
  const found: { node: Nodes; key: string }[] = [];
  const visit = (node: Nodes, within: string): void => {
    const [from, to] = [startOf(node), endOf(node)];
    const isTouched = (to > start && from < end) || (start === end && from < start && to > start);
    const depth = node.type === "heading" ? node.depth : "";
    if (BLOCKS.test(node.type) && !isTouched)
      found.push({ node, key: `${within}:${node.type}${depth}:${from >= end ? from + shift : from}` });
    if (!("children" in node) || node.type === "paragraph" || node.type === "heading") return;
    for (const child of node.children) visit(child, node.type === "root" ? "" : `${within}>${node.type}`);
  };
  visit(root, "");
  return found;
}

/** Refuses a code block or a formula that the text does not close: it would include the text after it. */
function refuseOpenText({ source, root }: ParsedPage, { start, text }: TextEdit): void {
  const end = start + text.length;
  const nodes = [...nodesOf(root)];
  const holder = nodes.find(
    (node) => /^(?:code|html)$/.test(node.type) && startOf(node) < start && endOf(node) > start + 1,
  );
  if (holder) throw new AppError("invalid", `The page leaves a block open on line ${lineOf(holder)}. Close it first.`);
  if (nodes.some((node) => node.type === "code" && startOf(node) >= start && startOf(node) < end && endOf(node) > end))
    throw new AppError("invalid", "The text leaves a code block open. Give the block its end.");
  if (formulasIn(source, "none").some((each) => !each.isSingle && each.start < end && each.end > end))
    throw new AppError("invalid", "A formula that begins with $$ has no end, here or above. Close it first.");
}

/** Refuses HTML tags that open in the edited lines and close outside them, or the other way round. MDX has elements instead. */
function refuseCutTags(before: ParsedPage, after: ParsedPage, edit: TextEdit): void {
  const tagsIn = ({ root }: ParsedPage, start: number, end: number) =>
    unpairedTags(
      [...nodesOf(root)].map((node) =>
        node.type === "html" && startOf(node) >= start && endOf(node) <= end ? node.value : null,
      ),
    ).map(({ tag }) => tag);
  const was = tagsIn(before, edit.start, edit.end);
  const is = tagsIn(after, edit.start, edit.start + edit.text.length);
  const tag = [...was, ...is].find((one) => !(was.includes(one) && is.includes(one)));
  if (tag !== undefined)
    throw new AppError("invalid", `“${tag}” has its other half outside of the section. Edit these lines by hand.`);
}

/**
 * Without its definition `[webhook]` is words in brackets, and with another one it gets another target: of two definitions
 * the first applies (CommonMark 0.31, 4.7). A text may redefine what it replaces.
 */
function refuseLostDefinitions(before: ParsedPage, after: ParsedPage, edit: TextEdit): void {
  const [was, is] = [definitionsOf(before), definitionsOf(after)];
  const isInside = (offset: number, end: number) => offset >= edit.start && offset < end;
  const editEnd = edit.start + edit.text.length;
  const references = new Set(referencesIn(after.root).map((node) => `${keyOf(node)}\n${startOf(node)}`));
  for (const node of referencesIn(before.root)) {
    const key = keyOf(node);
    const old = was.get(key);
    const offset = startOf(node);
    if (isInside(offset, edit.end) || old === undefined) continue;
    const moved = offset < edit.start ? offset : offset + editEnd - edit.end;
    const now = references.has(`${key}\n${moved}`) ? is.get(key) : undefined;
    const wasInside = isInside(old.offset, edit.end);
    if (now !== undefined && (now.content === old.content || (wasInside && isInside(now.offset, editEnd)))) continue;
    const label = `“${node.identifier}”`;
    const line = lineOf(node);
    const message = wasInside
      ? `The section defines ${label}, which line ${line} outside of it needs${now ? ", and the page defines it again otherwise" : ""}. Move that definition first.`
      : now
        ? `The text defines ${label}, which the page defines already and line ${line} needs. Give it another name.`
        : `The text would take ${label} from the page, which line ${line} outside of it needs.`;
    throw new AppError("invalid", message);
  }
}

/** The first definition of each label. */
function definitionsOf({ source, root }: ParsedPage): Map<string, { offset: number; content: string }> {
  const found = new Map<string, { offset: number; content: string }>();
  for (const node of nodesOf(root)) {
    if (node.type !== "definition" && node.type !== "footnoteDefinition") continue;
    const key = keyOf(node);
    if (!found.has(key)) found.set(key, { offset: startOf(node), content: contentOf(node, source) });
  }
  return found;
}

const contentOf = (node: Definition | FootnoteDefinition, source: string): string =>
  node.type === "definition"
    ? JSON.stringify([node.url, node.title ?? null])
    : source.slice(startOf(node), endOf(node)).trim();

type Reference = Extract<Nodes, { type: "linkReference" | "imageReference" | "footnoteReference" }>;

const referencesIn = (root: Root): Reference[] =>
  [...nodesOf(root)].filter((node): node is Reference => REFERENCES.test(node.type));

/** Addresses and footnotes have separate names: `[1]` and `[^1]`. */
const keyOf = ({ type, identifier }: { type: string; identifier: string }): string =>
  (type.startsWith("footnote") ? "^" : "") + foldedLabel(identifier);

const EXPORTED = /\bexport (?:const|let|var|async function|function|function\*|class) ([\w$]+|[[{][^=\]}]*)/g;
const NO_NAMES: ReadonlySet<string> = new Set(["import", "type", "as", "default"]);

/** Refuses to remove an MDX import or export that the page still uses. */
function refuseLostNames(before: Root, after: Root): void {
  const nodes = [...nodesOf(after)];
  const defined = new Set(nodes.flatMap(namesDefinedBy));
  const lost = [...nodesOf(before)].flatMap(namesDefinedBy).filter((name) => !defined.has(name));
  const used = lost.find((name) => nodes.some((node) => uses(node, name)));
  if (used !== undefined)
    throw new AppError(
      "invalid",
      `The section defines “${used}”, which the rest of the page uses. Move that line first.`,
    );
}

function namesDefinedBy(node: Nodes): string[] {
  if (node.type !== "mdxjsEsm") return [];
  const exported = [...node.value.matchAll(EXPORTED)].map(([, name = ""]) => name);
  const imported = node.value
    .split("import")
    .slice(1)
    .map((statement) => statement.slice(0, Math.max(0, statement.indexOf("from"))));
  return [...exported, ...imported]
    .flatMap((names) => names.match(/[\w$]+/g) ?? [])
    .filter((name) => !NO_NAMES.has(name));
}

function uses(node: Nodes, name: string): boolean {
  const isNamed = (text: string) => text.split(/[^\w$]+/).includes(name);
  if ("value" in node && node.type.startsWith("mdx")) return isNamed(node.value);
  if (node.type !== "mdxJsxFlowElement" && node.type !== "mdxJsxTextElement") return false;
  return (node.name ?? "").split(".")[0] === name || isNamed(JSON.stringify(node.attributes.map(({ value }) => value)));
}

const startOf = (node: Nodes): number => node.position?.start.offset ?? 0;
const endOf = (node: Nodes): number => node.position?.end.offset ?? 0;
const lineOf = (node: Nodes): number => node.position?.start.line ?? 0;
