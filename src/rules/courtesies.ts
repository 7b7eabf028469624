import { RESERVED } from "./grammar/runs.ts";
import { CHORE_VERBS, LANGUAGE_VERBS } from "./grammar/vocabulary.ts";

// Several expressions below take time with the square of what they look at; no instruction is as long as this.
export const MAX_SENTENCE_CHARACTERS = 2_000;
/** What stands around an instruction is short: only so much of its end is looked at. */
const MAX_TAIL_CHARACTERS = 160;

const LEADS =
  /(?:(?:good )?(?:morning|afternoon|evening)|please|pls|kindly|also|then|next(?! (?:steps?|tasks?|chores?|changes?|things?|lists?|week|month|year|release|up)\b)|now(?! and then\b)|finally|lastly|first(?:ly)?|second(?:ly)?|third(?:ly)?|after that|afterwards|and|additionally|in addition|furthermore|besides(?=,)|ok(?:ay)?|(?:hey|hi|hello|dear)(?: (?:(?:docs |doc )?(?:team|folks)|all|everyone|there|docent|agent|bot|colleagues))?|well|so|great|thanks|thank you|as a follow-?up)\b[\s,:!]*|(?:(?:can|could|would|will) you|(?:can|could) we|(?:can|could|would) (?:somebody|someone))(?: please| kindly| also)?\s+|(?:i(?:['’]d| would) like you|i want you|i need you|we(?:['’]d| would) like you|you (?:should|need|have)) to\s+|(?:i|we) (?:want|need|have|would like) to\s+|let(?:['’]s| us)\s+|it would be (?:great|nice) if you (?:could|would)\s+/;
const TAIL =
  /(?:[\s,]+(?:please|pls|plz|thanks|thank you|thx|and thank you|for me|for us|as well|too|right away|afterwards|if possible|no rush|for now|🙏|:\)|🙂)[!.]*)+$/iu;
/** “Can you …?” asks for it, “… ?” asks whether, as do “Will we …?” and “Can anybody …?”. */
const POLITE =
  /^(?:(?:hi|hello|hey|dear|please|ok(?:ay)?|and|also|then|so|team|all|everyone|there|docent|folks)[\s,!]+)*(?:(?:can|could|would|will) you|(?:can|could) we|(?:can|could|would) (?:somebody|someone))\b|[,–—-] ?(?:please |so )?(?:(?:can|could|would|will) you|(?:can|could) (?:we|somebody|someone))\b|\bplease\?+$/i;
/** A question mark that stands in no address. Words behind it do not make an order of it. */
const ASKS = /[?？](?![\p{L}\p{N}=&_/])/u;

const KIND =
  "(?:(?:naming|docs|documentation|team|product|marketing|legal|support|design|content|editorial|release|api|weekly|monthly|last) )?";
const DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const MEETING = `(?:the |our |today['’]s |yesterday['’]s |last week['’]s )?${KIND}(?:meeting|stand-?up|retro(?:spective)?|review|sync|call|planning)`;
/** “As agreed in the last review”: who wanted it, in closed words. */
export const AS_AGREED = `as (?:decided|agreed|announced|discussed)(?: (?:(?:in|at) ${MEETING}|(?:on|last) ${DAY}|yesterday|last week|by the ${KIND}team|with the ${KIND}team))?`;
const LEAD = new RegExp(`^(?:${LEADS.source}|${AS_AGREED}\\s*[,:]\\s*(?=\\S))+`, "i");
/** Why it is asked for, at its end. A closed list: an open word here could narrow, delay or call off what stands before it. */
const REASON_AFTER = new RegExp(`(?:,? ${AS_AGREED}|,? \\((?:closes|fixes|see|refs?) #\\d+\\))$`, "iu");
/** The same of what is removed. */
const NOT_NEEDED = /,? (?:we (?:don['’]t|do not) need it any ?more|all of them are fixed)$/i;
const REMOVAL = /^(?:remove|delete|drop|erase|get rid of|rm)\b/i;
/** Here "too" is no courtesy: it says that code is meant besides the text, or that a page shall stand in a second group as well. */
const CODE_TOO =
  /\b(?:add|put|move|place|list)\b.{1,80}\bgroup\b.{0,40},? (?:too|as well)$|\b(?:(?:code|plurals?|headings?|headers?|titles?)(?: blocks?| samples?| examples?| snippets?)?(?: (?:of|on|in) (?:(?:all|every|each|any|the|our|of) )*(?:pages?|files?|docs|articles?|guides?))?),? (?:too|as well)$/i;
/** Courtesies behind such a “too”. */
const BEHIND_TOO = new RegExp(TAIL.source.replace("as well|too|", ""), TAIL.flags);

const GREETING =
  /^(?:(?:hi|hello|hey|dear)(?: (?:(?:docs |doc )?(?:team|folks)|all|everyone|there|docent|agent|bot|hey|colleagues))?|(?:good )?(?:morning|afternoon|evening)|thanks?|thx|thank you|many thanks|(?:thanks|thank you) (?:so|very) much|(?:thanks|thank you) in advance|cheers|ta|thx a lot|thanks a lot|thanks a million|much appreciated|appreciated|greetings|please|that(?:['’]s| is) (?:all|it)|best|best regards|kind regards|regards|ok(?:ay)?|great|nice work|well done|(?:good|nice) catch|good point|no rush)$/i;
/** What goes on with one: “Thanks, everyone”. */
const GOES_ON = /^(?:team|all|there|everyone|docent|folks|so much|very much|in advance|for me|please)$/i;
const TO_A_PERSON = /^(?:hi|hello|hey|dear|thanks|thank you|cheers|best|regards) (\p{L}+(?: \p{L}+)?)$/iu;
const TO_SOMEBODY = /^(?:hi|hello|hey|dear) (\p{L}+)[,!]+\s+/iu;
const PERSON = /^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?$/u;
const NO_PERSON: ReadonlySet<string> = new Set([
  ...CHORE_VERBS,
  ...LANGUAGE_VERBS,
  ...RESERVED,
  ..."later tomorrow today soon wait stop cancel undo revert ignore skip never hold pause forget keep leave none nope yes nevermind abandon withdrawn obsolete duplicate eventually undone partially temporarily perhaps maybe wontfix invalid reopen conditionally january monday tuesday wednesday thursday friday saturday sunday".split(
    " ",
  ),
]);

/** “Thanks, Declined”: what became of a request. “Fred” and “Ahmed” are names. */
const DONE = /^\p{L}{4,}(?:ied|[^fm]ed)$/u;

/** Without courtesies and reasons around it. */
export function trimClause(clause: string): string {
  if (clause.length > MAX_SENTENCE_CHARACTERS) return clause.trim();
  const bare = withoutStart(withoutEnd(clause.trim()));
  if (isCourtesy(bare)) return bare;
  const saidToo = withoutEnd(cut(bare, BEHIND_TOO));
  const isToo = CODE_TOO.test(saidToo.slice(-MAX_TAIL_CHARACTERS));
  const tail = withoutReason(isToo ? saidToo : withoutEnd(cut(bare, TAIL)));
  const greeted = TO_SOMEBODY.exec(tail);
  const lead = (greeted && isPerson(greeted[1] ?? "") ? tail.slice(greeted[0].length) : tail).replace(LEAD, "");
  const trimmed = withoutEnd(REMOVAL.test(lead) ? cut(lead, NOT_NEEDED) : lead).trim();
  return trimmed === "" ? bare : trimmed;
}

/** Whether a sentence is a greeting, thanks or the like, in every word. */
export function isCourtesy(clause: string): boolean {
  if (clause.length > MAX_TAIL_CHARACTERS) return false;
  const parts = clause.split(/[,!]+/).map((part) => part.trim()).filter((part) => part !== ""); // oxfmt-ignore
  return parts.every((part, at) => {
    if (GREETING.test(part)) return true;
    const [, person] = TO_A_PERSON.exec(part) ?? [];
    if (person !== undefined) return isPerson(person);
    // A name is called behind a greeting or thanks. “Please, Abort” and “Ok, Rejected” call nobody.
    const isCalled = at > 0 && !/^(?:please|ok(?:ay)?|great|no rush|that\b.*)$/i.test(parts[at - 1] ?? "");
    return at > 0 && (GOES_ON.test(part) || (isCalled && isPerson(part)));
  });
}

/** Whether a sentence asks whether something is so, and is no polite request. */
export function isQuestion(sentence: string): boolean {
  return ASKS.test(sentence) && !POLITE.test(sentence.trim());
}

function isPerson(words: string): boolean {
  return PERSON.test(words) && words.split(" ").every((word) => !NO_PERSON.has(word.toLowerCase()) && !DONE.test(word));
}

function withoutReason(clause: string): string {
  const [found] = REASON_AFTER.exec(clause.slice(-MAX_TAIL_CHARACTERS)) ?? [];
  return found === undefined ? clause : clause.slice(0, clause.length - found.length);
}

/** Without what an expression finds at the end. */
function cut(clause: string, ending: RegExp): string {
  const [found] = ending.exec(clause.slice(-MAX_TAIL_CHARACTERS)) ?? [];
  return found === undefined ? clause : clause.slice(0, clause.length - found.length);
}

const ENDS = /[.!?,;:\s]/;
// Sign by sign: an expression that ends in “+$” starts anew at each of a run of signs.
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ENDS.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function withoutStart(text: string): string {
  let from = 0;
  while (from < text.length && /[\s,]/.test(text.charAt(from))) from += 1;
  return text.slice(from);
}
