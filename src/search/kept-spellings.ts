import type { ProjectId } from "#lib/ids.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { SearchIndex } from "./search-index.ts";
import { createSpelling, type Spelling } from "./spelling.ts";

/** The spelling of a project's words. `edition` changes whenever the index does. */
export type SpellingOf = (project: ProjectId, edition: string) => Promise<Spelling>;

/** Total of all projects: about a hundred bytes each. */
const MAX_CACHED_WORDS = 1_000_000;
/** Reading 200,000 words blocks the thread that searches for a second: too long for each of the steps in which a site is indexed. */
const LARGE_VOCABULARY = 20_000;
const LARGE_MAX_AGE_MS = 60_000;

interface KeptSpelling {
  edition: string;
  spelling: Spelling;
  words: number;
  madeAtMs: number;
}

/** Reads each vocabulary once per edition, and a large one at most once a minute. */
export function createKeptSpellings(index: Pick<SearchIndex, "vocabulary">): SpellingOf {
  const kept = createLruCache<ProjectId, KeptSpelling>({
    maxWeight: MAX_CACHED_WORDS,
    weigh: ({ words }) => words + 100,
  });
  const making = new Map<ProjectId, Promise<Spelling>>();

  async function make(project: ProjectId, edition: string): Promise<Spelling> {
    const vocabulary = await index.vocabulary(project);
    const spelling = createSpelling(vocabulary);
    kept.set(project, { edition, spelling, words: vocabulary.length, madeAtMs: performance.now() });
    return spelling;
  }

  return async (project, edition) => {
    const known = kept.get(project);
    if (known !== undefined && (known.edition === edition || isRecentEnough(known))) return known.spelling;
    const already = making.get(project);
    if (already !== undefined) return await already;
    const made = make(project, edition).finally(() => making.delete(project));
    making.set(project, made);
    return await made;
  };
}

const isRecentEnough = ({ words, madeAtMs }: KeptSpelling): boolean =>
  words > LARGE_VOCABULARY && performance.now() - madeAtMs < LARGE_MAX_AGE_MS;
