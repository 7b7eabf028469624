import { choreForms } from "./chores/chore-forms.ts";
import { hasTrait } from "./chores/chore-traits.ts";
import { type KnownNames, NO_NAMES } from "./grammar/names.ts";
import type { Repair } from "./repair.ts";
import { isHalfQuoted, newAsked, readClause } from "./read-clause.ts";
import { tokensOf } from "./grammar/tokens.ts";
import { limitOf } from "./limits.ts";
import { nearestExample } from "./nearest-example.ts";
import { ANY_QUOTED, protectQuotes, wordsOf } from "./grammar/prompt-text.ts";
import { quotedReplacement, readingsOf, renamings, unsaidTerm } from "./quoted-replacement.ts";
import type { Clause } from "./sentence.ts";
import { trimClause } from "./remarks.ts";
import { LANGUAGE_VERBS } from "./grammar/vocabulary.ts";

/** What can be told besides the clause itself. */
interface Help {
  names: KnownNames;
  repair: Repair | null;
}

/** Why a clause is not carried out, as the end of a sentence. */
export function reasonFor(clause: Clause, { names, repair }: Help): string {
  const { text } = clause;
  const verb = /^\p{L}+/u.exec(text)?.[0].toLowerCase() ?? "";
  if (tokensOf(text, clause.quotes).some(isHalfQuoted))
    return "one of its quotation marks has no partner, so where the quotation ends is not known";
  const limit = limitIn(clause);
  if (/^send one of these\b/i.test(text)) return "choose one of the sentences that follow, and send it alone";
  if (text.length > 1_000) return "it is too long for one instruction";
  if (LANGUAGE_VERBS.includes(verb)) return `to ${verb} text needs a language model, which the built-in rules are not`;
  if (limit === null && repair !== null) return `“${repair.without}” is in the way: it is no word of this instruction`;
  if (groupOrAll(clause, names) !== null)
    return "a group of the navigation is called so. Say which of the two is meant";
  const unnamed = UNNAMED.exec(text);
  if (unnamed)
    return `“${unnamed[1] ?? ""}” names no page. Name the page, or say “all pages in …” where a part of the docs is meant`;
  const spared = limit === null ? undefined : SPARED.exec(text)?.[1];
  if (spared !== undefined)
    return `${wordsOf(spared, clause.quotes)} may be the page of that title, or a word that shall stay. Say “except on the page …”, or “but leave … alone” of a word`;
  if (limit !== null) return `the built-in rules cannot keep to “${limit.phrase}”`;
  if (BOTH_WAYS.test(text))
    return "two things that are swapped with each other would both change. Say which one is replaced by which";
  const unsaid = unsaidTerm(clause);
  if (unsaid !== null) return unsaid;
  if (isSameTerm(clause)) return "the new words are the old ones";
  if (names.groups.size === 0 && /\b(?:in|on|except|from)\b[^.]{0,20}\bgroup\b/i.test(text)) {
    return "it is not clear which pages the group has: no group has this title, or several have. Name the folder or the pages";
  }
  const other = OTHER_THINGS.find(([form]) => form.test(text));
  if (other) return other[1];
  if (
    /\b(?:replace|change|rename)\b|->|\bshould|\bmust/i.test(text) &&
    clause.quotes.some((quote) => PAGE_ADDRESS.test(quote))
  )
    return "it may be about words or about a page, which would stay where it is. “Move the page … to …” moves it, “Add a redirect from … to …” leads its readers";
  if (verb === "rename") return "it does not say whether a page or a term shall be renamed";
  return "it is not among the instructions that the built-in rules know";
}

/** What people ask for often and no chore does, by what the chores do instead. */
const OTHER_THINGS: readonly (readonly [form: RegExp, reason: string])[] = [
  [/^(?:(?:do )?(?:exactly )?(?:the )?same (?:thing )?(?:also )?(?:for|in|on|with|under|to)\b|try (?:it |that )?again|once more|retry|again)\b/i, "it speaks of the turn before, which was not carried out, was an undo, or cannot be done there as well. Say the whole sentence"],
  [/^(?:rename|retitle)\s(?:the )?(?:(?:navigation|sidebar|nav) )?(?:group|page)\s.+\s(?:to|as|into)\s[^\uE000]+$/iu, "where the new name ends is not certain. Put it in quotation marks"],
  [/^(?:set|change|update)\s.{0,60}\b(?:tag|icon|sidebar ?title)\b.{0,100}\s(?:to|as)\s[\w-]+$/i, "its last word may be the value, or say how the value shall be. Put a value in quotation marks"],
  [/^(?:set|change|update|remove|delete|drop|give|add)\s.{0,60}\b(?:key|field)\b/iu, "of a page's front matter say “the front matter key …”; words of its text are changed by “Replace … with …”"],
  [/^rename\b.{0,20}\b(?:heading|header|section)\b/i, 'the built-in rules rename no single heading. “Replace "old" with "new" in headings” changes the words in all headings'],
  [/^rename\b.{0,20}\b(?:tab|anchor|dropdown|product|version|language)\b/i, "of the navigation only groups can be renamed. Change the others in docs.json"],
  [/^(?:move|put|place)\b.{0,80}\b(?:after|before|above|below|behind)\b/i, "the built-in rules move a page to a path or into a group, and do not order the pages of a group. Change the order in docs.json"],
]; // oxfmt-ignore

