import { FIELD_WEIGHTS, type IndexQuery, type SearchIndex, type SearchTerm } from "#search/search-index.ts";
import type { FoundSection, SearchPage } from "#search/search-page.ts";

export type StaticPart = Pick<SearchPage, "language" | "version" | "versionRank">;

/** The manifest of a file-based index, which browsers read without a server. `createIndexFiles` generates it. */
export interface StaticManifest {
  sections: number;
  /** How many sections one file contains. */
  perFile: number;
  /** The parts of the site; if there is only one, it contains all pages. */
  scopes: readonly StaticPart[];
  /** The positions in the list of sections at which another part begins. */
  runs: readonly (readonly [section: number, scope: number])[];
  /** The part of each page, if there are several. */
  pages: Readonly<Record<string, number>>;
  /** First characters of the words, one file each. */
  shards: readonly string[];
}

/** Word → number of its sections, then pairs of section and weight: the heaviest ones. */
export type Postings = Readonly<Record<string, readonly number[]>>;
export type StoredSection = readonly [
  route: string,
  anchor: string | null,
  title: string,
  heading: string,
  text: string,
  reference: string,
  isReference: boolean,
];

/** Names of the files, for writing and reading. */
export const FILES = {
  manifest: "index.json",
  vocabulary: "vocabulary.json",
  words: (shard: string) => `words/${Array.from(shard, (each) => each.codePointAt(0)!.toString(16)).join("-")}.json`,
  sections: (file: number) => `sections/${file}.json`,
};

const SHARD = 2;
const MAX_SHARDS = 40;

/** The file that a word is in. */
export const shardOf = (word: string): string => Array.from(word).slice(0, SHARD).join("");

/** The index for `createSearch`. `load` reads a file by its name; each is read once. */
export function createStaticIndex(load: (file: string) => Promise<unknown>): Pick<
  SearchIndex,
  "find" | "vocabulary"
> & {
  manifest(): Promise<StaticManifest>;
} {
  const loaded = new Map<string, Promise<unknown>>();
  const read = <Content>(file: string): Promise<Content> => {
    let content = loaded.get(file);
    if (content === undefined) {
      loaded.set(file, (content = load(file)));
      content.catch(() => loaded.delete(file));
    }
    return content as Promise<Content>;
  };
  const manifest = () => read<StaticManifest>(FILES.manifest);

  async function matchesOf(
    term: SearchTerm,
    { shards, sections }: StaticManifest,
    leastWeight: number,
  ): Promise<Map<number, number>> {
    const found = new Map<number, number>();
    for (const { text, isPrefix } of term) {
      const own = shardOf(text);
      const isShort = isPrefix && Array.from(own).length < SHARD;
      const searchWords = isShort ? shards.filter((shard) => shard.startsWith(own)).slice(0, MAX_SHARDS) : [own];
      const files = await Promise.all(
        searchWords.filter((shard) => shards.includes(shard)).map((shard) => read<Postings>(FILES.words(shard))),
      );
      for (const [word, [count = 1, ...pairs]] of files.flatMap((file) => Object.entries(file))) {
        if (isPrefix ? !word.startsWith(text) : word !== text) continue;
        // Rare words weigh more; a prefix match weighs a little less.
        const worth = Math.log(1 + sections / count) * (word === text ? 1 : 0.7);
        for (let at = 0; at + 1 < pairs.length; at += 2) {
          const section = pairs[at]!;
          if (pairs[at + 1]! < leastWeight) continue;
          found.set(section, Math.max(found.get(section) ?? 0, pairs[at + 1]! * worth));
        }
      }
    }
    return found;
  }

  return {
    manifest,
    async find(_project, query) {
      const { terms, match, limit, isOfTitles = false } = query;
      const leastWeight = isOfTitles ? FIELD_WEIGHTS.title * 10 : 0;
      const about = await manifest();
      const matches = await Promise.all(
        terms.filter((term) => term.length > 0).map((term) => matchesOf(term, about, leastWeight)),
      );
      const scores = new Map<number, { score: number; terms: number }>();
      for (const each of matches) {
        for (const [section, weight] of each) {
          const known = scores.get(section) ?? { score: 0, terms: 0 };
          scores.set(section, { score: known.score + weight, terms: known.terms + 1 });
        }
      }
      const best = [...scores]
        .filter(
          ([section, { terms: count }]) => (match === "any" || count === matches.length) && isIn(about, section, query),
        )
        .sort(([a, { score: first }], [b, { score: second }]) => second - first || a - b)
        .slice(0, limit);
      return await Promise.all(best.map(([section]) => sectionOf(section, about)));
    },
    vocabulary: () => read<string[]>(FILES.vocabulary),
  };

  async function sectionOf(section: number, { perFile }: StaticManifest): Promise<FoundSection> {
    const stored = await read<StoredSection[]>(FILES.sections(Math.floor(section / perFile)));
    const [route, anchor, title, heading, text, reference, isReference] = stored[section % perFile]!;
    return { route, anchor, title, heading, text, reference, isReference };
  }
}

function isIn(
  { runs, scopes }: StaticManifest,
  section: number,
  { scope: searchWords, isDefaultVersion = false }: Pick<IndexQuery, "scope" | "isDefaultVersion">,
): boolean {
  let own = 0;
  for (const [first, scope] of runs) {
    if (first > section) break;
    own = scope;
  }
  const part = scopes[own] ?? { language: null, version: null, versionRank: 0 };
  if (isDefaultVersion && part.versionRank > 0) return false;
  const fits = (requested: string | null, has: string | null) =>
    requested === null || has === null || requested === has;
  return fits(searchWords.language, part.language) && fits(searchWords.version, part.version);
}
