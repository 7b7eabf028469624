import { nodesOf } from "#docs/nodes.ts";
import type { Code, Nodes, Root } from "mdast";
import type { DialectName } from "#docs/dialect.ts";
import { readLines } from "#docs/markup/code-meta.ts";
import { unescapedBraces, withoutHiddenLines } from "./mdbook.ts";
import { withoutTwoslash } from "./twoslash.ts";

interface Fence {
  language: string;
  title: string | null;
  /** Docent's own keywords for a block of code: `lines`, `wrap`. */
  flags: Set<string>;
  marks: Record<"highlight" | "focus" | "added" | "removed", Set<number>>;
}

/** Translates a tool's settings for code blocks to those of native pages. */
export function readCode(root: Root, dialect: DialectName): void {
  for (const node of nodesOf(root)) {
    if (node.type === "code") readBlock(node, dialect);
    if (node.type === "inlineCode" && dialect === "gitbook") node.value = unescapedBraces(node.value);
    if (node.type === "mdxJsxFlowElement" && node.name === "CodeBlock") passOn(node);
  }
}

function readBlock(node: Code, dialect: DialectName): void {
  if (dialect === "gitbook") node.value = unescapedBraces(node.value);
  // mdBook: ```rust,ignore
  const language = dialect === "gitbook" ? node.lang?.replaceAll(",", " ") : node.lang;
  const info = [language, node.meta].filter(Boolean).join(" ");
  if (info === "" || info === "mermaid" || info === "math") return;
  const fence = readInfo(info.slice(0, 2_000), dialect);
  if (dialect === "gitbook") node.value = withoutHiddenLines(node.value, { language: fence.language, info });
  if (/\stwoslash\b/.test(info)) node.value = withoutTwoslash(node.value);
  readValue(node, fence, dialect);
  node.lang = fence.language === "" ? null : fence.language;
  const lists = Object.entries(fence.marks).map(([name, lines]) =>
    lines.size === 0 ? "" : `${name}={${[...lines].join(",")}}`,
  );
  const title = fence.title === null || fence.title === "" ? "" : `title="${fence.title.replaceAll('"', "'")}"`;
  const meta = [title, ...lists, ...fence.flags].filter(Boolean).join(" ");
  node.meta = meta === "" ? null : meta;
}

/** Applies the settings of `{% code %}` to the block inside. */
function passOn(element: Extract<Nodes, { type: "mdxJsxFlowElement" }>): void {
  const flags = element.attributes.flatMap((each) =>
    each.type === "mdxJsxAttribute" && each.value === null && /^(?:lines|wrap|expandable)$/.test(each.name)
      ? [each.name]
      : [],
  );
  for (const child of element.children)
    if (child.type === "code") child.meta = [child.meta, ...flags].filter(Boolean).join(" ");
}

const WORD =
  /([\w:.-]+)=(?:"([^"]*)"|'([^']*)'|\{([^}]*)\}|([^\s{}]+))|\{([^}]*)\}|\[([^\]]*)\]|"[^"]*"|'[^']*'|\/(?:[^/\s]|\\\/)+\/|(\S+)/g;

