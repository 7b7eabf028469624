import type { Token } from "./grammar/tokens.ts";

/** Words of the grammar that haste swaps two letters of. A word that is none of them stays as it is. */
const WORDS =
  `replace change update rename remove delete broken links link fix check redirect redirects section page pages title description
  headings everywhere navigation sidebar missing descriptions move hide the with and`.split(/\s+/);

/** Words with two neighbouring letters swapped, put right: “teh”, “chnage”. Nothing else is a typo for certain. */
const SWAPPED = new Map(
  WORDS.flatMap((word) =>
    Array.from({ length: word.length - 1 }, (_, at): [string, string] => [
      word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2),
      word,
    ]).filter(([swapped]) => swapped !== word && !WORDS.includes(swapped)),
  ),
);

export function corrected(tokens: readonly Token[]): Token[] {
  return tokens.map((token) => {
    const right = token.kind === "word" && token.text === token.norm ? SWAPPED.get(token.norm) : undefined;
    return right === undefined ? token : { ...token, norm: right };
  });
}
