import { posix } from "node:path";

/** Options of the extension `pymdownx.snippets` in an `mkdocs.yml`, with paths as written. */
interface SnippetSettings {
  /** Folders in which snippets are looked for, in this order. */
  basePaths: readonly string[];
  /** Files that are appended to every page. */
  appended: readonly string[];
}

/** Each snippet is looked for in all of them. */
const MAX_ENTRIES = 50;

const OPTIONS = /^[ \t]*(?:- [ \t]*)?["']?pymdownx\.snippets["']?:/m;

export const hasSnippetSettings = (configuration: string): boolean => OPTIONS.test(configuration);

/** Reads these options alone: a page is rendered more often than it would pay to parse the whole configuration. */
export function readSnippetSettings(configuration: string): SnippetSettings {
  const lines = configuration.split(/\r?\n/);
  const start = lines.findIndex((line) => OPTIONS.test(line));
  const own = indentOfLine(lines[start] ?? "");
  const after = start === -1 ? [] : lines.slice(start + 1);
  const end = after.findIndex((line) => bare(line) !== "" && indentOfLine(line) <= own);
  const options = end === -1 ? after : after.slice(0, end);
  return { basePaths: entriesOf(options, "base_path"), appended: entriesOf(options, "auto_append") };
}

/** The path in the repository that an entry of `base_path` names. */
export function snippetFolder(entry: string, { above, contentRoot }: { above: string; contentRoot: string }): string {
  const path = entry.replace(/^!relative[ \t]+/, "");
  if (path.startsWith("$docs_dir")) return posix.join(contentRoot, path.slice("$docs_dir".length));
  return posix.join(above, path.replace(/^\$config_dir/, "."));
}

const indentOfLine = (line: string): number => line.length - line.trimStart().length;

/** A value, a list on one line, or a list with an entry on each line. */
function entriesOf(options: readonly string[], key: string): string[] {
  const at = options.findIndex((line) => line.trimStart().startsWith(`${key}:`));
  if (at === -1) return [];
  const value = bare(options[at]?.trimStart().slice(key.length + 1) ?? "");
  if (value !== "") {
    const entries = value.startsWith("[") ? value.slice(1, value.endsWith("]") ? -1 : undefined).split(",") : [value];
    return entries.map(bare).filter(Boolean).slice(0, MAX_ENTRIES);
  }
  const rest = options.slice(at + 1).filter((line) => bare(line) !== "");
  const end = rest.findIndex((line) => !line.trimStart().startsWith("- "));
  return (end === -1 ? rest : rest.slice(0, end)).slice(0, MAX_ENTRIES).map((line) => bare(line.trimStart().slice(2)));
}

/** Without a comment and quotes. */
function bare(text: string): string {
  const [value = ""] = text.split(/(?:^|[ \t])#/, 1);
  return value.trim().replace(/^(["'])(.*)\1$/, "$2");
}
