import type { DialectName } from "#docs/dialect.ts";
import { Fences } from "#docs/fences.ts";
import { linesOf, startOfBody } from "./lines.ts";
import type { Block, Marks } from "./markers.ts";
import { type Rewritten, Rewriter, unchanged } from "./rewriter.ts";

/** Names of admonitions in all tools, with the matching callout. */
export const CALLOUTS: Readonly<Record<string, string>> = {
  note: "Note", seealso: "Note", quote: "Note", cite: "Note", todo: "Note", default: "Note",
  info: "Info", abstract: "Info", summary: "Info", tldr: "Info", question: "Info", help: "Info", faq: "Info",
  important: "Important", example: "Info", idea: "Tip",
  tip: "Tip", hint: "Tip", success: "Check", check: "Check", done: "Check",
  warning: "Warning", warn: "Warning", attention: "Warning", caution: "Warning",
  danger: "Danger", error: "Error", failure: "Error", fail: "Error", missing: "Error", bug: "Error", secondary: "Note",
}; // oxfmt-ignore

/** `caution` differs between tools: Starlight and Docusaurus show a warning, GitHub and VitePress a danger. */
export function calloutNamed(name: string): string | null {
  const key = name.toLowerCase();
  return Object.hasOwn(CALLOUTS, key) ? (CALLOUTS[key] ?? null) : null;
}

/** The title of a callout without one in Docusaurus, VitePress, Starlight and Python-Markdown, by the name of its kind. */
export const titleOfKind = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1);

const HAS_TITLES: ReadonlySet<DialectName> = new Set(["docusaurus", "vitepress", "starlight"]);

const OPENS = /^((?:[ \t]*>)*[ \t]*)(:{3,20})[ \t]*([A-Za-z][\w-]{0,60})([^\n]*)$/;
const CLOSES = /^((?:[ \t]*>)*[ \t]*)(:{3,20})[ \t]*$/;
/** A tab of vitepress-plugin-tabs, in a container `tabs`. */
const TAB = /^((?:[ \t]*>)*[ \t]*)==[ \t]+([^\n]*)$/;

interface OpenContainer {
  name: string;
  /** Infinite for a tab, which ends with the next one. */
  colons: number;
  prefix: string;
}

// Deeper ones are text, as in markdown-it. Each end is looked for among all that are open.
const MAX_NESTED = 100;

/**
 * Reads `:::note[Title]` to `:::` of Docusaurus, Starlight and Fumadocs, and `::: tip Title` of VitePress. Outer containers
 * have more colons than inner ones; an unclosed container ends with its parent.
 */
export function readContainers(source: string, dialect: DialectName, marks: Marks): Rewritten {
  if (!/^(?:[ \t]*>)*[ \t]*:::/m.test(source)) return unchanged(source);
  const text = new Rewriter(source);
  const body = startOfBody(source);
  const fences = new Fences();
  const open: OpenContainer[] = [];
  const closeFrom = (index: number, at: { prefix: string; at: number }) => {
    for (const { name } of open.splice(index).toReversed()) marks.close(text, name, at);
  };
  text.copy(0, body);
  for (const { from, end, next } of linesOf(source, body)) {
    const line = source.slice(from, Math.min(end, from + 2_000));
    const closing = CLOSES.exec(line);
    const outermost = closing ? outermostClosedBy(closing, open) : -1;
    if (closing && outermost !== -1) {
      const fence = fences.end();
      if (fence !== null) text.add(`${closing[1]}${fence}\n`, from);
      closeFrom(outermost, { prefix: closing[1] ?? "", at: from });
      continue;
    }
    if (fences.covers(line)) {
      text.copy(from, next);
      continue;
    }
    if (closing) {
      const index = open.findLastIndex((each) => each.colons <= (closing[2] ?? "").length);
      if (index === -1) text.copy(from, next);
      else closeFrom(index, { prefix: closing[1] ?? "", at: from });
      continue;
    }
    const [tab, inPrefix = "", tabTitle = ""] = TAB.exec(line) ?? [];
    const tabs = tab === undefined ? -1 : open.findLastIndex(({ name }) => name === "Tabs");
    if (tab !== undefined && tabs !== -1) {
      closeFrom(tabs + 1, { prefix: inPrefix, at: from });
      const title: [number, number] = [from + tab.length - tabTitle.length, from + tab.length];
      marks.open(text, { name: "Tab" }, { prefix: inPrefix, at: from, title });
      open.push({ name: "Tab", colons: Infinity, prefix: inPrefix });
      continue;
    }
    const opening = OPENS.exec(line);
    const container = opening && containerOf(opening[3] ?? "", opening[4] ?? "", dialect);
    if (!opening || !container || open.length >= MAX_NESTED) {
      text.copy(from, next);
      continue;
    }
    const [whole, prefix = "", colons = "", , rest = ""] = opening;
    const { title, block } = container;
    const start = from + whole.length - rest.length;
    marks.open(text, block, {
      prefix,
      at: from,
      title: title === null ? null : [start + title[0], start + title[1]],
    });
    open.push({ name: block.name, colons: colons.length, prefix });
  }
  return text.result();
}