function isSameTerm({ text, quotes }: Clause): boolean {
  const [one, other, third] = tokensOf(text, quotes).filter(({ kind }) => kind === "quote");
  return third === undefined && one !== undefined && one.text === other?.text;
}

/** A quotation behind words that leave out. */
const SPARED = new RegExp(
  `\\b(?:except|excluding|not|apart from|aside from|other than)(?: for| in)? (${ANY_QUOTED})`,
  "iu",
);

const UNNAMED = /\b(every|each|this|that|another) page\b/i;

/** The limit of a clause in the person's words; what is quoted limits nothing. */
function limitIn({ text, quotes }: Clause): ReturnType<typeof limitOf> {
  const words = wordsOf(text, quotes);
  const limit = limitOf(
    wordsOf(
      text,
      quotes.map((quote) => quote.replaceAll(/\S/g, "_")),
    ),
  );
  return (
    limit && {
      at: limit.at,
      phrase: words.slice(limit.at, limit.at + limit.phrase.length),
      before: words.slice(0, limit.before.length),
    }
  );
}

/**
 * A sentence to send instead, one that does no harm: the clause without what holds it back, held to a part of the docs
 * that has to be named; or the example with its verb and its object, which names pages that do not exist.
 */
export function hintFor(clause: Clause, { names, repair }: Help): string | null {
  const words = wordsOf(clause.text, clause.quotes);
  if (words.length > 300) return null;
  const limit = limitIn(clause);
  // Without its condition a sentence asks for more than it did.
  if (limit !== null) return CONDITION.test(limit.phrase) ? null : heldToAPart(limit.before);
  // What is in the way may turn the sentence around: an example of it would be no better than the sentence without it.
  if (repair !== null) return repair.sentence;
  const readings =
    groupOrAll(clause, names) ??
    (STANDS_FOR.test(clause.text) ? null : (renamings(clause, names) ?? readingsOf(clause)));
  if (readings !== null)
    return readings.length === 1 ? (readings[0] ?? null) : ["Send one of these:", ...readings].join("\n");
  if (OTHER_THINGS.some(([form]) => form.test(clause.text))) return null;
  // Half of a swap cannot be told from what was there before; and “the company” is no word to replace.
  if (BOTH_WAYS.test(clause.text) || STANDS_FOR.test(clause.text)) return null;
  const quoted = quotedReplacement(clause);
  if (quoted !== null) return meaningOf(quoted) === null ? null : quoted;
  return unsaidTerm(clause) === null ? nearestExample(words, choreForms) : null;
}
const PAGE_ADDRESS = /^\/?[\w-]+(?:\/[\w.-]+)+$|^\/[\w-]+$|\.mdx?$/i;
const BOTH_WAYS = /^(?:swap|exchange|switch)\s(?!out\b).+\swith\s/i;
/** A thing by what it is, whose name is not said. */
const STANDS_FOR =
  /\b(?:the|our|my) (?:\S+ )?(?:compan(?:y|ies)|apps?|tools?|brands?|platforms?|products?|(?:product )?names?|titles?|texts?|intro(?:duction)?s?|descriptions?|headings?|pages?|words?|terms?|services?|(?:web)?sites?|projects?|sections?|logos?) (?:to|with|by|into|as|for)\b/i;
const CONDITION = /^(?:if|unless|once|while|when|until)\b/i;

/** “In All pages”, where a group is called so: both sentences that it may stand for. */
function groupOrAll({ text, quotes }: Clause, names: KnownNames): string[] | null {
  const said = /(?<=\S\s)(All|Every|Each) (pages?|docs|files?|articles?)\b/.exec(text)?.[0];
  if (said === undefined || !names.groups.has(said.toLowerCase())) return null;
  const sentences = [`the group "${said}"`, said.toLowerCase()].map((words) =>
    wordsOf(text.replace(said, words), quotes),
  );
  const found = sentences.filter((sentence) => meaningOf(sentence, names) !== null);
  return found.length > 0 ? found : null;
}

function heldToAPart(words: string): string | null {
  const bare = words === "" ? null : meaningOf(trimClause(words));
  if (bare?.some(({ input }) => "in" in input)) return null;
  const sentence = `${trimClause(words)} in "folder"`;
  const meaning = words === "" ? null : meaningOf(sentence);
  const isHeld = meaning?.every(({ tool, input }) => hasTrait(tool, "isHeldToAPart") && "in" in input);
  return isHeld ? sentence : null;
}

function meaningOf(sentence: string, names: KnownNames = NO_NAMES): ReturnType<typeof readClause>[number] | null {
  const { text, quotes } = protectQuotes(sentence);
  const meanings = readClause(tokensOf(text, quotes), newAsked(names));
  return meanings.length === 1 ? (meanings[0] ?? null) : null;
}
