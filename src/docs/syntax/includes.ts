import { backticksAround } from "#lib/backticks.ts";
import { posix } from "node:path";
import type { DialectName } from "#docs/dialect.ts";
import { bodyBelowFrontMatter } from "#docs/front-matter.ts";
import type { PageRules } from "#docs/page-rules.ts";
import { includedPart } from "./include-parts.ts";
import { type IncludeMatch, includesIn } from "./include-syntax.ts";
import { composed, type Rewritten, Rewriter, unchanged } from "./rewriter.ts";

const MAX_INCLUDES = 100;
const MAX_DEPTH = 12;
const MAX_CHARACTERS = 2_000_000;

export interface Including {
  dialect: DialectName;
  /** Content root of the site in its repository. */
  contentRoot: string;
  /** What the tool's configuration says about includes. */
  rules: Pick<PageRules, "headingIds" | "snippets">;
  /** Whether variables get the texts that are imported for them. */
  readsValues: boolean;
  /** Reads a file by its path in the repository; null when it does not exist. */
  read(path: string): Promise<string | null>;
  /** `offset` is a position in the page. */
  warn(offset: number, message: string): void;
}

/** Replaces includes by their files: code as blocks of code, Markdown as part of the page. */
export async function putIncludesIn(source: string, path: string, including: Including): Promise<Rewritten> {
  const left = { files: MAX_INCLUDES, characters: MAX_CHARACTERS };
  const whole = await withAppended(source, { including, left });
  return composed(whole, await include(whole.source, { path, depth: 0, place: null, left, including }));
}

/** Appends the files that define links and abbreviations for all pages. */
async function withAppended(source: string, { including, left }: Pick<At, "including" | "left">): Promise<Rewritten> {
  const { appended, folders } = including.rules.snippets;
  if (appended.length === 0) return unchanged(source);
  const text = new Rewriter(source);
  text.copy(0, source.length);
  const bases = [...folders, posix.dirname(including.contentRoot)];
  const candidates = (path: string) => bases.map((base) => posix.join(base, path)).filter(isInside);
  for (const path of appended) {
    const file = await firstOf(candidates(path), including);
    left.files -= 1;
    left.characters -= file?.text.length ?? 0;
    if (file !== null && left.characters >= 0) text.add(`\n\n${file.text}`, source.length);
    else {
      const why =
        file === null ? "the repository has no such file" : `a page includes at most ${MAX_CHARACTERS / 1_000_000} MB`;
      including.warn(source.length, `${path.slice(0, 200)} is not appended: ${why}.`);
    }
  }
  return text.result();
}

interface At {
  /** In the repository. */
  path: string;
  depth: number;
  /** Position of the include in the page; null for the page itself. */
  place: number | null;
  left: { files: number; characters: number };
  including: Including;
}

async function include(source: string, at: At): Promise<Rewritten> {
  const { including, left } = at;
  const found = includesIn(source, including.dialect).filter((each) => each.as !== "value" || including.readsValues);
  if (found.length === 0) return unchanged(source);
  const text = new Rewriter(source);
  let done = 0;
  for (const each of found) {
    if (each.start < done) continue;
    text.copy(done, each.start);
    done = each.end;
    left.files -= 1;
    const file = left.files < 0 || at.depth > MAX_DEPTH ? null : await firstOf(candidatesFor(each.path, at), including);
    left.characters -= file?.text.length ?? 0;
    const isWithin = () => left.files >= 0 && at.depth <= MAX_DEPTH && left.characters >= 0;
    const put = isWithin() && file !== null ? await shown(each, file, { at, source }) : "";
    if (isWithin() && file !== null) {
      text.add(put, each.start);
      continue;
    }
    const why = isWithin()
      ? "the repository has no such file"
      : `a page includes at most ${MAX_INCLUDES} files, ${MAX_DEPTH} deep, with ${MAX_CHARACTERS / 1_000_000} MB in all`;
    including.warn(at.place ?? each.start, `${each.path.slice(0, 200)} is not included: ${why}.`);
  }
  text.copy(done, source.length);
  return text.result();
}

interface IncludedFile {
  path: string;
  text: string;
}

