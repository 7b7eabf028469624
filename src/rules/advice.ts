import { choreForms } from "./chores/chore-forms.ts";
import { hasTrait } from "./chores/chore-traits.ts";
import { type KnownNames, NO_NAMES, phraseOf } from "./grammar/names.ts";
import { isPlainName } from "./grammar/plain-name.ts";
import { ANY_QUOTED, protectQuotes, restore, wordsOf } from "./grammar/prompt-text.ts";
import { tokensOf } from "./grammar/tokens.ts";
import { LANGUAGE_VERBS } from "./grammar/vocabulary.ts";
import { nearestExample } from "./nearest-example.ts";
import { isHalfQuoted, newClauseContext, readClause } from "./read-clause.ts";
import { trimClause } from "./remarks.ts";
import { repaired } from "./repair.ts";
import type { Clause } from "./sentence.ts";

/**
 * Why a clause is not carried out, as the end of a sentence, and what to send instead: one harmless sentence, or several to
 * choose from.
 */
export interface Advice {
  reason: string;
  hint: string | null;
}

const MAX_WORDS = 300;

export function adviceFor(clause: Clause, names: KnownNames, mayRepair: boolean): Advice {
  const text = clause.text.slice(0, 2_000).replaceAll(/\s+/g, " ");
  const said = { ...clause, text };
  const words = wordsOf(text, clause.quotes);
  const because = (reason: string, hint: string | null = null): Advice => ({ reason, hint });
  if (tokensOf(text, clause.quotes).some(isHalfQuoted))
    return because("one of its quotation marks has no partner, so where the quotation ends is not known");
  if (/^send one of these\b/i.test(text)) return because("choose one of the sentences that follow, and send it alone");
  if (words.length > 1_000) return because("it is too long for one instruction");
  const verb = /^\p{L}+/u.exec(text)?.[0].toLowerCase() ?? "";
  if (LANGUAGE_VERBS.includes(verb))
    return because(`to ${verb} text needs a language model, which the built-in rules are not`);
  const groupOrAll = sentencesOfGroupOrAll(said, names);
  if (groupOrAll.length > 0)
    return because("a group of the navigation is called so. Say which of the two is meant", oneOf(groupOrAll));
  const unnamed = /\b(every|each|this|that|another) page\b/i.exec(text);
  const limit = limitOf(said);
  if (limit !== null) {
    const hint =
      words.length > MAX_WORDS || /^(?:if|unless|once|while|when|until)\b/i.test(limit.phrase)
        ? null
        : limitedToPart(limit.before);
    return because(`the built-in rules cannot keep to “${limit.phrase}”`, hint);
  }
  const repair = mayRepair ? repaired(said, names) : null;
  if (repair !== null)
    return because(`“${repair.without}” is in the way: it is no word of this instruction`, repair.sentence);
  if (BOTH_WAYS.test(text))
    return because("two things that are swapped with each other would both change. Say which one is replaced by which");
  const [other] = OTHER_THINGS.filter(([form]) => form.test(text));
  const reason = unnamed
    ? `“${unnamed[1] ?? ""}” names no page. Name the page, or say “all pages in …” where a part of the docs is meant`
    : (noTermReason(said) ?? other?.[1] ?? "it is not among the instructions that the built-in rules know");
  if (words.length > MAX_WORDS || STANDS_FOR.test(text)) return because(reason);
  const replacements = replacementsOf(said, names);
  if (replacements.length > 0)
    return because(
      verb === "rename" ? "it does not say whether a page or a term is to be renamed" : reason,
      oneOf(replacements),
    );
  return because(reason, other || noTermReason(said) !== null ? null : nearestExample(words, choreForms));
}

const oneOf = (sentences: readonly string[]): string =>
  sentences.length > 1 ? ["Send one of these:", ...sentences].join("\n") : (sentences[0] ?? "");
const BOTH_WAYS = /^(?:swap|exchange|switch)\s(?!out\b).+\swith\s/i;
/** A description of a thing without its name. */
const STANDS_FOR =
  /\b(?:the|our|my) (?:\S+ )?(?:company|apps?|tools?|brand|platform|products?|names?|titles?|texts?|intro(?:duction)?|descriptions?|headings?|pages?|words?|terms?|site|project|sections?) (?:to|with|by|into|as|for)\b/i;

