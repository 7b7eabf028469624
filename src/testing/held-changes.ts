import { posix } from "node:path";
import { expect } from "vitest";
import { type Files, layOut } from "./docs-repositories.ts";
import { lexPage, type Piece } from "./page-lexer.ts";

// Which changes a chore may make, checked with the lexer of the tests and the values of `docs.json`; each function
// throws on any other change.

const formatOf = (path: string) => (path.endsWith(".mdx") ? "mdx" : "md");
export const pieces = (files: Files, path: string) => lexPage(files[path] ?? "", formatOf(path));
/** The only way in which pages of these repositories are invalid MDX. */
export const parses = (files: Files, path: string) => path.endsWith(".md") || !/^\{search\r?$/m.test(files[path] ?? "");
export const isPage = (path: string) => /\.mdx?$/.test(path);
const pathsOf = (...all: Files[]) => [...new Set(all.flatMap((files) => Object.keys(files)))];
export const changedPaths = (before: Files, after: Files) =>
  pathsOf(before, after).filter((path) => before[path] !== after[path]);

/**
 * Checks every piece of the changed pages against its allowed changes; other files must not change, except those in
 * `besides`.
 */
export function holdPieces(
  before: Files,
  after: Files,
  mayBe: (old: Piece, now: Piece, path: string) => boolean,
  besides: readonly string[] = [],
): void {
  expect(changedPaths(before, after).filter((path) => !isPage(path) && !besides.includes(path))).toEqual([]);
  for (const path of changedPaths(before, after).filter(isPage)) {
    const [old, now] = [pieces(before, path), pieces(after, path)];
    expect({ [path]: now.map(({ kind }) => kind) }).toEqual({ [path]: old.map(({ kind }) => kind) });
    for (const [index, piece] of old.entries()) {
      const other = now[index] ?? piece;
      if (piece.text !== other.text && !mayBe(piece, other, path))
        throw new Error(`${path}: ${piece.kind} ${JSON.stringify(piece.text)} became ${JSON.stringify(other.text)}`);
    }
  }
}

export const isSameBeforeHash = (old: Piece, now: Piece) =>
  old.kind === "address" && now.kind === "address" && old.text.split("#")[0] === now.text.split("#")[0];

/** Whether a link still leads to the same page and heading, or to where `moved` takes that page. */
export const leadsTo =
  (moved: Readonly<Record<string, string>> = {}) =>
  (old: Piece, now: Piece, path: string): boolean => {
    if (old.kind !== "address" || now.kind !== "address") return false;
    const [page, anchor] = placeOf(old.text, path);
    const [newPage, newAnchor] = placeOf(now.text, path);
    return newPage === (moved[page] ?? page) && (newAnchor === anchor || newAnchor === "");
  };

/** The page of an address, ignoring case, extension and redirects, and the words of its anchor. */
function placeOf(address: string, path: string): [page: string, anchor: string] {
  const [written = "", hash = ""] = address.replaceAll(/["']/g, "").split("#");
  const whole = written === "" ? `/${path}` : posix.resolve("/", posix.dirname(path), written);
  const page = whole.toLowerCase().replace(/\.mdx?$/, "").replace(/\/index$/, "/"); // oxfmt-ignore
  return [page === "/search" ? "/guides/search" : page, hash.toLowerCase().replace(/-\d+$/, "")];
}

/** Checks the change, and that only files of one part of the docs changed. */
export const holdPart =
  (part: RegExp, check: (before: Files, after: Files) => void) =>
  (before: Files, after: Files): void => {
    expect(changedPaths(before, after).filter((path) => !part.test(path))).toEqual([]);
    check(before, after);
  };

/** The strings of a JSON text with their keys; the text between them has the key `null`. */
const jsonTokens = (text: string) =>
  [...text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[^"]+/g)].map(([whole, string, colon]) => ({
    whole,
    kind: string === undefined ? "between" : colon === undefined ? "string" : "key",
  }));

export function holdConfig(before: Files, after: Files, mayBe: (old: string, now: string) => boolean): void {
  const [old, now] = [jsonTokens(before["docs.json"] ?? ""), jsonTokens(after["docs.json"] ?? "")];
  expect(now.length).toBe(old.length);
  for (const [index, token] of old.entries()) {
    const other = now[index]?.whole ?? "";
    if (token.whole !== other && !(token.kind === "string" && mayBe(token.whole, other)))
      throw new Error(`docs.json: ${token.whole} became ${other}`);
  }
}

export const onlyIn = (before: Files, after: Files, allowed: readonly string[]) =>
  expect(changedPaths(before, after).filter((path) => !allowed.includes(path))).toEqual([]);

const SHOWN_KEYS = /^(?:title|description|sidebarTitle|og:title)$/;
export const withTerm = (text: string) =>
  text.replaceAll(/(?<![\p{L}\p{N}_])[sS]earch(?![\p{L}\p{N}_]|\.\p{Ll})/gu, (found) =>
    found === "search" ? "lookup" : "Lookup",
  );

function termExpected({ kind, key, text }: Piece): string {
  if (kind === "text" || kind === "heading" || kind === "alt") return withTerm(text);
  if (kind === "value" && key === "title") return withTerm(text);
  if (kind !== "front matter" || !SHOWN_KEYS.test(key)) return text;
  const comment = /^[^\n]*[^\n]( # [^\n]*\n)$/.exec(text)?.[1] ?? "";
  return withTerm(text.slice(0, text.length - comment.length)) + comment;
}

export function holdTerm(before: Files, after: Files, isWanted: (piece: Piece, path: string) => boolean): void {
  const others = changedPaths(before, after).filter((path) => !isPage(path) && path !== "docs.json");
  expect(others).toEqual([]);
  for (const path of Object.keys(before).filter(isPage)) {
    const expected = pieces(before, path).map((each) => (isWanted(each, path) ? termExpected(each) : each.text));
    const hashes = (text = "") => text.replaceAll(/#(?:search|lookup)-1/g, "#…");
    expect({ [path]: hashes(after[path]) }).toEqual({
      [path]: hashes(parses(before, path) ? expected.join("") : before[path]),
    });
  }
}

/** Only entries of these keys in the front matter may differ. */
export function holdFrontMatter(before: Files, after: Files, key: string): void {
  for (const path of changedPaths(before, after)) {
    const [old, now] = [before, after].map((files) => {
      const all = pieces(files, path).filter((each) => !(each.kind === "front matter" && each.key === key));
      return all.map(({ text }) => text).join("");
    });
    // A block that is new, or that lost its last entry, has blank lines of its own below it.
    const bare = (text = "") => text.replace(/^(\uFEFF?)(?:---\r?\n---\r?\n)?\s*/, "$1");
    expect({ [path]: bare(now) }).toEqual({ [path]: bare(old) });
    const [was, is] = [before, after].map((files) => entryOf(files, path, key));
    // A comment after a value on its line; comments between the words of a list are removed with them.
    const comment = /^[^\n#]*[^\s#|>][^\n#]*( #[^\n]*)/.exec(was ?? "")?.[1];
    if (is !== undefined && comment !== undefined && !is.includes(comment))
      throw new Error(`${path}: ${JSON.stringify(was)} lost its comment: ${JSON.stringify(is)}`);
  }
}

const entryOf = (files: Files, path: string, key: string): string | undefined =>
  pieces(files, path).find((each) => each.kind === "front matter" && each.key === key)?.text;

interface Config {
  navigation: { groups: { group: string; pages: string[] }[] };
  redirects?: object[];
}
const configOf = (files: Files) => JSON.parse(files["docs.json"] ?? "null") as Config;

/** The configuration must equal what `change` returns for the old one. */
export function holdConfigValue(before: Files, after: Files, change: (config: Config) => void): void {
  const expected = configOf(before);
  change(expected);
  expect(configOf(after)).toEqual(expected);
  const [old = "", now = ""] = [before["docs.json"], after["docs.json"]];
  const ends = (text: string) => new Set(text.match(/\r?\n/g));
  expect(ends(now)).toEqual(ends(old));
  expect(endOf(now)).toBe(endOf(old));
  // Lines may be reformatted only where the change itself requires it.
  const layout = /\n([ \t]+)"/.exec(old)?.[1] ?? "";
  expect(linesLost(old, now)).toBeLessThanOrEqual(linesLost(old, layOut(expected, layout)));
}

const endOf = (text: string) => /\s*$/.exec(text)?.[0] ?? "";

/**
 * How many lines of a text are missing from another, in order; a trailing comma is ignored, since a neighbor may add or
 * remove it.
 */
function linesLost(before: string, after: string): number {
  const [old, now] = [before, after].map((text) => text.split(/\r?\n/).map((line) => line.replace(/,$/, "")));
  let row = Array.from({ length: (now?.length ?? 0) + 1 }, () => 0);
  for (const line of old ?? []) {
    const next = [0];
    for (const [index, other] of (now ?? []).entries())
      next.push(line === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    row = next;
  }
  return (old?.length ?? 0) - (row.at(-1) ?? 0);
}

export const inGroup = (config: Config, name: string) =>
  config.navigation.groups.find(({ group }) => group === name)?.pages ?? [];

/** One run of text was inserted into or removed from one page; the text before and after it is unchanged. */
export function holdOneRange(path: string): (before: Files, after: Files) => void {
  return (before, after) => {
    onlyIn(before, after, [path]);
    const [old = "", now = ""] = [before[path], after[path]];
    const [short, long] = old.length < now.length ? [old, now] : [now, old];
    let same = 0;
    while (same < short.length && short[same] === long[same]) same += 1;
    const rest = short.slice(same).trimEnd();
    expect(long.trimEnd().endsWith(rest)).toBe(true);
    holdEnd(old, now);
    if (old.includes("\r\n")) expect(now.replaceAll("\r\n", "")).not.toContain("\n");
  };
}

/** The last line of a text must keep its line end. */
export function holdEnd(old: string, now: string): void {
  const end = /\r?\n$/.exec(old)?.[0] ?? "";
  expect(now.slice(now.length - end.length)).toBe(end);
}

/** From below the heading of this title to the next heading that is not of a subsection. */
export function sectionRange(all: readonly Piece[], title: string): { start: number; end: number } {
  const levelOf = (index: number) => /(?:^|\n)(#+) $/.exec(all[index - 1]?.text ?? "")?.[1]?.length ?? 9;
  const isHeading = ({ kind }: Piece, index: number) => kind === "heading" && levelOf(index) < 9;
  const first = all.findIndex((each, index) => isHeading(each, index) && each.text.trim().toLowerCase() === title);
  const next = all.findIndex(
    (each, index) => index > first && isHeading(each, index) && levelOf(index) <= levelOf(first),
  );
  const lengthOf = (count: number) => all.slice(0, count).reduce((sum, { text }) => sum + text.length, 0);
  const mark = levelOf(next) + 1;
  return { start: lengthOf(first + 1), end: next === -1 ? lengthOf(all.length) : lengthOf(next) - mark };
}