async function firstOf(candidates: readonly string[], including: Including): Promise<IncludedFile | null> {
  for (const candidate of candidates) {
    const text = await including.read(candidate);
    if (text !== null) return { path: candidate, text: text.replaceAll("\r\n", "\n") };
  }
  return null;
}

/** Paths where a tool looks for a file; those outside the repository are dropped. */
function candidatesFor(written: string, { path, including }: At): string[] {
  const { dialect, contentRoot, rules } = including;
  const above = posix.dirname(contentRoot);
  const bare = written.replace(/^(?:@site|@|~)?\//, "");
  const isRooted = bare !== written;
  const beside = posix.join(posix.dirname(path), written);
  const usual = [contentRoot, above, "", posix.join(contentRoot, "snippets"), posix.join(above, "includes")];
  // `@` is the folder of the pages, which may be below that of the configuration.
  const rooted = [...usual, ...foldersBetween(contentRoot, posix.dirname(path))].map((base) => posix.join(base, bare));
  if (dialect === "fumadocs")
    // With `cwd` the path is relative to the folder of the configuration.
    return [
      beside,
      posix.join(contentRoot, written),
      posix.join(above, bare),
      posix.join(posix.dirname(above), bare),
    ].filter(isInside);
  const configured = rules.snippets.folders.map((folder) => posix.join(folder, bare));
  const choices =
    dialect === "mkdocs"
      ? [...configured, ...rooted.slice(1, usual.length), rooted[0] ?? "", beside]
      : isRooted
        ? rooted
        : [beside];
  return [...new Set(choices.map((choice) => posix.normalize(choice)))].filter(isInside);
}

function foldersBetween(top: string, bottom: string): string[] {
  const folders: string[] = [];
  for (let folder = bottom; folder !== "." && folder !== top; folder = posix.dirname(folder)) folders.push(folder);
  return folders.toReversed();
}

const isInside = (path: string): boolean => !/^(?:\.\.?(?:\/|$)|\/)/.test(path);

async function shown(
  each: IncludeMatch,
  file: IncludedFile,
  { at, source }: { at: At; source: string },
): Promise<string> {
  const part = includedPart(each, file.text, at.including.rules.headingIds);
  if (each.as === "value") return `export const ${each.name} = ${JSON.stringify(part)}`;
  if (each.as === "code") {
    const fence = backticksAround(part, 3);
    const language = each.language || (/\.(\w+)$/.exec(file.path)?.[1] ?? "text");
    const isTab = at.including.dialect === "vitepress" && !each.info.includes("[") && isInGroup(source, each.start);
    const info = isTab ? `${each.info} [${posix.basename(each.path)}]` : each.info;
    return indented(`${fence}${language} ${info}\n${part.replace(/\n$/, "")}\n${fence}`, each.indent, at.left);
  }
  const isPage = /\.(?:md|mdx|markdown)$/i.test(file.path);
  const body = isPage ? (bodyBelowFrontMatter(part) ?? part) : part;
  const whole = (await include(body, { ...at, path: file.path, depth: at.depth + 1, place: at.place ?? each.start }))
    .source;
  const moved = each.keepsLinks ? rebased(whole, posix.dirname(file.path), posix.dirname(at.path)) : whole;
  return indented(moved.replace(/\n$/, ""), each.indent, at.left);
}

/** Whether a place is in a `::: code-group`, in which VitePress names a tab without a title by its file. */
function isInGroup(source: string, place: number): boolean {
  const before = source.slice(0, place);
  const last = before.lastIndexOf(":::");
  return last !== -1 && /^:::[ \t]{0,10}code-group\b/.test(before.slice(last, last + 30));
}

/** The added spaces count as text before they are added, because nested files are indented again and again. */
function indented(text: string, indent: string, left: { characters: number }): string {
  if (indent === "" || left.characters < 0) return text;
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  left.characters -= lines * indent.length;
  return left.characters < 0 ? "" : text.replace(/^(?=[^\n])/gm, indent);
}

/** Rewrites relative links of a file for another folder. */
const rebased = (text: string, from: string, to: string): string =>
  text.replace(
    /(\]\(<?)(?![\w+.-]+:|[/#<])([^)\s>]{1,500})/g,
    (_whole, start: string, link: string) => `${start}${posix.relative(to, posix.join(from, link))}`,
  );
