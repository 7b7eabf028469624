import type { ChoreForm } from "./chores/chore-form.ts";

/** Synonyms of verbs. A verb in no row only matches itself. */
const SAME_VERBS = [
  "add create write insert put make append",
  "remove delete drop erase",
  "fix repair correct resolve mend",
  "set change update give",
  "move relocate place",
  "mark flag treat decorate",
  "check verify validate test",
  "list find report show",
  "generate build",
].map((row) => row.split(" "));

/** Objects of instructions, the specific before the general: "orphan pages" are not any pages. */
const OBJECTS = [
  /\balt(?:ernative)?\b/, /\borphan/, /\bchangelog/, /\bkeyword/, /\bdescription/, /\btitle\b/, /\bsection/, /\b(?:note|warning|tip|info|callout)\b/,
  /\bimage|\.(?:png|jpe?g|gif|svg|webp)\b/, /\blink/, /\bnav|\bsidebar/, /\bglossary/, /\bcase\b/, /\bapi\b/, /\bpages?\b/, /\bdocs\b/,
]; // oxfmt-ignore

/**
 * The example with the same verb and object; null when there is none. An example that changes pages in all of the docs must
 * contain each word of the request.
 */
export function nearestExample(words: string, forms: readonly ChoreForm[]): string | null {
  const requested = verbAndObjectOf(words);
  if (requested.object === -1 && !/^\p{L}+$/u.test(words)) return null;
  const wanted = new Set(stems(words));
  let best: { example: string; shared: number } | null = null;
  for (const { example, isForAllDocs } of forms) {
    if (example === undefined) continue;
    const known = verbAndObjectOf(example);
    if (known.verb !== requested.verb || (known.object !== requested.object && requested.object !== -1)) continue;
    if (isForAllDocs && !hasSameWords(words, example)) continue;
    const shared = stems(example).filter((stem) => wanted.has(stem)).length;
    if (best === null || shared > best.shared) best = { example, shared };
  }
  return best?.example ?? null;
}

/** The verb of a sentence, and the object between it and the first preposition. */
function verbAndObjectOf(words: string): { verb: string; object: number } {
  const plain = words.toLowerCase().replaceAll(/"[^"]*"/g, " ");
  const [verb = ""] = /^\p{L}+/u.exec(plain) ?? [];
  const [head = ""] = plain
    .slice(verb.length)
    .split(/\s(?:to|of|in|on|at|from|with|without|for|about|as|after|before|under|below|into|by|saying|titled)\s/);
  const row = SAME_VERBS.find((verbs) => verbs.includes(verb));
  return { verb: row?.[0] ?? verb, object: OBJECTS.findIndex((object) => object.test(head)) };
}

/** Whether the example contains each word of the request, ignoring its last letter. */
function hasSameWords(words: string, example: string): boolean {
  if (/\b(?:the|a|an|this|that|my|our) page\b/i.test(words)) return false;
  const known = stems(example);
  return stems(words).every((stem) => known.some((each) => each.slice(0, -1) === stem.slice(0, -1)));
}

function stems(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll(/"[^"]*"/g, " ")
      .match(/\p{L}{3,}/gu) ?? [];
  return words
    .filter((word) => !/^(?:the|and|with|for|from|all|under|into|page)$/.test(word))
    .map((word) => word.slice(0, 5));
}
