/**
 * What stands before a request and asks for nothing: why it is made, or a label. It is left out only in front of an instruction,
 * and only where no word of it can hold back, delay or narrow what follows. Behind an instruction every sentence counts.
 */

const HOLDS_BACK =
  /\b(?:not|never|don['’]?t|can['’]?t|cannot|won['’]?t|shouldn['’]?t|isn['’]?t|aren['’]?t|unless|until|only|if|when|once|before|after that|except|but|should|must|shall|may|might|could|would|will|wait|later|instead|kidding|example|stop|ignore|pretend|none|leave|keep|kept|just|undo|undone|dry|ask|frozen|done|ready|finished|fine|okay|stay|stays|remain|remains|belong|belongs|skip|avoid|said|says|how|why|what|who|already|tomorrow|yesterday|next|suppose|imagine|wanted|i)\b/i;
const IS_TOLD =
  /\b(?:any ?more|no longer|is|are|was|were|has|have|had|we['’]ve|it['’]s|went|broke|gives|lose|loses|wants|want|complain|complains|support|supports|look|looks|lists|\p{L}+ed)\b/iu;

/** Whether a sentence only tells why. It has no quotation, no path, and a verb that tells. */
export function isReason(sentence: string): boolean {
  if (/[\uE000/?`>~|*]/.test(sentence) || sentence.length > 300 || HOLDS_BACK.test(sentence)) return false;
  return IS_TOLD.test(sentence);
}

/** The same of a sentence that speaks of one page by its path: “install/windows is obsolete”. */
export function isReasonOfPage(sentence: string): boolean {
  const [first = "", ...rest] = sentence.replaceAll(/\b404\b/g, "failure").split(" ");
  return /^\/?[\w./-]+$/.test(first) && isReason(["It", ...rest].join(" "));
}

const LABELS = new Set(
  `spring cleaning seo rebrand rebranding style guide spelling terminology wording chore chores docs doc documentation navigation nav sidebar product rename renaming release
  weekly monthly daily clean-up cleanup todo to do things thing two three four five task tasks changes change fix fixes feat inclusive language titles texts
  alt headings lists links redirects for of and the following please these this terms docs.json list housekeeping maintenance requests request ticket issue need we steps typos
  changelog migration update updates accessibility a11y i18n formatting consistency content request:`.split(/\s+/),
);

/** Whether words before a colon or on a line of their own only name the matter: “SEO clean-up”, “Release chores for 2.7”. */
export function isLabel(words: string): boolean {
  const bare = words
    .toLowerCase()
    .replace(/^(?:docs|chore|fix|feat|style|refactor)\(docs\)$/, "docs")
    .split(/\s+/);
  return bare.length <= 6 && bare.every((word) => LABELS.has(word.replace(/[,!]+$/, "")) || /^v?\d[\d.]*$/.test(word));
}