/** Frequent requests that no chore covers, with what the chores do instead. */
const OTHER_THINGS: readonly (readonly [form: RegExp, reason: string])[] = [
  [/^(?:(?:do )?(?:exactly )?(?:the )?same (?:thing )?(?:also )?(?:for|in|on|with|under|to)\b|try (?:it |that )?again|once more|retry|again)\b/i, "it speaks of the turn before, which was not carried out, was an undo, or cannot be done there as well. Say the whole sentence"],
  [/^(?:rename|retitle)\s(?:the )?(?:(?:navigation|sidebar|nav) )?(?:group|page)\s.+\s(?:to|as|into)\s[^\uE000]+$/iu, "where the new name ends is not certain. Put it in quotation marks"],
  [/^(?:set|change|update)\s.{0,60}\b(?:tag|icon|sidebar ?title)\b.{0,100}\s(?:to|as)\s[\w-]+$/i, "its last word may be the value, or say how the value is to be. Put a value in quotation marks"],
  [/^(?:add|put|insert|append|write)\s(?:(?:the|a|this|another) )?(?:sentence|paragraph|line|text|words?)\b/i, 'the built-in rules add no words to the text of a page. They add a note (“Add a note to "Title" with the text "…"”) or a section (“Add a section titled "…" to "Title" with the text "…"”)'],
  [/^(?:set|change|update|remove|delete|drop|give|add)\s.{0,60}\b(?:key|field)\b/iu, "of a page's front matter say “the front matter key …”; words of its text are changed by “Replace … with …”"],
  [/^rename\b.{0,20}\b(?:heading|header|section)\b/i, 'the built-in rules rename no single heading. “Replace "old" with "new" in headings” changes the words in all headings'],
  [/^rename\b.{0,20}\b(?:tab|anchor|dropdown|product|version|language)\b/i, "of the navigation only groups can be renamed. Change the others in docs.json"],
  [/^(?:move|put|place)\b.{0,80}\b(?:after|before|above|below|behind)\b/i, "the built-in rules move a page to a path or into a group, and do not order the pages of a group. Change the order in docs.json"],
]; // oxfmt-ignore

