import type { ChoreCall } from "./chores/chore-form.ts";
import { AS_AGREED } from "./courtesies.ts";
import { QUOTED } from "./grammar/prompt-text.ts";
import { phraseOf } from "./grammar/names.ts";
import { startsWithVerb } from "./grammar/vocabulary.ts";
import { RESERVED } from "./grammar/runs.ts";

/**
 * What stands beside a request and asks for nothing: why it is made. Only a sentence that has one of these shapes from its first word
 * to its last is left out, and only beside an instruction that it can be about. Any other may hold back, delay or narrow what is asked.
 */
interface Shape {
  form: RegExp;
  /** The tools one of which the instruction has to call. */
  about?: RegExp;
  /** What is gone for its author: an instruction that would bring it in is not what it explains. */
  isOld?: true;
  /** It names something that the instruction need not name. */
  isFree?: true;
  /** It names what the new words are, and no part of them. */
  isNewName?: true;
  /** The address that it names is what is redirected. */
  isSource?: true;
  /** What it names is a part of the docs, which may be called by a word of the rules: “the guides”. */
  isPart?: true;
  /** What the instruction must be like. */
  holds?: (call: ChoreCall) => boolean;
}

const NAME = "[\\p{L}\\p{N}][\\p{L}\\p{N}.+_\\u00A0-]*(?: [\\p{Lu}\\p{N}][\\p{L}\\p{N}.+_-]*){0,3}?";
const PATH = "\\/?[\\w.-]+(?:\\/[\\w.-]+)*\\/?";
const PRODUCT =
  "(?:the|our|this) (?:whole |entire )?(?:product|company|brand|service|platform|app|tool|project|organi[sz]ation)";
const WHO =
  "(?:we|marketing|sales|legal|management|support|(?:the|our) (?:company|vendor|(?:product |docs |marketing |legal |support )?team))";
const VERSION = "v?\\d[\\d.]*(?:-?(?:alpha|beta|rc)\\.?\\d*)?";
const EVENT =
  "(?:the |our |a )?(?:last |latest )?(?:redesign|release|restructure|relaunch|rebrand|migration|move|update|upgrade)";
/** What is over or holds today. “This Friday” and “after 3.0” may be to come. */
const WHEN = `(?: (?:now|again|today|yesterday|recently|last (?:week|month|year|quarter|spring|summer|autumn|winter|(?:mon|tues|wednes|thurs|fri)day)|a (?:week|month|year) ago|since (?:${VERSION}|${EVENT})))?`;
const SOME = "(?:some|(?:quite )?a few|a lot of|lots of|many|several|most|all|all the|the|our|two|three)";
const HAVE = "(?:['’]ve| have|['’]s| has)?(?: just| recently| finally)?";
const BE = "(?:is|are|was|were|has been|have been)";
const BAD_LINKS = `(?:(?:an?|${SOME}) )?(?:(?:broken|dead|stale) )(?:internal )?(?:links?|anchors?)`;
const IN_PART = `(?: in (?:the )?(?<name>${NAME}|${PATH}))?`;
const IN_DOCS = "(?: (?:in|on|across) (?:the|our) (?:docs|documentation|site))?";

const shape = (form: string, rest: Omit<Shape, "form"> = {}): Shape => ({
  form: new RegExp(`^(?:${form})$`, "iu"),
  ...rest,
});
const isValue = ({ input }: ChoreCall, form: RegExp) => typeof input["value"] === "string" && form.test(input["value"]);
/** What is stable is hidden by nobody, and is no beta. */
const isForNew = (call: ChoreCall): boolean =>
  !isValue(call, /beta|alpha|preview|experimental|deprecated|legacy|retired|obsolete|\bold\b/i) &&
  call.input["value"] !== true;
const isForOld = (call: ChoreCall): boolean =>
  !isValue(call, /^(?:new|beta|stable|preview|supported|current|live|ga|recommended|available|active)$/i);
const LINKS: Omit<Shape, "form"> = { about: /^(?:check|fix)_links$/ };

