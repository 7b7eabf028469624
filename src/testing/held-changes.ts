import { expect } from "vitest";
import type { Files } from "./docs-repositories.ts";
import { lexPage, type Piece } from "./page-lexer.ts";

// What a chore may have changed, told by the lexer of the tests and by values of `docs.json`; each throws where more did.

const formatOf = (path: string) => (path.endsWith(".mdx") ? "mdx" : "md");
export const pieces = (files: Files, path: string) => lexPage(files[path] ?? "", formatOf(path));
/** The repositories' one way of being no MDX. */
export const parses = (files: Files, path: string) => path.endsWith(".md") || !/^\{search\r?$/m.test(files[path] ?? "");
export const isPage = (path: string) => /\.mdx?$/.test(path);
const pathsOf = (...all: Files[]) => [...new Set(all.flatMap((files) => Object.keys(files)))];
export const changedPaths = (before: Files, after: Files) =>
  pathsOf(before, after).filter((path) => before[path] !== after[path]);

/** Holds every piece of the changed pages to what may become of it: `expected` gives null where the piece must stay. */
export function holdPieces(
  before: Files,
  after: Files,
  mayBe: (old: Piece, now: Piece, path: string) => boolean,
): void {
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

/** The strings of a JSON text with the key before them; what stands between them comes as the key `null`. */
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
  for (const path of Object.keys(before).filter(isPage)) {
    const expected = pieces(before, path).map((each) => (isWanted(each, path) ? termExpected(each) : each.text));
    const hashes = (text = "") => text.replaceAll(/#(?:search|lookup)-1/g, "#…");
    expect({ [path]: hashes(after[path]) }).toEqual({
      [path]: hashes(parses(before, path) ? expected.join("") : before[path]),
    });
  }
}

/** Nothing but entries of these keys in the front matter may differ. */
export function holdFrontMatter(before: Files, after: Files, key: string): void {
  for (const path of changedPaths(before, after)) {
    const [old, now] = [before, after].map((files) => {
      const all = pieces(files, path).filter((each) => !(each.kind === "front matter" && each.key === key));
      return all.map(({ text }) => text).join("");
    });
    // A block that is new, or that lost its last entry, stands above blank lines of its own.
    const bare = (text = "") => text.replace(/^(\uFEFF?)(?:---\r?\n---\r?\n)?\s*/, "$1");
    expect({ [path]: bare(now) }).toEqual({ [path]: bare(old) });
  }
}

interface Config {
  navigation: { groups: { group: string; pages: string[] }[] };
  redirects?: object[];
}
const configOf = (files: Files) => JSON.parse(files["docs.json"] ?? "null") as Config;

/** The configuration but for what `change` makes of it: the same before and after. */
export function holdConfigValue(before: Files, after: Files, change: (config: Config) => void): void {
  const expected = configOf(before);
  change(expected);
  expect(configOf(after)).toEqual(expected);
  const ends = (text = "") => new Set(text.match(/\r?\n/g));
  expect(ends(after["docs.json"])).toEqual(ends(before["docs.json"]));
}

export const inGroup = (config: Config, name: string) =>
  config.navigation.groups.find(({ group }) => group === name)?.pages ?? [];

/** One run of text came in or went on one page; what is before and behind it stayed. */
export function holdOneRange(path: string): (before: Files, after: Files) => void {
  return (before, after) => {
    onlyIn(before, after, [path]);
    const [old = "", now = ""] = [before[path], after[path]];
    const [short, long] = old.length < now.length ? [old, now] : [now, old];
    let same = 0;
    while (same < short.length && short[same] === long[same]) same += 1;
    const rest = short.slice(same).trimEnd();
    expect(long.trimEnd().endsWith(rest)).toBe(true);
    if (old.includes("\r\n")) expect(now.replaceAll("\r\n", "")).not.toContain("\n");
  };
}

/** From below the heading of this title up to the next heading that is no sub-section's. */
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
