/**
 * What stands before a request and asks for nothing: why it is made, or a label. It is left out only in front of an instruction,
 * and only where no word of it can hold back, delay or narrow what follows. Behind an instruction every sentence counts.
 */

const HOLDS_BACK =
  /\b(?:not|never|don['’]?t|can['’]?t|cannot|won['’]?t|shouldn['’]?t|isn['’]?t|aren['’]?t|unless|until|only|if|when|once|before|after that|except|but|should|must|shall|may|might|could|would|will|wait|later|instead|kidding|example|stop|ignore|pretend|none|leave|keep|kept|just|undo|undone|dry|ask|frozen|done|ready|finished|fine|okay|stay|stays|remain|remains|belong|belongs|skip|avoid|said|says|how|why|what|who|already|tomorrow|yesterday|next|suppose|imagine|wanted|i)\b/i;
/** Taken back, or decided against: then what follows is told of, not asked for. */
const TAKEN_BACK =
  /\b(?:reject|refus|declin|veto|revert|block|mistake|against|deni|deny|cancel|postpon|disagree|dislik|oppos|withdr|abandon|dismiss|object|bad idea|liked|proposed?|suggest)/i;
/** A closed list: what has changed, or what is wrong. A verb that is not here may say that the request is off. */
const IS_TOLD =
  /\b(?:renamed|rebranded|dropped|changed|moved|released|launched|shipped|deprecated|retired|broke|went stale|gives|gone|lose|loses|wants?|complains?|no longer|any ?more|(?:is|are|was|were|['’]s|['’]re) (?:\p{L}+ ){0,2}(?:obsolete|outdated|stable|out|red|deprecated|broken|stale|live|public|missing|dead|old|new|legacy)|(?:has|have|had) (?:\p{L}+ ){0,3}(?:links?|descriptions?|new names?)|there (?:is|are) (?:\p{L}+ ){0,3}(?:links?|404s?|descriptions?))\b/iu;

/** Whether a sentence only tells why. It has no quotation, no path, and a verb that tells. */
export function isReason(sentence: string): boolean {
  if (/[\uE000/?`>~|*]/.test(sentence) || sentence.length > 300 || HOLDS_BACK.test(sentence)) return false;
  if (TAKEN_BACK.test(sentence)) return false;
  return IS_TOLD.test(sentence);
}

/** The same of a sentence that speaks of one page by its path: “install/windows is obsolete”. */
export function isReasonOfPage(sentence: string): boolean {
  const [first = "", ...rest] = sentence.replaceAll(/\b404\b/g, "failure").split(" ");
  return /^\/?[\w./-]+$/.test(first) && isReason(["It", ...rest].join(" "));
}

const LABELS = new Set(
  `spring cleaning seo rebrand rebranding style guide spelling terminology wording chore chores docs doc documentation product rename renaming release
  weekly monthly daily clean-up cleanup todo to do things thing two three four five task tasks changes change fix fixes feat inclusive language
  for of and the following please these this terms list housekeeping maintenance request ticket issue need we steps typos accessibility a11y formatting consistency`.split(
    /\s+/,
  ),
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
  const bare = words
    .toLowerCase()
    .replace(/^(?:docs|chore|fix|feat|style|refactor)\(docs\)$/, "docs")
    .split(/\s+/);
  return bare.length <= 6 && bare.every((word) => LABELS.has(word.replace(/[,!]+$/, "")) || /^v?\d[\d.]*$/.test(word));
}