/** Named groups: `name` has to come again in the instruction, and `said`, each of its words. */
const SHAPES: readonly Shape[] = [
  shape(`${WHO}${HAVE} (?:rebranded|renamed ${PRODUCT}|changed (?:our|the) (?:company |product |brand )?name|got a new (?:product |brand )?name)${WHEN}`, { about: /^(?:replace_term|rename_group|move_page|set_front_matter|normalise_style)$/ }),
  shape(`(?<name>${NAME}) (?:was|got|has been) (?:renamed|rebranded)${WHEN}`, { isOld: true, about: /^replace_term$/ }),
  shape(`(?:(?:the|our) )?(?<name>${NAME}) (?:has|got) a new name${WHEN}`, { isOld: true, about: /^replace_term$/ }),
  shape("(?:the|our) style guide (?:asks for it|wants it|wants that|says so|says it|demands it|requires it|requires that)"),
  shape(`(?:we['’]re|we are) (?:now )?called (?<said>${NAME})(?: now)?`, { about: /^replace_term$/, isNewName: true }),
  shape(`${PRODUCT} (?:(?:was|got|is|has been) (?:renamed|rebranded)|(?:has|got) a new name)${WHEN}`, { about: /^(?:replace_term|rename_group|move_page|set_front_matter|normalise_style)$/ }),
  shape(`${WHO}${HAVE} (?:dropped|retired|discontinued|deprecated|sunset) (?:support for )?(?<name>${NAME})${WHEN}`, { isOld: true, holds: isForOld }),
  shape(`${WHO} (?:no longer|don['’]?t|do not|does not|doesn['’]t) (?:support|offer|sell|ship|maintain) (?<name>${NAME})(?: any ?more)?${WHEN}`, { isOld: true, holds: isForOld }),
  shape(`(?:nobody|no one|no customer) (?:uses|reads|runs|migrates from|deploys to|installs on) (?<name>${NAME})(?: any ?more)?${WHEN}`, { isOld: true, about: /^(?:remove_page|remove_section|remove_redirect|set_front_matter|move_page)$/ }),
  shape(`(?:(?:the|our) (?:(?:term|word|name|phrase|page|guide|section) )?)?(?<name>${NAME}|${PATH})(?: page| guide| article| section)? ${BE} (?:now )?(?:obsolete|outdated|deprecated|retired|discontinued|no longer (?:supported|maintained|offered|sold))${WHEN}`, { isOld: true, holds: isForOld, about: /^(?:remove_page|remove_section|remove_redirect|set_front_matter|move_page|replace_term)$/ }),
  shape(`(?:the )?(?<name>${NAME})(?: page| guide| feature)? (?:is|are) (?:now )?(?:stable|out of (?:the )?beta|generally available)${WHEN}`, { about: /^(?:set_front_matter|move_page)$/, holds: isForNew }),
  shape(`(?:(?<name>${NAME}) )?${VERSION} (?:is|was) (?:now )?(?:out|released|live|stable|available|shipped)${WHEN}`, { isFree: true, about: /^changelog_from_history$/ }),
  shape(`${WHO}${HAVE} (?:released|shipped|launched) (?:(?<name>${NAME}) )?${VERSION}${WHEN}`, { isFree: true, about: /^changelog_from_history$/ }),
  shape(`(?:the |our )?(?:link ?check(?:er)?|build|ci) (?:is|went|turned) (?:red|failing)${WHEN}`, LINKS),
  shape(`(?:${SOME} )?(?:internal )?(?:links|anchors) (?:are|were|went|have gone) (?:broken|dead|stale)${IN_DOCS}${WHEN}`, LINKS),
  shape(`(?:${SOME} )?(?:internal )?(?:links|anchors)${IN_PART} (?:are|were|went|have gone) (?:broken|dead|stale)${WHEN}`, { ...LINKS, isPart: true }),
  shape(`(?:there are|there['’]re|we have|we['’]ve got|(?:the|our) docs have) (?:${BAD_LINKS}|(?:${SOME} )?404s)${IN_DOCS}${WHEN}`, LINKS),
  shape(`(?<name>${NAME}|${PATH}) has ${BAD_LINKS}${WHEN}`, LINKS),
  shape(`${EVENT} broke (?:${SOME} )?(?:internal )?(?:links|anchors)${IN_DOCS}`, LINKS),
  shape(`(?<name>${PATH}) (?:gives|returns|is|leads to) (?:a )?404${WHEN}`, { about: /redirect$/, isSource: true }),
  shape(`(?:${SOME} )?pages (?:have no|lack a|are without) (?:meta )?descriptions?${WHEN}`, { about: /^add_missing_descriptions$/ }),
  shape(`(?:${SOME} )?(?:meta )?descriptions are missing${IN_DOCS}${WHEN}`, { about: /^add_missing_descriptions$/ }),
  shape(`(?:${SOME} )?alt(?:ernative)? texts are missing${IN_DOCS}${WHEN}`, { about: /^(?:report_missing_alt|set_alt_text)$/ }),
  shape("(?:search engines|google|the seo (?:tool|report)) (?:complains?|complain) about missing (?:meta )?descriptions", { about: /^add_missing_descriptions$/ }),
  shape(`(?<name>${NAME}|${PATH}) has no (?:meta )?description`, { about: /^(?:add_missing_descriptions|set_front_matter)$/ }),
  shape(`(?:${SOME} )?images (?:have no|lack|are without) alt(?:ernative)? texts?${WHEN}`, { about: /^(?:report_missing_alt|set_alt_text)$/ }),
  shape(`(?:the|our) (?:openapi |api )?(?:spec|specification|schema|description) (?:has )?changed${WHEN}`, { about: /^openapi_pages$/ }),
  shape(`(?:the|our) glossary (?:has )?changed${WHEN}`, { about: /^normalise_style$/ }),
  shape("(?:the|our) (?:new )?style guide (?:wants|asks for|requires|demands|prescribes) (?<said>[\\p{L}\\u00A0-]+(?: [\\p{L}-]+){0,3})", { about: /^(?:normalise_style|replace_term)$/ }),
  shape("(?:people|users|readers|customers|visitors|some (?:people|users|readers|customers)) (?:often |always |still |keep )?(?:los(?:e|ing) data|miss(?:ing)? (?:this|it)|get(?:ting)? lost|ask(?:ing)? (?:for|about) (?:this|it))", { about: /^add_(?:callout|section|page)$/ }),
]; // oxfmt-ignore

