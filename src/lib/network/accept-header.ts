import { memoize } from "#lib/memoize.ts";

/** One media range of an `Accept` header, in lower case: `text/csv`, `text/*`, `*` + `/*`. */
export interface MediaRange {
  type: string;
  /** 0 to 1; 0 = not acceptable. */
  quality: number;
}

/**
 * The ranges of an `Accept` header (RFC 9110, 12.5.1), best first: by weight, then in header order. Only its first
 * 2,000 characters count.
 */
export const mediaRanges = memoize((accept: string): readonly MediaRange[] =>
  accept
    .slice(0, 2_000)
    .split(",")
    .map((part) => {
      const [type = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return { type, quality: weight === undefined ? 1 : Math.min(1, Number.parseFloat(weight.slice(2)) || 0) };
    })
    .filter(({ type }) => type !== "")
    .sort((a, b) => b.quality - a.quality),
);

/**
 * Which of the available types a client prefers; the most specific range gives the weight. Ties go to the range listed
 * first, then to the first of `types`, which is also the fallback when none is acceptable.
 */
export function preferredType<Type extends string>(accept: string, types: readonly [Type, ...Type[]]): Type {
  const ranges = mediaRanges(accept);
  const wishes = types.map((type) => {
    const closest = [type, type.replace(/\/.*/, "/*"), "*/*"].find((name) =>
      ranges.some((range) => range.type === name),
    );
    const index = ranges.findIndex((range) => range.type === closest);
    return { type, quality: ranges[index]?.quality ?? 0, isNamed: closest === type, index };
  });
  const [best] = wishes.sort((a, b) => b.quality - a.quality || (a.isNamed && b.isNamed ? a.index - b.index : 0));
  return best?.type ?? types[0];
}
