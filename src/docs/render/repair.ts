import { createLineIndex } from "#lib/line-index.ts";
import { isVoidTag } from "#docs/markup/allowed-html.ts";

export interface SyntaxProblem {
  message: string;
  line: number | null;
  column?: number | null;
}

interface Repair {
  source: string;
  line: number;
  what: string;
  /** Readers see what it stands for as it is written. */
  isShown: boolean;
}

/**
 * One step towards a page that parses: what the parser stumbled over is turned into text or into what was meant
 * (`<!-- -->`, `<https://…>`, `<br>`). No line is added or removed. Null when there is nothing left to try.
 */
export function repairOnce(source: string, problem: SyntaxProblem): Repair | null {
  if (problem.line === null) return null;
  const lineStart = offsetOfLine(source, problem.line);
  const offset = lineStart + Math.max(0, (problem.column ?? 1) - 1);
  const unclosed = /Expected a closing tag for `<([^>`]*)>` \((\d+):(\d+)/.exec(problem.message);
  if (unclosed) {
    const [, name = "", line, column] = unclosed;
    const start = offsetOfLine(source, Number(line)) + Number(column) - 1;
    if (source[start] === "<") return closeOrEscape(source, start, name);
  }
  const at = offendingOffset(source, offset, lineStart);
  return at === null ? null : repairAt(source, at);
}

function closeOrEscape(source: string, start: number, name: string): Repair | null {
  const end = isVoidTag(name) ? source.indexOf(">", start) : -1;
  if (end === -1 || source[end - 1] === "/") return repairAt(source, start);
  return {
    source: `${source.slice(0, end)}/${source.slice(end)}`,
    line: createLineIndex(source)(start),
    what: `<${name}> is closed`,
    isShown: false,
  };
}

function repairAt(source: string, at: number): Repair {
  const line = createLineIndex(source)(at);
  const rest = source.slice(at, at + 2_000);
  const replace = (length: number, text: string, what: string, isShown = false) => ({
    source: source.slice(0, at) + text + source.slice(at + length),
    line,
    what,
    isShown,
  });
  if (rest.startsWith("<!--")) {
    const end = source.indexOf("-->", at + 4);
    if (end !== -1) {
      const comment = source.slice(at + 4, end).replaceAll("*/", "* /");
      return replace(end + 3 - at, `{/*${comment}*/}`, "an HTML comment is read as a comment");
    }
  }
  const link = /^<((?:https?:\/\/|mailto:)[^\s<>]{1,1000}|[\w.+-]{1,64}@[\w.-]{1,200})>/.exec(rest);
  if (link) {
    const [whole, target = ""] = link;
    const url = /^(?:https?|mailto):/.test(target) ? target : `mailto:${target}`;
    const label = target.replace(/[\\[\]{}<>*_`]/g, String.raw`\$&`);
    return replace(
      whole.length,
      `[${label}](${url.replace(/[()\\{}]/g, encodeURIComponent)})`,
      `<${target}> is read as a link`,
    );
  }
  // What MDX takes for an expression; the way in which other generators write it is read once the brace is escaped.
  const anchor = /^\{#[\w\-.:\u0080-\uFFFF]{1,200}\}(?=[ \t]*\r?$)/m.exec(rest)?.[0];
  if (anchor !== undefined && /^ {0,3}#{1,6}[ \t]/.test(source.slice(source.lastIndexOf("\n", at) + 1, at)))
    return replace(0, "\\", `${anchor} is read as the anchor of its heading`);
  const tag = /^<\/?([a-z]+)\s*>/.exec(rest);
  if (tag?.[1] !== undefined && isVoidTag(tag[1]))
    return replace(tag[0].length, `<${tag[1]}/>`, `<${tag[1]}> is closed`);
  const shown = rest.split("\n", 1)[0]?.slice(0, 40) ?? "";
  return replace(0, "\\", `"${shown}" is shown as text`, true);
}

/** The brace or angle bracket that the parser means: at its position, before it, or else later in its line. */
function offendingOffset(source: string, offset: number, lineStart: number): number | null {
  if (isOpen(source, offset)) return offset;
  for (let at = Math.min(offset, source.length) - 1; at >= Math.max(0, offset - 20_000); at -= 1)
    if (isOpen(source, at)) return at;
  const lineEnd = source.indexOf("\n", lineStart);
  for (let at = offset; at < (lineEnd === -1 ? source.length : lineEnd); at += 1) if (isOpen(source, at)) return at;
  return null;
}

function isOpen(source: string, at: number): boolean {
  if (source[at] !== "{" && source[at] !== "<") return false;
  let backslashes = 0;
  while (source[at - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 0;
}

function offsetOfLine(source: string, line: number): number {
  let offset = 0;
  for (let current = 1; current < line; current += 1) {
    const end = source.indexOf("\n", offset);
    if (end === -1) return source.length;
    offset = end + 1;
  }
  return offset;
}
