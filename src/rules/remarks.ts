import type { ChoreCall } from "./chores/chore-form.ts";

/** Words around a request that request nothing. Each list is closed: any other word matters, and refuses the message. */

// Some expressions below take quadratic time; no instruction is this long.
export const MAX_SENTENCE_CHARACTERS = 2_000;
/** Words around an instruction are short: only this much of its end is searched. */
const MAX_TAIL_CHARACTERS = 160;

const KIND =
  "(?:(?:naming|docs|documentation|team|product|marketing|legal|support|design|content|editorial|release|api|weekly|monthly|last) )?";
const MEETING = `(?:the |our |today['’]s |yesterday['’]s )?${KIND}(?:meeting|stand-?up|retro(?:spective)?|review|sync|call|planning)`;
const AS_AGREED = `as (?:decided|agreed|announced|discussed)(?: (?:(?:in|at) ${MEETING}|yesterday|last week|(?:by|with) the ${KIND}team))?`;

const LEADS =
  "(?:(?:good )?(?:morning|afternoon|evening)|please|pls|kindly|also|then|next(?=,)|now(?! and then\\b)|finally|lastly|first(?:ly)?|second(?:ly)?|after that|afterwards|and|additionally|in addition" +
  "|ok(?:ay)?|(?:hey|hi|hello|dear)(?: (?:(?:docs |doc )?(?:team|folks)|all|everyone|there|docent|agent|bot|colleagues))?|thanks|thank you)\\b[\\s,:!]*" +
  `|${AS_AGREED}\\s*[,:]\\s*(?=\\S)` +
  "|(?:(?:can|could|would|will) you|(?:can|could) we|(?:can|could|would) (?:somebody|someone))(?: please| kindly| also)?\\s+" +
  "|(?:i(?:['’]d| would) like you|i want you|we(?:['’]d| would) like you) to\\s+|(?:i|we) (?:want|need|would like) to\\s+|let(?:['’]s| us)\\s+";
const LEAD = new RegExp(`^(?:${LEADS})+`, "i");
const TAIL =
  /(?:[\s,]+(?:please|pls|plz|thanks|thank you|thx|for me|for us|as well|too|right away|if possible|no rush|🙏|:\)|🙂)[!.]*)+$/iu;
const REASON_AFTER = new RegExp(`(?:,? ${AS_AGREED}|,? \\((?:closes|fixes|see|refs?) #\\d+\\))$`, "iu");
/** Here “too” means in addition to the text, or that a page is also in a second group. */
const TOO_COUNTS = /\b(?:code|plurals?|headings?|headers?|titles?|group)\b.{0,60},? (?:too|as well)$/i;
const TOO = /,? (?:too|as well)$/i;