function readInfo(info: string, dialect: DialectName): Fence {
  const fence: Fence = {
    language: "",
    title: null,
    flags: new Set(),
    marks: { highlight: new Set(), focus: new Set(), added: new Set(), removed: new Set() },
  };
  // ``` { .yaml title="x" } of Python-Markdown, and ```ts:line-numbers{4} of VitePress.
  const bare = dialect === "mkdocs" ? info.replace(/^\{\s*/, "").replace(/\s*\}$/, "") : info;
  const language = /^\.?([^\s{}[\]=:"']+)(?![\w-]*=)/.exec(bare);
  if (language) fence.language = (language[1] ?? "").replace(/-vue$/, "");
  for (const match of bare.slice(language?.[0].length ?? 0).matchAll(WORD)) {
    const [, key, double, single, braces, plain, lines, brackets, word] = match;
    const value = double ?? single ?? braces ?? plain ?? "";
    if (key !== undefined)
      readOption(fence, key.replace(/^:/, "").toLowerCase(), { value, isLines: braces !== undefined });
    else if (lines !== undefined) add(fence.marks.highlight, lines);
    else if (brackets !== undefined && dialect === "vitepress") fence.title ??= brackets.replace(/~.*~$/, "").trim();
    else if (word !== undefined) readFlag(fence, word.toLowerCase());
  }
  return fence;
}

function readOption(fence: Fence, name: string, { value, isLines }: { value: string; isLines: boolean }): void {
  if (name === "title" || name === "filename" || name === "tab") fence.title ??= value;
  else if (name === "hl_lines" || ((name === "mark" || name === "highlight") && isLines))
    add(fence.marks.highlight, value);
  else if (name === "ins" && isLines) add(fence.marks.added, value);
  else if (name === "del" && isLines) add(fence.marks.removed, value);
  else if (name === "focus" && isLines) add(fence.marks.focus, value);
  else if (name === "lang" && fence.language === "diff") fence.language = `diff ${value}`;
  else if (!/^(?:false|0)$/.test(value) || isLines) readFlag(fence, name);
}

function readFlag(fence: Fence, name: string): void {
  if (/^:?(?:lines|showlinenumbers|line-?numbers|linenums|numberlines)$/.test(name)) fence.flags.add("lines");
  else if (name === "wrap" || name === "word-wrap") fence.flags.add("wrap");
  else if (name === "expandable") fence.flags.add(name);
}

function add(marks: Set<number>, lines: string): void {
  for (const line of readLines(lines)) if (marks.size < 10_000) marks.add(line);
}

const COMMENT = String.raw`^[ \t]*(?:\/\/|\/\*|\{\/\*|#|<!--|--|%|;|\(\*)[ \t]*`;
const NOTE = new RegExp(
  `${COMMENT}(highlight|focus|error|highlight-error)-(next-line|start|end)[ \\t]*(?:\\*\\/\\}?|-->|\\*\\))?[ \\t]*$`,
);
const FILE_NAME = new RegExp(
  `${COMMENT}((?:[\\w@.[\\]-]{1,60}/){0,12}[\\w@.[\\]-]{1,60}\\.[a-z]{1,8})[ \\t]*(?:\\*\\/|-->)?[ \\t]*$`,
  "i",
);
/** Longer lines are data. */
const MAX_LINE = 2_000;
const WORD_NOTE = /[ \t]*(?:\/\/|#|\/\*|<!--)[ \t]*\[!code word:[^\]]{1,200}\][ \t]*(?:-->|\*\/)?[ \t]*$/;

/** Reads settings inside the code itself: comments that mark lines, the name of the file, diff signs. */
function readValue(node: Code, fence: Fence, dialect: DialectName): void {
  const [kind, inside] = fence.language.split(" ");
  if (inside !== undefined) fence.language = kind === "diff" ? inside : fence.language;
  let lines = node.value.split("\n");
  if (kind === "diff" && inside !== undefined) {
    for (const [index, line] of lines.entries()) {
      if (line.startsWith("+")) fence.marks.added.add(index + 1);
      else if (line.startsWith("-")) fence.marks.removed.add(index + 1);
    }
    lines = lines.map((line) => (/^[-+ ]/.test(line) ? line.slice(1) : line));
  }
  if (dialect === "starlight" && fence.title === null) {
    // In a block of Markdown, the comment of an inner block is no name.
    const isText = /^(?:md|mdx|markdown)$/.test(fence.language);
    const isName = (line: string) => (isText ? /\.(?:md|mdx|markdown)\b/.test(line) : true) && FILE_NAME.test(line);
    const name = lines.slice(0, 4).findIndex(isName);
    if (name !== -1) {
      fence.title = FILE_NAME.exec(lines[name] ?? "")?.[1] ?? null;
      lines.splice(name, 1);
      const isEmptyHead = /^(?:---|\+\+\+)$/.test(lines[name - 1] ?? "") && lines[name] === lines[name - 1];
      if (isEmptyHead) lines.splice(name - 1, 2);
      const after = isEmptyHead ? name - 1 : name;
      if (lines[after]?.trim() === "") lines.splice(after, 1);
    }
  }
  if (dialect === "docusaurus") lines = withoutNotes(lines, fence);
  if (node.value.includes("[!code word:"))
    lines = lines.map((line) => (line.length > MAX_LINE ? line : line.replace(WORD_NOTE, "")));
  node.value = lines.join("\n");
}

function withoutNotes(lines: readonly string[], { marks }: Fence): string[] {
  const kept: string[] = [];
  const started = new Set<string>();
  const next = new Set<string>();
  for (const line of lines) {
    const [, kind = "", place] = NOTE.exec(line) ?? [];
    if (place === "start") started.add(kind);
    else if (place === "end") started.delete(kind);
    else if (place === "next-line") next.add(kind);
    else {
      kept.push(line);
      const kinds = new Set([...started, ...next]);
      if (kinds.has("focus")) marks.focus.add(kept.length);
      if (kinds.has("highlight") || kinds.has("error") || kinds.has("highlight-error"))
        marks.highlight.add(kept.length);
      next.clear();
    }
  }
  return kept;
}