/**
 * The outermost container that a line of colons closes; -1 for none. markdown-it and remark look for the end of a container before
 * they read what it contains, so that the end of an inner container with as few colons ends the outer one and code in it, too.
 */
function outermostClosedBy([, prefix = "", colons = ""]: RegExpExecArray, open: readonly OpenContainer[]): number {
  const quotes = (text: string) => text.replaceAll(/[^>]/g, "");
  return open.findIndex((each) => {
    const indent = prefix.length - each.prefix.length;
    return each.colons <= colons.length && indent >= 0 && indent < 4 && quotes(prefix) === quotes(each.prefix);
  });
}

/** `rest` is the text after the name; `title` is the position of the title in it. Null when it is not a container. */
function containerOf(
  name: string,
  rest: string,
  dialect: DialectName,
): { block: Block; title: [start: number, end: number] | null } | null {
  const bracketed = /^\[((?:[^[\]]|\[[^\]]{0,500}\])*)\]/.exec(rest);
  const plain = /^[ \t]+([^{][^{]*?)[ \t]*(?:\{[^}]*\})?[ \t]*$/.exec(rest);
  const found = bracketed?.[1] ?? plain?.[1] ?? "";
  const at = bracketed ? 1 : rest.indexOf(found);
  const title: [number, number] | null = found.trim() === "" ? null : [at, at + found.length];
  const isOpen = /\{[^}]*\bopen\b/.test(rest);
  if (dialect === "vitepress") {
    if (name === "tabs") return { block: { name: "Tabs" }, title: null };
    if (name === "code-group") return { block: { name: "CodeGroup" }, title: null };
    if (name === "raw" || name === "v-pre") return { block: { name: "Fragment" }, title: null };
  }
  if (name === "details") return { block: { name: "Accordion", attributes: isOpen ? [["open", null]] : [] }, title };
  if (name === "steps" && dialect === "fumadocs") return { block: { name: "Steps" }, title: null };
  const callout = dialect === "vitepress" && name === "caution" ? "Danger" : calloutNamed(name);
  const isVitepress = dialect === "vitepress";
  const isUntitled = !HAS_TITLES.has(dialect) || (isVitepress ? /\{[^}]*\bno-title\b/.test(rest) : callout === null);
  // The titles of custom kinds are in the configuration alone.
  const label = callout === null ? (["alert", name] as const) : (["label", titleOfKind(name)] as const);
  const attributes: Block["attributes"] = title !== null || isUntitled ? [] : [label];
  // Custom kinds have a look that only the site's own styles define.
  return { block: { name: callout ?? "Callout", attributes }, title };
}
