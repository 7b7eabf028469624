import { type KnownNames, phraseOf } from "#rules/grammar/names.ts";
import { isAddress } from "#rules/grammar/runs.ts";
import { all, type ChoreForm } from "./chore-form.ts";

const EVERY = "[[all|every|each|any] [of] [the|our]]";
/** “References to” an address are links, not words of the text: the slot records that they were mentioned. */
const OCCURRENCES =
  "((occurrences|occurrence|mentions|mention|instances|instance|appearances / references|reference|uses|use|usages|usage {uses:nothing}) [of|to|for])";
/** “The text "X"” names X itself. “The text of "X"” belongs to a page or a section: for a word, only its spelling is possible. */
const KIND = "([the|our] [old|former|outdated|deprecated|wrong|new|right|correct]* [product|brand|company|project|feature] (word|words|term|terms|phrase|phrases|name|names|text|string|abbreviation|expression / spelling|typo|typos|misspelling|misspellings [of] / product|brand|company|feature|project))"; // oxfmt-ignore
const NEW_KIND = "[the] [new|correct|right]* [product|brand|company|project|feature] [word|term|phrase|name|text|string|spelling|product]"; // oxfmt-ignore
const WITH = "(with|by|->|to|into|for|as)";
const BY = "(with|by|->)";
const VERB = "(replace|change|update|convert|correct / find [all] and replace / search and replace)";
/** If two things are swapped, each becomes the other: only “for” tells which one is old. */
const SWAP = "(exchange|switch|swap / swap out)";
const FOR = "(for|by|->|to|into)";
const INSTEAD = "(instead of / rather than / in place of / and not / , not / over)";
const MORE = "[,] [and|&]";

const q = (slot: string) => `{${slot}:quoted}`;
/** Further pairs, such as “"c" with "d"”. */
const PAIRS = `[${MORE} [${KIND}] ${q("from")} ${WITH} ${q("to")}]*`;

function named(slot: string, type: string): string {
  return `(${q(slot)} / {${slot}:${type}})`;
}

/**
 * If both sides are quoted, they can only be words. “Was called X” names the new word, so it is not a form; neither is “is
 * called X”, which is a statement, not a request.
 */
const QUOTED = [
  `substitute ${EVERY} [${OCCURRENCES}] [${KIND}] ${q("from")} ~ ${BY} ${NEW_KIND} ${q("to")}`,
  `${VERB} ${EVERY} [${OCCURRENCES}] [${KIND}] ${q("from")} ~ ${WITH} ${NEW_KIND} ${q("to")}`,
  // A part of the docs inside the first of several pairs may only be meant for that one.
  `${VERB} ${EVERY} [${OCCURRENCES}] [${KIND}] ${q("from")} ${WITH} ${NEW_KIND} ${q("to")} ${PAIRS}`,
  `${SWAP} ${EVERY} [${OCCURRENCES}] [${KIND}] ${q("from")} ~ ${FOR} ${NEW_KIND} ${q("to")}`,
  `${VERB} ${EVERY} [${OCCURRENCES}] [${KIND}] ${q("from")} [(${MORE} / or) ${q("from")}]* ${WITH} ${NEW_KIND} ${q("to")}`,
  // “"a" in guides/ and "b" with "c"”: a second term, which could be read as a second place.
  `(${VERB} / substitute) ${EVERY} [${OCCURRENCES}] [${KIND}] ${q("from")} ~ ${MORE} ${q("from")} ${WITH} ${NEW_KIND} ${q("to")}`,
  `${SWAP} ${EVERY} [${OCCURRENCES}] [${KIND}] ${q("from")} ~ ${MORE} ${q("from")} ${FOR} ${NEW_KIND} ${q("to")}`,
  `${VERB} ${EVERY} [${OCCURRENCES}] [${KIND}] ${q("from")} and ${q("from")} ${WITH} ${NEW_KIND} ${q("to")} and ${q("to")} [[,] respectively]`,
  `(find|search|look [for]) ${EVERY} [${OCCURRENCES}] [${KIND}] ${q("from")} [,] and replace|change|substitute (it|them|each|all|these|those) ~ ${WITH} ${NEW_KIND} ${q("to")}`,
  `rename ${EVERY} [${OCCURRENCES}] ${KIND} [from] ${q("from")} to|as|into|-> ${q("to")}`,
  `(fix|correct) ${KIND} [:] ${q("from")} [,] (to|-> / [which|it] should be|read) ${q("to")}`,
  `[[the] [term|word|phrase|name|spelling] :] ${q("from")} -> ${q("to")} [[,] [and] ${q("from")} -> ${q("to")}]*`,
  `${EVERY} [${OCCURRENCES}] [${KIND}] ${q("from")} should|must|shall (be|read|become / be called|spelled|spelt|written [as] / be replaced|renamed with|by|to) ${q("to")}`,
  `substitute ${NEW_KIND} ${q("to")} for ${EVERY} [${KIND}] ${q("from")}`,
  `[consistently] (use|say|write|prefer) [the] [term|word|name|phrase] ${q("to")} ${INSTEAD} [the] [term|word|name|phrase] ${q("from")} [${MORE} [use|say|write] ${q("to")} ${INSTEAD} ${q("from")}]*`,
  `get rid of [the] [term|word|name|phrase] ${q("from")} [,] and use|say|write ${q("to")} [instead]`,
  `[consistently] (spell|write) [out] ${q("from")} as ${q("to")}`,
];