/** Behind an instruction. */
const BEHIND: readonly Shape[] = [
  shape("(?:the|our) style guide (?:asks for it|wants it|wants that|says so|says it|demands it|requires it|requires that)"),
  {
    ...shape("(?:the |all )?links (?:should|must) (?:keep|go on) working", { about: /^(?:move|remove)_page$/ }),
    holds: ({ input }) => input["redirect"] !== false,
  },
]; // oxfmt-ignore

const MAX_REASON_CHARACTERS = 200;
/** Words that point at the request, or turn a sentence against it. They are never a thing's name. */
const NO_NAME =
  /^(?:request|ticket|task|issue|plan|idea|proposal|following|above|below|deletion|removal|renam(?:e|ing)|hiding|moving|replacement|replacing|change|redirect(?:ion)?|instruction|message|job|rest|it|this|that|everything|nothing|we|i|support|tomorrow|later|soon|also|not|never)s?$/i;

const QUOTED_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ./+_-]{0,60}$/u;

/** A sentence with the names that it quotes as single words, so that a reason may quote what it is about. */
export function withQuotedNames(sentence: string, quotes: readonly string[]): string {
  return sentence.replaceAll(new RegExp(QUOTED, "g"), (mark, number: string) => {
    const quote = quotes[Number(number)] ?? "";
    return QUOTED_NAME.test(quote) ? quote.replaceAll(" ", "\u00A0") : mark;
  });
}

