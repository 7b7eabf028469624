/** Names of properties that pages render as Markdown. */
const KEY = /^(?:description|summary)$/;
const YAML_KEY = /^([ \t]{0,200})(?:- )?["']?(?:description|summary)["']?[ \t]{0,9}:[ \t]{0,99}(\S.*)?$/;
/** Markup in such a text that can hide words. */
const MARKUP = /<|\]:|`{3}/;

/**
 * The removed and added texts of an API description or a part of one, each joined into one Markdown text; null if they
 * contain nothing that can hide words.
 */
export function describedTexts(path: string, before: string, after: string): { before: string; after: string } | null {
  const read = /\.json$/i.test(path) ? textsOfJson : /\.ya?ml$/i.test(path) ? textsOfYaml : null;
  if (read === null || !MARKUP.test(withoutEscapes(after))) return null;
  const old = new Set(read(before));
  const now = new Set(read(after));
  const added = [...now].filter((text) => !old.has(text)).join("\n\n");
  if (!MARKUP.test(added)) return null;
  return { before: [...old].filter((text) => !now.has(text)).join("\n\n"), after: added };
}

function textsOfJson(source: string): string[] {
  const texts: string[] = [];
  try {
    JSON.parse(source, (key, value: unknown) => {
      if (KEY.test(key) && typeof value === "string") texts.push(value);
      return null; // only the texts are needed
    });
  } catch {
    return []; // no reader accepts the file
  }
  return texts;
}

/** Texts of YAML, read line by line: a value and its indented lines. A parser would take a second per megabyte. */
function textsOfYaml(source: string): string[] {
  const texts: string[] = [];
  let text: string[] | null = null;
  let indent = 0;
  const end = () => {
    if (text !== null) texts.push(withoutIndent(text));
    text = null;
  };
  for (const line of withoutEscapes(source).split(/\r?\n/)) {
    if (text !== null && (line.trim() === "" || indentOf(line) > indent)) {
      text.push(line);
      continue;
    }
    end();
    const key = YAML_KEY.exec(line);
    if (key === null) {
      if (line.includes("<")) texts.push(line.trim()); // part of an inline mapping
      continue;
    }
    indent = key[1]!.length;
    text = [value(key[2] ?? "")];
  }
  end();
  return texts;
}

const indentOf = (line: string) => line.length - line.trimStart().length;

/** A text with the printable characters that JSON and YAML write by their code. */
const withoutEscapes = (text: string) =>
  text.replaceAll(/\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U00[\da-fA-F]{6})/g, (escape) => {
    const code = Number.parseInt(escape.slice(2), 16);
    return code < 0x20 || code > 0x10_ff_ff ? escape : String.fromCodePoint(code);
  });

/** The value after a key: without a block indicator, and unquoted. */
function value(written: string): string {
  if (/^[|>][-+\d]{0,2}[ \t]*(?:#.*)?$/.test(written)) return "";
  if (!/^["']/.test(written)) return written;
  return written
    .replace(/^["']|["'][ \t]{0,99}$/g, "")
    .replaceAll(/\\(["nt/\\])/g, (_, mark: string) => (mark === "n" ? "\n" : mark === "t" ? " " : mark));
}

function withoutIndent([first = "", ...rest]: readonly string[]): string {
  const indent = indentOf(rest.find((line) => line.trim() !== "") ?? "");
  return [first, ...rest.map((line) => (indentOf(line) >= indent ? line.slice(indent) : line.trim()))]
    .join("\n")
    .trim();
}