const GREETING =
  /^(?:(?:hi|hello|hey|dear)(?: (?:(?:docs |doc )?(?:team|folks)|all|everyone|there|docent|agent|bot|colleagues))?|(?:good )?(?:morning|afternoon|evening)|(?:many )?thanks?|thx|thank you|(?:thanks|thank you) (?:so much|very much|in advance|a lot)|cheers|much appreciated|please|that(?:['’]s| is) (?:all|it)|(?:best |kind )?regards|ok(?:ay)?|great|no rush)$/i;
/** Continues a greeting: “Thanks, everyone”. */
const GOES_ON = /^(?:team|all|everyone|folks)$/i;

/** “Can you …?” is a request; “… ?” is a question, as are “Will we …?” and “Can anybody …?”. */
const POLITE =
  /^(?:(?:hi|hello|hey|dear|please|ok(?:ay)?|and|also|then|so|team|all|everyone|there|docent|folks)[\s,!]+)*(?:(?:can|could|would|will) you|(?:can|could) we|(?:can|could|would) (?:somebody|someone))\b|[,–—-] ?(?:please |so )?(?:(?:can|could|would|will) you|(?:can|could) (?:we|somebody|someone))\b|\bplease\?+$/i;
/** A question mark that is not in an address. Words after it do not turn the question into a request. */
const ASKS = /[?？](?![\p{L}\p{N}=&_/])/u;

/** Removes courtesies at both ends. */
export function trimClause(clause: string): string {
  if (clause.length > MAX_SENTENCE_CHARACTERS) return clause.trim();
  const bare = withoutStart(withoutEnd(clause.trim()));
  if (isCourtesy(bare)) return bare;
  const said = withoutEnd(cut(bare, new RegExp(TAIL.source.replace("as well|too|", ""), "iu")));
  const rest = TOO.test(said) && TOO_COUNTS.test(said.slice(-MAX_TAIL_CHARACTERS)) ? said : withoutEnd(cut(bare, TAIL));
  const trimmed = withoutEnd(cut(rest, REASON_AFTER).replace(LEAD, "")).trim();
  return trimmed === "" ? bare : trimmed;
}

/** Whether every word of a sentence is part of a greeting, thanks and so on. */
export function isCourtesy(clause: string): boolean {
  if (clause.length > MAX_TAIL_CHARACTERS) return false;
  const parts = clause.split(/[,!]+/).map((part) => part.trim()).filter((part) => part !== ""); // oxfmt-ignore
  return parts.every((part, at) => GREETING.test(part) || (at > 0 && GOES_ON.test(part)));
}

/** Whether a sentence is a question and not a polite request. */
export function isQuestion(sentence: string): boolean {
  return ASKS.test(sentence) && !POLITE.test(sentence.trim());
}

/** Removes a match at the end. */
function cut(clause: string, ending: RegExp): string {
  const [found] = ending.exec(clause.slice(-MAX_TAIL_CHARACTERS)) ?? [];
  return found === undefined ? clause : clause.slice(0, clause.length - found.length);
}

const ENDS = /[.!?,;:\s]/;
// Character by character: an expression that ends in “+$” restarts at each character of a run.
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

const LABEL = new RegExp(
  "^(?:(?:please )?(?:also )?(?:(?:do|run|make) )?(?:the )?following(?: (?:things|tasks|changes|chores|steps))?" +
    "|(?:also )?(?:do|run) (?:this|these)(?: (?:things|tasks|changes|chores|steps))?" +
    "|docs|documentation|seo|(?:product )?(?:rebrand(?:ing)?|renam(?:e|ing))|style(?: guide)?|spelling|terminology|wording|typos" +
    `|accessibility|a11y|formatting|feat|chore|fix|inclusive language|to ?-?do|${AS_AGREED}` +
    "|(?:(?:weekly|monthly|release|docs|some|these|the|our|small|a few) ){0,3}(?:chores?|tasks?|to-?dos?|changes|clean-?up|housekeeping|maintenance|steps))$",
  "i",
);

/** Whether words before a colon or on a line of their own only name the subject: “SEO”, “Weekly chores”. */
export function isLabel(words: string): boolean {
  return LABEL.test(words.trim().replace(/^(?:docs|chore|fix|feat|style)\(docs\)$/i, "docs"));
}

/** The reason for a request. Only these forms count as a reason, and only next to a request that they fit. */
interface Reason {
  form: RegExp;
  /** The tools that every instruction of the message must use. */
  about: RegExp;
}

const NAME =
  '(?:the (?:term|word|name|page) )?(?:the )?["“]?(?<name>[\\p{L}\\p{N}][\\p{L}\\p{N}.+_/-]*(?: [\\p{Lu}\\p{N}][\\p{L}\\p{N}.+_-]*){0,3}?)["”]?(?: page)?';
const PRODUCT = "(?:the|our) (?:product|company|brand|service|platform|app|project)";
const WHO = "(?:we|marketing|legal|support|the company|the team|our team)";
const HAVE = "(?:['’]ve| have| has)?(?: just| recently)?";
const SOME = "(?:(?:some|many|several|most|all|the|our|a lot of) )?";
const IS = "(?:is|are|was|were|has been|have been)";
const WHEN = "(?: (?:now|again|recently|yesterday|last week|last month))?";
const REMOVED = /^(?:remove_page|remove_section|replace_term)$/;
const LINKS = /^(?:check|fix)_links$/;

const REASONS: readonly Reason[] = (
  [
    [`${WHO}${HAVE} (?:rebranded|renamed ${PRODUCT})`, /^replace_term$/],
    [`${PRODUCT} (?:(?:was|has been) renamed|has a new name)`, /^replace_term$/],
    [`${WHO}${HAVE} (?:dropped|retired|discontinued|deprecated) (?:support for )?${NAME}`, REMOVED],
    [`${WHO} no longer (?:support|offer|sell|ship) ${NAME}`, REMOVED],
    [`${NAME} ${IS} (?:now )?(?:obsolete|outdated|deprecated|retired|discontinued|no longer (?:supported|maintained))`, REMOVED],
    ["(?:the|our) style guide (?:wants|asks for|requires|prescribes) [\"“]?(?<wanted>[\\p{L}-]+(?: [\\p{L}-]+){0,2})[\"”]?", /^(?:normalise_style|replace_term)$/],
    ["(?:version )?(?<version>v?\\d[\\d.]*) (?:is|was) (?:out|released|live|available)", /^changelog_from_history$/],
    ["(?:the |our )?(?:link ?check(?:er)?|build|ci) is (?:red|failing)", LINKS],
    [`${SOME}(?:internal )?(?:links|anchors) ${IS} (?:broken|dead)`, LINKS],
    ["the last (?:redesign|release|restructure|move|migration) broke (?:some |many |a lot of )?(?:links|anchors)", LINKS],
    [`${SOME}(?:meta |page )?descriptions are missing`, /^add_missing_descriptions$/],
    [`${SOME}alt(?:ernative)? texts are missing`, /^report_missing_alt$/],
    ["(?:the|our) (?:openapi |api )?(?:spec|specification|schema|description) (?:has )?changed", /^openapi_pages$/],
  ] as const
).map(([form, about]) => ({ form: new RegExp(`^${form}${WHEN}$`, "iu"), about })); // oxfmt-ignore

const MAX_REASON_CHARACTERS = 200;

/** Whether a sentence, with its quotations restored, only gives the reason for these instructions. */
export function explains(sentence: string, calls: readonly ChoreCall[]): boolean {
  const said = withoutEnd(sentence.trim());
  if (calls.length === 0 || said.length > MAX_REASON_CHARACTERS || /[?`>~|*]/.test(said)) return false;
  return REASONS.some(({ form, about }) => {
    const found = form.exec(said);
    if (!found || !calls.every(({ tool }) => about.test(tool))) return false;
    const { name = "", wanted = "", version = "" } = found.groups ?? {};
    // The old thing of the reason must be removed, and the new one must be inserted.
    return calls.every(
      ({ input }) =>
        holds([input["page"], input["from"], input["title"]], name) &&
        !(name !== "" && holds([input["to"], input["redirectTo"]], name)) &&
        holds([input["to"], input["headingCase"]], wanted) &&
        holds([input["version"]], version),
    );
  });
}

function holds(values: readonly unknown[], words: string): boolean {
  const known = new Set(wordsIn(values.filter((value) => typeof value === "string").join(" ")));
  return wordsIn(words).every((word) => known.has(word) || (known.size > 0 && word === "case"));
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