/** Words that restrict an instruction. A chore that ignored them would do more than requested. */
const LIMITS =
  /(?:^|[\s,(])((?:but|except|excluding|unless|only|without|not|never|do not|don['’]t|doesn['’]t|leave|leaving|keep|keeping|ignoring|skip|skipping|avoid|apart from|aside from|other than|if|once|while)\b.*)$/is;
const LIMITING_WORDS =
  /\b(?:external|outdated|stale|missing(?! (?:page |meta |image )?(?:descriptions?|alt|pages?)\b)|plurals?|case[- ]sensitive(?:ly)?)\b/i;

/** The restriction of a clause in the person's words, and the text before it; quotations restrict nothing. */
function limitOf({ text, quotes }: Clause): { phrase: string; before: string } | null {
  const words = wordsOf(text, quotes);
  const bare = wordsOf(text, quotes.map((quote) => quote.replaceAll(/\S/g, "_"))); // oxfmt-ignore
  const found = LIMITS.exec(bare)?.[1]?.replace(/[\s.,;)]+$/, "") ?? LIMITING_WORDS.exec(bare)?.[0];
  if (found === undefined) return null;
  const at = bare.indexOf(found);
  return { phrase: words.slice(at, at + found.length), before: words.slice(0, at).replace(/[\s,(]+$/, "") };
}

/** A clause without its restriction, limited to a part of the docs that has to be named. */
function limitedToPart(words: string): string | null {
  if (words === "" || meaningOf(trimClause(words))?.some(({ input }) => "in" in input)) return null;
  const sentence = `${trimClause(words)} in "folder"`;
  const isHeld = meaningOf(sentence)?.every(({ tool, input }) => hasTrait(tool, "isHeldToAPart") && "in" in input);
  return isHeld ? sentence : null;
}

function meaningOf(sentence: string, names: KnownNames = NO_NAMES): ReturnType<typeof readClause>[number] | null {
  const { text, quotes } = protectQuotes(sentence);
  const [meaning, other] = readClause(tokensOf(text, quotes), newClauseContext(names));
  return meaning && !other ? meaning : null;
}

/** “In All pages”, if a group has that name: both sentences that it may mean. */
function sentencesOfGroupOrAll({ text, quotes }: Clause, names: KnownNames): string[] {
  const said = /(?<=\S\s)(All|Every|Each) (pages?|docs|files?|articles?)\b/.exec(text)?.[0];
  if (said === undefined || !names.groups.has(said.toLowerCase())) return [];
  const sentences = [`the group "${said}"`, said.toLowerCase()].map((words) =>
    wordsOf(text.replace(said, words), quotes),
  );
  return sentences.filter((sentence) => meaningOf(sentence, names) !== null);
}

const isQuoted = (text: string): boolean => new RegExp(`^${ANY_QUOTED}$`).test(text);
/** One word, or several capitalized ones: “first webhook” and “callback in headings” are not names. */
const isBareName = (text: string): boolean =>
  isPlainName(text) &&
  /^(?!(?:it|its|this|that|these|those|them|everything|nothing|anything|something|all|none|both|one|others?)\b)[^\uE000"/]{1,60}$/iu.test(
    text,
  ) &&
  text.split(" ").every((word, _at, words) => words.length === 1 || (words.length < 4 && /^\p{Lu}/u.test(word)));
const CALLED = /^(?:(?:the|every|each|all)\s+)?(?:(?:words?|terms?|names?|phrases?|text|spelling)\s+)?/i;
const CHANGE =
  /^(replace|change|rename|update|substitute|exchange|switch|convert|swap(?: out)?|use|say|write|correct)\s+(.{1,80}?)\s+(with|by|to|for|into|as|instead of|rather than|in place of)\s+(.{1,80})$/i;

/** Why the sides of a replacement are not read as terms; null when that is not the problem. */
function noTermReason({ text, quotes }: Clause): string | null {
  const [, verb = "", one = "", , other = ""] = CHANGE.exec(text) ?? [];
  const [from, to] = [one, other.replace(/\s+everywhere$/i, "")].map((side) => side.replace(CALLED, "").trim());
  if (verb === "" || /^rename$/i.test(verb) || !from || !to) return null;
  if (isQuoted(from) && isQuoted(to))
    return restore(from, quotes) === restore(to, quotes) ? "the new words are the old ones" : null;
  const isAboutAPart = /\b(?:descriptions?|titles?|icons?|tags?|keywords?|alt|navigation|sidebar|links?)\b/i.test(from);
  if (isAboutAPart && !isQuoted(from) && !new RegExp(ANY_QUOTED).test(from)) return null;
  const odd = [from, to].find((side) => !isQuoted(side) && !isBareName(side));
  return odd === undefined
    ? "it does not say whether words are to be replaced by words. Put both into quotation marks if so"
    : `“${wordsOf(odd, quotes)}” is neither a name nor one text in quotation marks. Put exactly the words that are to change into quotation marks`;
}

const SCOPE =
  /[,\s]+(?:everywhere|globally|(?:in|on|across) (?:all|every|each) (?:the )?(?:pages?|files?|docs)|(?:in|across) (?:the )?docs|(?:in|on|under) ([\w.*-]*\/[\w./*-]*)|(?:on|in) (?:the )?page (\S.{0,60}))$/i;

/**
 * Unambiguous wordings of the replacement that a clause probably requests. Empty if there is any other word, as it may
 * restrict it.
 */
function replacementsOf({ text, quotes }: Clause, names: KnownNames): string[] {
  const [scope = "", folder, page] = SCOPE.exec(text) ?? [];
  const [, verb = "", one = "", joint = "", other = ""] = CHANGE.exec(text.slice(0, text.length - scope.length)) ?? [];
  const sides = [one, other].map((side) => side.replace(CALLED, "").trim());
  // “Update Docker to Podman” may mean the words, in one of several places.
  const isOpen = /^(?:change|update|switch|convert|swap)$/i.test(verb) && folder === undefined && page === undefined;
  if (isOpen && sides.every((side) => /^[\w.-]+(?: [\w.-]+){0,2}$/.test(side))) {
    return ['in "folder"', "in headings", "in page titles"].map(
      (where) => `Replace "${sides.join('" with "')}" ${where}`,
    );
  }
  if (
    /^(?:use|say|write|correct|convert|switch)$/i.test(verb) ||
    / /.test(joint) ||
    !sides.every((side) => isQuoted(side) || isBareName(side))
  )
    return [];
  const [from = "", to = ""] = sides.map((side) => restore(side, quotes));
  if (from === "" || /["\n]/.test(from + to + restore(page ?? "", quotes))) return [];
  const where =
    folder !== undefined
      ? `in ${folder}`
      : page === undefined
        ? "everywhere"
        : `on the page "${restore(page, quotes)}"`;
  const sentence = `Replace "${from}" with "${to}" ${where}`;
  if (scope !== "" || !/^rename$/i.test(verb)) return meaningOf(sentence) === null ? [] : [sentence];
  const isNamed = (known: ReadonlyMap<string, unknown>) => known.has(phraseOf(from)) || !names.isKnown;
  return [
    ...(isNamed(names.groups) ? [`Rename the group "${from}" to "${to}"`] : []),
    ...(isNamed(names.titles) ? [`Rename the page "${from}" to "${to}"`] : []),
    sentence,
  ];
}
