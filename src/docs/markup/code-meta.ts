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
const FLAGS = new Set([
  "lines",
  "wrap",
  "expandable",
  "twoslash",
  "showlinenumbers",
  "nocopy",
  "copy",
  "icon",
  "theme",
  "word-wrap",
]);

export function parseCodeMeta(meta: string): CodeMeta {
  let highlighted = new Set<number>();
  let focused = new Set<number>();
  let added = new Set<number>();
  let removed = new Set<number>();
  const flags = new Set<string>();
  const words: string[] = [];
  let title: string | null = null;
  for (const match of meta
    .slice(0, 1_000)
    .matchAll(/([\w-]+)=(?:"([^"]*)"|'([^']*)'|\{([^}]*)\}|(\S+))|\{([\d\s,-]*)\}|(\S+)/g)) {
    const [, key, double, single, braces, bare, lines, word] = match;
    if (lines !== undefined) highlighted = readLines(lines);
    else if (key !== undefined) {
      const value = double ?? single ?? braces ?? bare ?? "";
      const name = key.toLowerCase();
      if (name === "title" || name === "filename" || name === "file" || name === "name") title = value;
      else if (name === "highlight" || name === "hl_lines" || name === "hl") highlighted = readLines(value);
      else if (name === "focus") focused = readLines(value);
      else if (name === "added") added = readLines(value);
      else if (name === "removed") removed = readLines(value);
      else if (!/^(?:false|0)$/.test(value)) flags.add(name);
    } else if (word !== undefined) {
      if (FLAGS.has(word.toLowerCase())) flags.add(word.toLowerCase());
      else words.push(word);
    }
  }
  const bareTitle = words.join(" ").replace(/^(["'])(.*)\1$/, "$2");
  return {
    title: title ?? (bareTitle === "" ? null : bareTitle),
    highlighted,
    focused,
    added,
    removed,
    lineNumbers: flags.has("lines") || flags.has("showlinenumbers"),
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