function shapesOf(sentence: string): { shape: Shape; name: string; said: string }[] {
  if (sentence.length > MAX_REASON_CHARACTERS || /[\uE000?`>~|*]/.test(sentence)) return [];
  return SHAPES.flatMap((each) => {
    const found = each.form.exec(sentence);
    if (!found) return [];
    const { name = "", said = "" } = found.groups ?? {};
    const words = name.split(" ");
    if (name !== "" && each.isFree && !/^\p{Lu}\p{L}*$/u.test(name)) return [];
    const isThing =
      words.every((word) => !NO_NAME.test(word)) &&
      !(words.length === 1 && !each.isPart && RESERVED.has(name.toLowerCase()));
    return isThing ? [{ shape: each, name, said }] : [];
  });
}

/** Whether a sentence only tells why, as far as it can be told without the instruction that it is told of. */
export function isReason(sentence: string): boolean {
  return shapesOf(sentence).length > 0;
}

/** Whether a reason is one of these instructions, which are written so. */
export function explains(sentence: string, calls: readonly ChoreCall[], instruction: string): boolean {
  const told = new Set(wordsIn(`${instruction} ${JSON.stringify(calls)}`));
  return shapesOf(sentence).some(({ shape: { about, isOld, isFree, isNewName, isSource, holds }, name, said }) => {
    if (holds && !calls.every(holds)) return false;
    if (about !== undefined && !calls.some(({ tool }) => about.test(tool))) return false;
    if (said !== "" && calls.some(({ input }) => takesOut(input, said))) return false;
    if (isNewName && !calls.every(({ input }) => phraseOf(String(input["to"])) === phraseOf(said))) return false;
    if (isSource && !calls.every(({ tool, input }) => tool === "add_redirect" && isIn(input, ["from"], name)))
      return false;
    if (isOld && calls.some(({ input }) => bringsIn(input, name))) return false;
    return wordsIn(`${isFree ? "" : name} ${said}`).every((word) => told.has(word));
  });
}

/** Words of titles that ask for nothing and narrow nothing. Those that hold back or limit (“only”, “not”, “without”, “after”) are none of them. */
const OF_TITLES =
  /^(?:docs?|documentation|chore|feat|request|the|an?|of|for|on|in|and|about|are|is|old|stale|outdated|addresse?|page)$/;
const DIRECTION = /^(?:to|from|with|into|by)$/;
const DIRECTED = /^(?:replace_term|move_page|rename_group|move_group|add_redirect|remove_redirect|normalise_style)$/;

const OF_A_PART =
  /^(?:in|on|for|about|of|under|the|docs: |old|outdated)\b|\b(?:pages?|docs|guides?|section|folder|headings?)\b|\/$/i;
const OF_HEADINGS = /^(?:in )?(?:the )?(?:headings?|titles?)$/i;
const PLACED = ["in", "page", "group", "except"];

/** Whether a title says nothing that the text below it does not say as well: each of its words stands there, or is none that could ask for more. */
export function isToldAgain(title: string, below: readonly string[], calls: readonly ChoreCall[]): boolean {
  const bare = title.replace(/^(?:docs?|documentation)\s*:\s*/i, "");
  if (isLabel(bare) || (isReason(bare) && explains(bare, calls, below.join(" ")))) return true;
  const values = calls.flatMap(({ input }) => Object.values(input));
  // “In the API docs” above “Replace "API" with "interface"”: the same word, and another thing.
  const isPlace = !startsWithVerb(bare) && (OF_A_PART.test(bare) || !/\s/.test(bare.trim()));
  const named = OF_HEADINGS.test(bare) ? ["only"] : PLACED;
  if (isPlace && !calls.every(({ input }) => named.some((key) => input[key] !== undefined))) return false;
  const told = new Set(wordsIn(`${below.join(" ")} ${JSON.stringify(values)}`));
  // “Change from a to b” above “Replace "b" with "a"” has the same words.
  const isDirected = calls.some(({ tool }) => DIRECTED.test(tool));
  return wordsIn(title).every((word) => {
    if (DIRECTION.test(word)) return !isDirected;
    return told.has(word) || OF_TITLES.test(word);
  });
}

/** Whether a sentence behind an instruction only tells why. */
export function explainsBefore(sentence: string, calls: readonly ChoreCall[]): boolean {
  return BEHIND.some(
    ({ form, about = /./, holds = () => true }) =>
      form.test(sentence) && calls.length > 0 && calls.every((call) => about.test(call.tool) && holds(call)),
  );
}

/** Whether an instruction writes a name that it does not take away, shows again what is gone, or replaces other words. */
function bringsIn(input: ChoreCall["input"], name: string): boolean {
  const isShown = input["key"] === "hidden" && input["value"] === null;
  const isElsewhere = typeof input["from"] === "string" && !isIn(input, ["from"], name);
  return (
    isShown ||
    isElsewhere ||
    (isIn(input, ["to", "value", "text", "redirectTo"], name) && !isIn(input, ["from", "page", "group"], name))
  );
}

/** Whether an instruction takes away what is wanted. */
const takesOut = (input: ChoreCall["input"], wanted: string): boolean =>
  isIn(input, ["from"], wanted) && !isIn(input, ["to"], wanted);

function isIn(input: ChoreCall["input"], keys: readonly string[], words: string): boolean {
  return keys.some((key) => {
    const found = new Set(wordsIn(JSON.stringify(input[key] ?? "")));
    return wordsIn(words).every((word) => found.has(word));
  });
}

/** Words without their endings of the plural, as they are compared. */
const wordsIn = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.replace(/s$/, ""));

const LABEL = new RegExp(
  "^(?:(?:please )?(?:also )?(?:(?:do|run|make) )?(?:the )?following(?: (?:things|tasks|changes|chores|steps))?" +
    "|(?:also )?(?:do|run) (?:this|these)(?: (?:things|tasks|changes|chores|steps))?|also" +
    "|(?:one|two|three|four|five|a few|some) (?:more|other|further) (?:things?|changes?|points?|fix(?:es)?|chores?)" +
    "|docs|documentation|seo|(?:product )?(?:rebrand(?:ing)?|renam(?:e|ing))|(?:the )?style(?: guide)?|spelling|terminology|wording|typos" +
    "|accessibility|a11y|formatting|consistency|feat|chore|fix|inclusive language|spring cleaning|to ?-?do" +
    `|${AS_AGREED}` +
    "|(?:(?:spring|weekly|monthly|daily|regular|docs|documentation|seo|release|some|two|three|four|five|six|these|the|our|small|a few) ){0,3}" +
    "(?:chores?|tasks?|to-?dos?|things|changes|fixes|clean-?up|housekeeping|maintenance|steps|list|request)" +
    // “Changes of 2.6” tells of what was done then.
    `(?: (?:(?:for|of) (?:the )?(?:docs|documentation|release|rebrand)|for (?:(?:the )?release )?${VERSION}))?)$`,
  "i",
);

/** Labels that name a kind of thing: what follows has to be about it, or the label would narrow it. By the tools that are about it. */
const TOPICS: readonly (readonly [label: RegExp, tools: RegExp])[] = [
  [/^(?:(?:the )?(?:navigation|nav|sidebar|menu)|docs\.json)$/i, /^(?:rename_group|move_group|move_page|repair_navigation|orphan_report|add_redirect|remove_redirect)$/],
  [/^redirects?$/i, /^(?:add|remove)_redirect$/],
  [/^(?:broken )?links?$/i, /^(?:check|fix)_links$/],
  [/^(?:alt(?:ernative)?[ -]texts?|images?)$/i, /^(?:set_alt_text|report_missing_alt)$/],
  [/^(?:bullet )?lists?$/i, /^normalise_style$/],
  [/^changelog$/i, /^changelog_from_history$/],
  [/^descriptions?$/i, /^add_missing_descriptions$/],
]; // oxfmt-ignore

/** The tools that instructions under a label may call; null when it is no label of that kind. */
export function topicOf(words: string): RegExp | null {
  return TOPICS.find(([label]) => label.test(words.trim()))?.[1] ?? null;
}

/** Whether words before a colon or on a line of their own only name the matter: “SEO clean-up”, “Release chores for 2.7”. */
export function isLabel(words: string): boolean {
  return LABEL.test(words.trim().replace(/^(?:docs|chore|fix|feat|style|refactor)\(docs\)$/i, "docs"));
}
