import { createBreather } from "#lib/waiting/breather.ts";
import { type Field, FIELD_WEIGHTS, fieldWords } from "#search/search-index.ts";
import type { SearchPage, SearchSection } from "#search/search-page.ts";
import { FILES, shardOf, type StaticManifest, type StaticPart, type StoredSection } from "./static-index.ts";

export type StaticPage = Omit<SearchPage, "key" | "includes">;

/** Collects pages, and generates the files of an index that browsers read without a server. */
export interface IndexFiles {
  add(page: StaticPage): void;
  /** Each file with its name, as JSON. */
  files(): AsyncIterable<[name: string, json: string]>;
}

const PER_FILE = 32;
const MAX_SECTIONS = 300_000;
/** Per word: a word on every page is still found by titles and headings, and by the other words of a query. */
const MAX_POSTINGS = 400;
/** For misspelt words; a reader loads all of it at once. */
const MAX_VOCABULARY = 20_000;

interface Word {
  count: number;
  /** Section and weight, in tenths. */
  sections: [number, number][];
}

export function createIndexFiles(): IndexFiles {
  const words = new Map<string, Word>();
  const sections: StoredSection[] = [];
  const scopes: StaticPart[] = [];
  const runs: [number, number][] = [];
  const pages: Record<string, number> = {};

  const scopeOf = ({ language, version, versionRank }: StaticPart): number => {
    const known = scopes.findIndex((each) => each.language === language && each.version === version);
    return known === -1 ? scopes.push({ language, version, versionRank }) - 1 : known;
  };

  function addSection(page: StaticPage, section: SearchSection): void {
    const { anchor, heading, text, reference } = section;
    const id = sections.push([page.route, anchor, page.title, heading, text, reference, page.isReference]) - 1;
    const weights = new Map<string, number>();
    for (const [field, found] of Object.entries(fieldWords(page, section)) as [Field, string[]][]) {
      const weight = FIELD_WEIGHTS[field];
      for (const word of found) {
        const known = weights.get(word) ?? 0;
        // A repeated word counts less than the first one.
        weights.set(word, known + weight / (1 + known / weight));
      }
    }
    for (const [word, weight] of weights) {
      const known = words.get(word) ?? { count: 0, sections: [] };
      known.count += 1;
      known.sections.push([id, Math.round(weight * 10)]);
      if (known.sections.length >= 2 * MAX_POSTINGS) known.sections = heaviest(known.sections);
      words.set(word, known);
    }
  }

  return {
    add(page) {
      if (sections.length + page.sections.length > MAX_SECTIONS) return;
      const scope = scopeOf(page);
      if (runs.at(-1)?.[1] !== scope) runs.push([sections.length, scope]);
      pages[page.route] = scope;
      for (const section of page.sections) addSection(page, section);
    },
    async *files() {
      const breathe = createBreather();
      const shards = new Map<string, Map<string, number[]>>();
      for (const [word, { count, sections: found }] of words) {
        const shard = shardOf(word);
        const file = shards.get(shard) ?? new Map<string, number[]>();
        file.set(word, [count, ...heaviest(found).flat()]);
        shards.set(shard, file);
        const rest = breathe();
        if (rest) await rest;
      }
      for (const [shard, file] of shards) yield [FILES.words(shard), JSON.stringify(Object.fromEntries(file))];
      for (let at = 0; at < sections.length; at += PER_FILE)
        yield [FILES.sections(at / PER_FILE), JSON.stringify(sections.slice(at, at + PER_FILE))];
      const frequent = [...words].sort(([, a], [, b]) => b.count - a.count).map(([word]) => word);
      yield [FILES.vocabulary, JSON.stringify(frequent.slice(0, MAX_VOCABULARY))];
      const manifest: StaticManifest = {
        sections: sections.length,
        perFile: PER_FILE,
        scopes,
        runs,
        pages: scopes.length > 1 ? pages : {},
        shards: [...shards.keys()],
      };
      yield [FILES.manifest, JSON.stringify(manifest)];
    },
  };
}

const heaviest = (found: readonly [number, number][]): [number, number][] =>
  found.toSorted(([a, first], [b, second]) => second - first || a - b).slice(0, MAX_POSTINGS);