/** Names without quotation marks, with a word which shows that words are meant. */
const SAID = [
  `(replace / find and replace) ${EVERY} [${OCCURRENCES}] [${KIND}] ${named("from", "term.name")} ${BY} ${NEW_KIND} ${named("to", "term.name")}`,
  `(${VERB} / ${SWAP}) ${EVERY} ${OCCURRENCES} [${KIND}] ${named("from", "term.name")} ${WITH} ${NEW_KIND} ${named("to", "term.name")} [${MORE} ${EVERY} ${OCCURRENCES} [${KIND}] ${named("from", "term.name")} ${WITH} ${NEW_KIND} ${named("to", "term.name")}]*`,
  `(${VERB} / ${SWAP}) ${EVERY} [${OCCURRENCES}] ${KIND} ${named("from", "term.name")} ${WITH} ${NEW_KIND} ${named("to", "term.name")}`,
  `rename ${EVERY} [${OCCURRENCES}] ${KIND} [from] ${named("from", "term.name")} to|as|into|-> ${named("to", "term.name")}`,
  `[${KIND}] ${named("from", "term.name")} (is now called|named) ${named("to", "term.name")} [,] [please] (update|change) ${EVERY} (mentions|references|occurrences|docs)`,
  `${KIND} ${named("from", "term.name")} is now [called] ${named("to", "term.name")} [,] [please] (update|change) [all|the|our]* (mentions|references|occurrences|docs)`,
  `(we [have] renamed|rebranded) ${named("from", "term.name")} to|as ${named("to", "term.name")} [,] [please|and / (can|could you [please])] (update|change) ${EVERY} (mentions|references|occurrences|docs)`,
  `(use|say|write) [the] term|word|name|phrase ${named("to", "term.name")} ${INSTEAD} [the] [term|word|name|phrase] ${named("from", "term.name")}`,
  // “the term webhook” can only be literal; “the word cloud” may be a thing, but a thing is not a term.
  `(replace|change|update|exchange|switch|swap / swap out) [the|every|each] term|terms ${named("from", "term.words")} ${WITH} [the] [[new|right] term] ${named("to", "term.words")}`,
  `replace [the|every|each] word ${named("from", "term.word")} ${BY} [the] [[new|right] word|term] ${named("to", "term.word")}`,
  `rename [the|every|each] term|word ${named("from", "term.words")} to|as|into|-> [the] [[new|right] term|word] ${named("to", "term.words")}`,
];

const HONOURED = ["in", "except", "only", "includeCode", "letterCase", "wholeWord", "plural"] as const;

function pairs(
  slots: Slots,
  _options: Readonly<Record<string, unknown>>,
  names: KnownNames,
): Record<string, unknown>[] | null {
  const from = all(slots, "from");
  const to = all(slots, "to");
  if (to.length !== 1 && from.length !== to.length) return null;
  if (slots["uses"] !== undefined && from.some(isAddress)) return null;
  if (from.some((term, at) => mayBePage(term, to[at] ?? to[0] ?? "", names))) return null;
  // Markers of a list or of emphasis: the chore for them knows which are meant.
  if ([...from, ...to].every((sign) => /^[-*+_]{1,3}$/.test(sign))) return null;
  const found = from.map((term, at) => ({ from: term, to: to.length === 1 ? to[0] : to[at] }));
  return found.some((pair) => pair.from === pair.to) ? null : found;
}

/**
 * Whether one address replaces another, of a page or an image that exists or may exist: the file would keep its place, and
 * so would links.
 */
function mayBePage(from: string, to: string, names: KnownNames): boolean {
  const [old, fresh] = [from, to].map((text) => /^\/?([\w.-]+(?:\/[\w.-]+)*)\/?$/.exec(text)?.[1]);
  if (old === undefined || fresh === undefined) return false;
  if (/\.mdx?$|\/.+\.(?:png|jpe?g|gif|svg|webp|avif)$/i.test(old)) return true;
  return from.includes("/") && to.includes("/") && (!names.isKnown || names.paths.has(old.toLowerCase()));
}

type Slots = Parameters<ChoreForm["inputs"]>[0];

export const termForms: readonly ChoreForm[] = [
  {
    tool: "replace_term",
    forms: [...QUOTED, ...SAID],
    honours: HONOURED,
    example: 'Replace "old name" with "new name" everywhere',
    isForAllDocs: true,
    inputs: pairs,
  },
  {
    // In all of the docs only words can be renamed. In a part of them, the thing with that name is meant: a page, a group
    // or a heading.
    tool: "replace_term",
    forms: [`rename ${q("from")} to|as|into|-> ${q("to")}`],
    honours: HONOURED,
    inputs(slots, options, names) {
      if (options["everywhere"] === true) return pairs(slots, options, names);
      const phrases = all(slots, "from").map(phraseOf);
      const isName = phrases.some((one) => names.titles.has(one) || names.groups.has(one) || names.headings.has(one));
      return options["in"] === undefined || !names.isKnown || isName ? null : pairs(slots, options, names);
    },
  },
  {
    // In lower case it is a term only if the request says that all docs are meant.
    tool: "replace_term",
    forms: [`replace {from:term.word} ${BY} {to:term.word}`],
    honours: HONOURED,
    inputs: (slots, options, names) => (options["everywhere"] === true ? pairs(slots, options, names) : null),
  },
];
