/** The text after the language of a code fence: ```` ```ts src/app.ts {1,3-5} lines wrap ````. */
export interface CodeMeta {
  title: string | null;
  /** Lines from 1. */
  highlighted: ReadonlySet<number>;
  focused: ReadonlySet<number>;
  added: ReadonlySet<number>;
  removed: ReadonlySet<number>;
  lineNumbers: boolean;
  wrap: boolean;
  expandable: boolean;
}

const MAX_LINE = 100_000;
/** Words without a value. They are options only as written here, and only after the title, which may contain any of them. */
const FLAGS = new Set(["lines", "wrap", "expandable", "twoslash", "showLineNumbers", "nocopy", "word-wrap"]);
const LINES: Readonly<Record<string, "highlighted" | "focused" | "added" | "removed">> = {
  highlight: "highlighted",
  hl_lines: "highlighted",
  hl: "highlighted",
  focus: "focused",
  added: "added",
  removed: "removed",
};
const TITLES = new Set(["title", "filename", "file", "name"]);
/** Options with a value that only other renderers know: `icon="java"`. */
const IGNORED = new Set(["icon", "theme", "copy"]);

const TOKEN = /([\w-]+)=(?:"([^"]*)"|'([^']*)'|\{([^}]*)\}|(\S+))|\{([\d\s,-]*)\}|"([^"]*)"(?!\S)|'([^']*)'(?!\S)|\S+/g;

export function parseCodeMeta(meta: string): CodeMeta {
  const marks = {
    highlighted: new Set<number>(),
    focused: new Set<number>(),
    added: new Set<number>(),
    removed: new Set<number>(),
  };
  const flags = new Set<string>();
  const words: string[] = [];
  let title: string | null = null;
  /** The first word without its quotes. */
  let quoted: string | null = null;
  for (const match of meta.slice(0, 1_000).matchAll(TOKEN)) {
    const [token, key, double, single, braces, bare, lines, doubleQuoted, singleQuoted] = match;
    const value = double ?? single ?? braces ?? bare ?? "";
    const list = LINES[key ?? ""];
    if (lines !== undefined) marks.highlighted = readLines(lines);
    else if (list !== undefined) marks[list] = readLines(value);
    else if (key !== undefined && TITLES.has(key)) title = value;
    else if (key !== undefined && FLAGS.has(key)) {
      if (!/^(?:false|0)$/.test(value)) flags.add(key);
    } else if (key === undefined || !IGNORED.has(key)) {
      if (words.length === 0) quoted = doubleQuoted ?? singleQuoted ?? null;
      words.push(token);
    }
  }
  // Mintlify writes this one before the title: `ts twoslash Twoslash example`.
  if (words[0] === "twoslash") words.shift();
  while (FLAGS.has(words.at(-1) ?? "")) flags.add(words.pop() ?? "");
  const bareTitle = words.length === 1 && quoted !== null ? quoted : words.join(" ");
  return {
    title: title ?? (bareTitle === "" ? null : bareTitle),
    ...marks,
    lineNumbers: flags.has("lines") || flags.has("showLineNumbers"),
    wrap: flags.has("wrap"),
    expandable: flags.has("expandable"),
  };
}

/** `1,3-5` or `[1, 3-5]`. */
export function readLines(text: string): Set<number> {
  const lines = new Set<number>();
  for (const part of text.matchAll(/(\d{1,6})(?:\s*-\s*(\d{1,6}))?/g)) {
    const first = Number(part[1]);
    const last = Math.min(Number(part[2] ?? part[1]), MAX_LINE);
    for (let line = first; line <= last && lines.size < 10_000; line += 1) lines.add(line);
  }
  return lines;
}
