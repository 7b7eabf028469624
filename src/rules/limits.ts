/** Words that take something out of an instruction. A chore that does not know them would do more than was asked. */
const LIMITS =
  /(?:^|[\s,(])((?:but|except|excluding|unless|only|without|not|never|do not|don['’]t|doesn['’]t|leave|leaving|keep|keeping|ignoring|skip|skipping|avoid|apart from|aside from|other than|if|unless|once|while)\b.*)$/is;
const LIMITING_WORDS =
  /\b(?:external|outdated|stale|missing(?! (?:page |meta |image )?(?:descriptions?|alt|pages?)\b)|plurals?|case[- ]sensitive(?:ly)?)\b/i;

/** The part of a clause that limits it, and what stands before that part; null for a clause without limits. */
export function limitOf(words: string): { phrase: string; before: string; at: number } | null {
  const limit = LIMITS.exec(words);
  if (limit?.[1] !== undefined) {
    const at = limit.index + limit[0].length - limit[1].length;
    return { phrase: limit[1].replace(/[\s.,;)]+$/, ""), before: words.slice(0, at).replace(/[\s,(]+$/, ""), at };
  }
  const word = LIMITING_WORDS.exec(words);
  return word && { phrase: word[0], before: words.slice(0, word.index).trim(), at: word.index };
}
