/** The finding at a line such as `::: package.Class` of mkdocstrings. */
export const PLUGIN_CONTENT =
  "What a plugin generates here is left out, as Docent runs no plugins. Commit it as Markdown if readers need it.";

const LINE = /^[ \t]*::: ([\w.-]{1,200})[ \t]*$/m;

/** What a plugin documents from source code in a line; null for other lines. */
export const pluginContentIn = (line: string): string | null => LINE.exec(line)?.[1] ?? null;
