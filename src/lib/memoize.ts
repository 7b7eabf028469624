import { createLruCache } from "./lru-cache.ts";

const MAX_TEXTS = 500;
/** Real headers are shorter; longer texts are not cached, so that they cannot fill the memory. */
const MAX_TEXT_LENGTH = 300;

/** Memoizes a pure function of texts that recur, such as headers: the last 500 results are kept. */
export function memoize<Made extends NonNullable<unknown> | null>(
  make: (text: string) => Made,
): (text: string) => Made {
  const known = createLruCache<string, Made>({ maxWeight: MAX_TEXTS });
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    if (text.length <= MAX_TEXT_LENGTH) known.set(text, made);
    return made;
  };
}
