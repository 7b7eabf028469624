import { createLruCache } from "./lru-cache.ts";

const MAX_TEXTS = 500;
/** What a header of a real client has, so that nobody fills the memory with long ones. */
const MAX_TEXT_LENGTH = 300;

/** A pure function of a text that comes again and again, such as a header: what was made of the last 500 is kept. */
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
