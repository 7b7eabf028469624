/** The kind of a piece of a page, by whether an edit may touch it. */
export type PieceKind =
  | "mark" // fences, list markers, brackets, tags without their values: the page's structure
  | "text"
  | "heading"
  | "code"
  | "comment"
  | "program" // imports, exports, expressions
  | "address"
  | "alt"
  | "value" // an attribute of a component; `key` is its name
  | "front matter"; // an entry with all of its lines; `key` is its name, "" for comments

/** A piece of a page's source. All pieces concatenated are the page byte for byte. */
export interface Piece {
  kind: PieceKind;
  text: string;
  key: string;
}

/**
 * Splits a page into pieces with regular expressions only, sharing no code with the chores and their parser, so that
 * tests can check what a chore changed. It supports the output of `arbitraryRepository`, and is not a Markdown parser.
 */
export function lexPage(source: string, format: "md" | "mdx"): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const push = (kind: PieceKind, text: string, key = "") => {
    const last = pieces.at(-1);
    if (last?.kind === kind && last.key === key && /^(?:text|heading|mark)$/.test(kind)) last.text += text;
    else if (text !== "") pieces.push({ kind, text, key });
    at += text.length;
  };

  const head = /^\uFEFF?---[ \t]*\r?\n([^]*?)^---[ \t]*(?:\r?\n|$)/m.exec(source);
  if (head !== null && head.index === 0) {
    const [block, yaml = ""] = head;
    const open = block.indexOf("\n") + 1;
    push("mark", block.slice(0, open));
    for (const { key, text } of frontMatterEntries(yaml)) push("front matter", text, key);
    push("mark", block.slice(open + yaml.length));
  }
  let isHeading = false;
  while (at < source.length) {
    const isLineStart = at === 0 || source[at - 1] === "\n" || source[at - 1] === "\uFEFF";
    if (isLineStart) isHeading = false;
    const token = (isLineStart ? lineToken(source, at, format) : null) ?? inlineToken(source, at, format);
    if (token === null) {
      push(isHeading ? "heading" : "text", source[at] ?? "");
      continue;
    }
    if (token[0]?.kind === "mark" && /^#{1,6} /.test(token[0].text)) isHeading = true;
    for (const { kind, text, key } of token) push(kind, text, key);
  }
  return pieces;
}

function frontMatterEntries(yaml: string): { key: string; text: string }[] {
  const entries: { key: string; text: string }[] = [];
  for (const line of yaml.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const name = /^(?:"([^"]+)"|'([^']+)'|([\w:.-]+))[ \t]*:(?=\s|$)/.exec(line);
    const last = entries.at(-1);
    if (name !== null) entries.push({ key: name[1] ?? name[2] ?? name[3] ?? "", text: line });
    else if (line.startsWith("#") || last === undefined) entries.push({ key: "", text: line });
    else last.text += line;
  }
  return entries;
}

const piece = (kind: PieceKind, text = "", key = ""): Piece => ({ kind, text, key });

/** Tokens that occur only at the start of a line. */
function lineToken(source: string, at: number, format: "md" | "mdx"): Piece[] | null {
  const rest = source.slice(at);
  const fence = /^[ \t]*(`{3,}|~{3,})[^\n]*\n(?:[^]*?\n)??[ \t]*\1[ \t]*(?:\r?\n|$)/.exec(rest);
  if (fence) return [piece("code", fence[0])];
  if (format === "mdx") {
    const program = /^(?:import|export)\s[^]*?(?:\r?\n(?=\s*\r?\n)|$)/.exec(rest);
    if (program) return [piece("program", program[0])];
  } else {
    const indented = /^ {4}\S[^\n]*(?:\n|$)/.exec(rest);
    if (indented && /\n[ \t]*\r?\n$/.test(source.slice(0, at))) return [piece("code", indented[0])];
  }
  const mark = /^(?:#{1,6} |[ \t]*(?:[-*+]|\d+[.)]) (?:\[[ x]\] )?|[ \t]*> ?|[ \t]*\|[ |:-]*\|[ \t]*(?=\r?\n))/.exec(
    rest,
  );
  if (mark) return [piece("mark", mark[0])];
  const definition = /^(\[[^\]\n]+\]:[ \t]*)(\S+)/.exec(rest);
  return definition ? [piece("mark", definition[1]), piece("address", definition[2])] : null;
}

function inlineToken(source: string, at: number, format: "md" | "mdx"): Piece[] | null {
  const rest = source.slice(at, at + 4_000);
  const simple: [PieceKind, RegExp][] = [
    ["comment", /^(?:<!--[^]*?-->|\{\/\*[^]*?\*\/\})/],
    ["code", /^(`+)(?!`)[^]*?[^`]\1(?!`)/],
    ["code", /^<(code|pre|script|style)\b[^]*?<\/\1>/],
    ["address", /^(?:https?:\/\/[^\s)>\]"']+|[\w.-]+@[\w-]+\.\w+|(?:\.{0,2}|~)\/[\w./-]+)/],
    ["address", format === "md" ? /^\{#[^}\n]*\}/ : /^\\\{#[^}\n]*\}/],
  ];
  if (format === "mdx") simple.push(["program", /^\{[^{}]*\}/]);
  for (const [kind, expression] of simple) {
    const isInWord = kind === "address" && /[\w./]/.test(source[at - 1] ?? "");
    const found = isInWord ? null : expression.exec(rest);
    if (found) return [piece(kind, found[0])];
  }
  const image = /^!\[([^\]\n]*)\]\(([^\s)]+)/.exec(rest);
  if (image) return [piece("mark", "!["), piece("alt", image[1]), piece("mark", "]("), piece("address", image[2])];
  const target = /^\]\(([^\s)]+)/.exec(rest);
  if (target) return [piece("mark", "]("), piece("address", target[1])];
  const tag = /^<\/?[A-Za-z][\w.]*(?:\s+[\w:-]+(?:=(?:"[^"]*"|'[^']*'|\{[^{}]*\}))?)*\s*\/?>/.exec(rest);
  return tag ? tagPieces(tag[0]) : null;
}

function tagPieces(tag: string): Piece[] {
  const pieces: Piece[] = [];
  let last = 0;
  for (const match of tag.matchAll(/([\w:-]+)=("[^"]*"|'[^']*'|\{[^{}]*\})/g)) {
    const [whole, key = "", value = ""] = match;
    const start = match.index + whole.length - value.length;
    pieces.push(
      piece("mark", tag.slice(last, start)),
      piece(/^(?:href|src)$/.test(key) ? "address" : "value", value, key),
    );
    last = match.index + whole.length;
  }
  return [...pieces, piece("mark", tag.slice(last))];
}
