import { stripVTControlCharacters } from "node:util";
import type { CodeSource } from "#docs/components/component-printer.ts";
import { trimEndOf } from "#lib/trim.ts";
import { type CodeMeta, parseCodeMeta } from "#docs/markup/code-meta.ts";
import { printFormula } from "./formulas/print-formula.ts";
import type { CodeToken } from "./highlighter.ts";
import { attributes, escapeHtml } from "#docs/markup/html.ts";
import type { Printer } from "./printer.ts";

type LineMark = "highlight" | "focus" | "added" | "removed" | "error" | "warning";

const MARKS: Record<string, LineMark> = {
  highlight: "highlight",
  hl: "highlight",
  focus: "focus",
  "++": "added",
  add: "added",
  "--": "removed",
  remove: "removed",
  error: "error",
  warning: "warning",
};

/** A block of code with its title, marks and colors. Mermaid stays source, which the site's script draws. */
export function printCode(
  { code, language, meta, line = null }: CodeSource,
  printer: Printer,
  options: { title?: string | null; id?: string | null } = {},
): string {
  if (language.toLowerCase() === "mermaid") {
    return printer.diagram(code, { line, id: options.id ?? null });
  }
  if (language.toLowerCase() === "math") return printFormula({ tex: code, display: true }, printer, line);
  const parsed = parseCodeMeta(meta);
  const title = options.title === undefined ? parsed.title : options.title;
  // The colors of a terminal are left out.
  const text = language.toLowerCase() === "ansi" ? stripVTControlCharacters(code) : code;
  const { lines, marks } = takeMarks(text, parsed);
  const tokens = printer.options.highlighter.tokens(lines.join("\n"), language);
  const body = lines.map((line, index) => printLine(tokens?.[index] ?? null, line, marks.get(index + 1))).join("\n");
  const hasFocus = [...marks.values()].some((mark) => mark.has("focus"));
  const classes = [
    "code",
    parsed.lineNumbers && "code-numbered",
    parsed.wrap && "code-wrap",
    hasFocus && "code-focused",
  ];
  const name = /^[\w+#.-]{1,40}$/.test(language) ? language.toLowerCase() : null;
  const pre = `<pre${attributes({ class: classes.filter(Boolean).join(" "), tabindex: 0 })}><code${attributes({ class: name === null ? null : `language-${name}` })}>${body}</code></pre>`;
  const head = title === null ? "" : `<figcaption class="code-title">${escapeHtml(title)}</figcaption>`;
  const copy = `<button class="code-copy" type="button" data-copy hidden>${printer.language.words.copy}</button>`;
  const shown =
    parsed.expandable && lines.length > 12
      ? `<details class="code-expandable"><summary>${printer.language.counted(printer.language.words.showAllLines, lines.length)}</summary>${pre}</details>`
      : pre;
  return `<figure class="code-block"${attributes({ "data-language": name, id: options.id })}>${head}${copy}${shown}</figure>\n`;
}

/** Marks by line number, from the fence's `{1,3}` and from comments such as `// [!code ++]`, which are removed. */
function takeMarks(code: string, meta: CodeMeta): { lines: string[]; marks: Map<number, Set<LineMark>> } {
  const marks = new Map<number, Set<LineMark>>();
  const mark = (line: number, kind: LineMark) => marks.set(line, (marks.get(line) ?? new Set()).add(kind));
  for (const line of meta.highlighted) mark(line, "highlight");
  for (const line of meta.focused) mark(line, "focus");
  for (const line of meta.added) mark(line, "added");
  for (const line of meta.removed) mark(line, "removed");
  const lines = code.split(/\r\n|\n|\r/);
  if (!code.includes("[!code")) return { lines, marks };
  return {
    marks,
    lines: lines.map((line, index) => {
      const note =
        /(?:\/\/|#|--|<!--|\/\*|\{\/\*|;|%)[ \t]*\[!code ([a-z]{2,9}|\+\+|--)(?::(\d{1,4}))?\][ \t]*(?:-->|\*\/\}?)?$/.exec(
          trimEndOf(line, " \t"),
        );
      const kind = MARKS[note?.[1] ?? ""];
      if (!note || kind === undefined) return line;
      for (let offset = 0; offset < Math.min(Number(note[2] ?? 1), 200); offset += 1) mark(index + 1 + offset, kind);
      return trimEndOf(line.slice(0, note.index), " \t");
    }),
  };
}

function printLine(tokens: CodeToken[] | null, line: string, marks: ReadonlySet<LineMark> | undefined): string {
  const content = tokens === null ? escapeHtml(line) : tokens.map(printToken).join("");
  const classes = ["line", ...(marks ? [...marks].map((mark) => `line-${mark}`) : [])];
  return `<span class="${classes.join(" ")}">${content}</span>`;
}

function printToken({ text, name }: CodeToken): string {
  return name === null ? escapeHtml(text) : `<span class="token-${name}">${escapeHtml(text)}</span>`;
}
