const MAX_LINES = 20_000;

/** The strings of a `book.toml` by their full name, `book.title`: tables, and keys with a quoted value. The rest is ignored. */
export function readBookToml(text: string): Map<string, string> {
  const values = new Map<string, string>();
  let table = "";
  for (const line of text.split(/\r?\n/, MAX_LINES)) {
    const heading = /^\s*\[([\w.-]+)\]\s*(?:#.*)?$/.exec(line)?.[1];
    if (heading !== undefined) table = heading;
    const [, key, double, single] =
      /^\s*("[^"]*"|'[^']*'|[\w.-]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|'([^']*)')\s*(?:#.*)?$/.exec(line) ?? [];
    if (key === undefined) continue;
    const value = single ?? (double ?? "").replaceAll(/\\(["\\])/g, "$1");
    const name = key.replace(/^(["'])(.*)\1$/, "$2");
    values.set(table === "" ? name : `${table}.${name}`, value);
  }
  return values;
}
