/**
 * The other number of an English noun phrase: `webhook` for `webhooks` and the other way round. Null if the last word has none
 * that can be derived from its letters (other scripts, names with digits, `status`).
 */
export function otherNumber(phrase: string): { phrase: string; number: "plural" | "singular" } | null {
  const whole = phrase.trim();
  const [word = ""] = /(?<![A-Za-z])[A-Za-z]+$/.exec(whole) ?? [];
  const lead = whole.slice(0, whole.length - word.length);
  if (word.length < 3 || word === word.toUpperCase()) return null;
  const singular = singularOf(word);
  if (singular !== null) return { phrase: lead + singular, number: "singular" };
  return /(?:ss|us|is|os|as)$/i.test(word) && !/ss$/i.test(word)
    ? null
    : { phrase: lead + pluralOf(word), number: "plural" };
}

/** The singular of a word that looks like a plural; null for any other. */
function singularOf(word: string): string | null {
  if (!/s$/i.test(word) || /(?:ss|us|is|os|as|news|series)$/i.test(word)) return null;
  if (/[^aeiou]ies$/i.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|ss|x|zz)es$/i.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function pluralOf(word: string): string {
  if (/[^aeiou]y$/i.test(word)) return `${word.slice(0, -1)}ies`;
  return word + (/(?:s|x|z|ch|sh)$/i.test(word) ? "es" : "s");
}

/**
 * The indefinite article before words, by the sound of their first letters: `an API key`, `a URL`, `an hour`. Null if no
 * English article is certain, such as before a digit or another script.
 */
export function articleBefore(words: string): "a" | "an" | null {
  const [word = ""] = /^[A-Za-z]+/.exec(words) ?? [];
  if (word === "" || /^(?:the|an?|this|that|these|those|your|our|my|its|their|each|every|any|no)$/i.test(word))
    return null;
  const isSpelled = word.length > 1 && word === word.toUpperCase() && (word.length <= 3 || !/[AEIOUY]/.test(word));
  if (isSpelled || word.length === 1) return /^[AEFHILMNORSX]/i.test(word) ? "an" : "a";
  if (/^(?:hour|honest|honou?r|heir)/i.test(word)) return "an";
  if (
    /^(?:one|once|ubiquit|unanim|uni(?!n|m|d|nt)|us(?:e|ab|ag|ing|ual|ur|er)|ut(?:il|op)|eu|ewe|url|uuid|ui\b)/i.test(
      word,
    )
  )
    return "a";
  return /^[aeiou]/i.test(word) ? "an" : "a";
}
