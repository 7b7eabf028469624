import { type KnownNames, phraseOf } from "./grammar/names.ts";

type Input = Readonly<Record<string, unknown>>;

/** Whether two parts of the docs may have a page in common. Without a part all of them are meant. */
export function mayOverlap(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return true;
  const [left, right] = [one.map(String).map(stem), other.map(String).map(stem)];
  return left.some((x) =>
    right.some((y) => x === y || x.startsWith(`${y}/`) || y.startsWith(`${x}/`) || /\*/.test(x + y)),
  );
}

export const stem = (path: string) => path.replace(/^\/+|\/+$/g, "").replace(/\.(?:mdx?|markdown)$/i, "").toLowerCase(); // oxfmt-ignore

/** Whether two instructions may change the same page. */
export function mayTouch(one: Input, other: Input, names: KnownNames): boolean {
  const [part, otherPart] = [partOf(one, names), partOf(other, names)];
  const isApart = liesIn(part, placesIn(other["except"], names)) || liesIn(otherPart, placesIn(one["except"], names));
  return mayOverlap(part, otherPart) && !isApart;
}

/** The same, where the later one is not for a part of what the earlier one is for, as an exception to it. */
export function mayShare(earlier: Input, later: Input, names: KnownNames): boolean {
  const [one, other] = [partOf(earlier, names), partOf(later, names)];
  const isNarrower = one === undefined ? other !== undefined : liesIn(other, one) && !liesIn(one, other);
  return !isNarrower && mayTouch(earlier, later, names);
}

/** What one of two instructions for the same thing leaves out and the other changes; null when there is nothing. */
export function isLeftToOther(one: Input, other: Input, names: KnownNames): string | null {
  const rest = ({ in: _in, except: _except, ...input }: Input) => JSON.stringify(input);
  if (rest(one) !== rest(other)) return null;
  return leftOut(one, other, names) ?? leftOut(other, one, names);
}

function leftOut({ except }: Input, other: Input, names: KnownNames): string | null {
  const [part, spared] = [partOf(other, names), placesIn(other["except"], names)];
  const places = placesIn(except, names) ?? [];
  return places.find((place) => mayOverlap([place], part) && !liesIn([place], spared)) ?? null;
}

/** A part that an instruction names and leaves out at once; null when there is none. Of the pages of a group some may be left out. */
export function namedAndLeftOut({ in: within, except }: Input, names: KnownNames): string | null {
  const [places, spared] = [placesIn(within, names), placesIn(except, names)];
  if (places === undefined || spared === undefined) return null;
  const left = places.filter((place) => liesIn([place], spared));
  return left.length === places.length ? (left[0] ?? null) : (left.find((place) => place.endsWith("/")) ?? null);
}

/**
 * What an instruction leaves out of a part in which it does not lie: “in guides/ except guides/search, and api/” hardly means to spare api/. Null
 * when there is nothing, or nobody can tell by the paths.
 */
export function leftOutElsewhere({ in: within, except }: Input, names: KnownNames): string | null {
  const [places, spared] = [placesIn(within, names), placesIn(except, names)];
  if (places === undefined || spared === undefined) return null;
  const isElsewhere = (place: string) => isWholePath(place, names) && !mayOverlap([place], places);
  // One that lies outside by itself changes nothing; beside one that lies inside it may be a place to change.
  return spared.every(isElsewhere) ? null : (spared.find(isElsewhere) ?? null);
}

/** Whether a place is a path from the root. The name of a file alone may lie anywhere. */
const isWholePath = (place: string, { isKnown, paths }: KnownNames): boolean =>
  place.includes("/") || (isKnown && paths.has(stem(place)));

/** The places that an instruction is for; undefined for all of the docs. */
function partOf({ page, in: within }: Input, names: KnownNames): readonly string[] | undefined {
  const places = placesIn(page === undefined ? within : [page], names);
  return places?.includes("**") ? undefined : places;
}

/** Places by their paths. Where the repository is not known, a title may be that of any page. */
function placesIn(value: unknown, names: KnownNames): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map(String).flatMap((place) => {
    const paths = names.titles.get(phraseOf(place));
    return paths ?? (!names.isKnown && isTitle(place) ? ["*"] : [place]);
  });
}

/** Whether a name has the form of a title, and of no path. */
export const isTitle = (name: string): boolean => !name.includes("/") && /[\s\p{Lu}]/u.test(name);

/** Whether all of a part stands in places. */
function liesIn(part: readonly string[] | undefined, places: readonly string[] | undefined): boolean {
  if (places === undefined || part === undefined) return false;
  const known = places.map(stem);
  return part.every((each) => known.some((place) => stem(each) === place || stem(each).startsWith(`${place}/`)));
}
