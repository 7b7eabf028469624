import type { Clause } from "./read-sentence.ts";
import { type LooseText, restore } from "./grammar/prompt-text.ts";
import { isCourtesy } from "./courtesies.ts";
import { startsWithVerb } from "./grammar/vocabulary.ts";

/** How people go on talking to whom they gave a text. In a published page such a sentence would be read by everybody. */
const SPEAKS_TO_US =
  /^(?:please|kindly|also|then|next|now|finally|lastly|afterwards|after that|and|but|plus|additionally|in addition|furthermore|besides|thanks|thank you|ok(?:ay)?|cheers|(?:can|could|would|will) you|(?:i|we)(?:['’]d| also)? (?:want|need|like|would|expect)|let['’]?s|do not|don['’]t|never|remember|feel free|let (?:me|us) know|sent from|see attached|cc|\/cc|assigned to|deadline|(?:the|this) (?:wording|text) (?:comes|is|was) (?:from|by|copied|taken)|get rid of|take (?:it|them|the \w+|[\w./-]+) (?:out|off|away)|turn (?:it|them|the \w+) into|strip|keep|leave|ignore|avoid|merge|push|deploy|publish|note to|same (?:for|with|goes)|(?:it|this|that|(?:this|that|the|each|every|both) (?:new )?(?:page|text|section|entry|note))s? (?:should|must|shall|needs?|has|ought|may not|goes|belongs|disappears|vanishes|(?:can|may|could) (?:go|be removed|come|stay)|is (?:temporary|only temporary|a placeholder|a draft))|needs? (?:review|approval|a review|sign-?off|to be)|with (?:a|the) (?:link|screenshot|picture|image|reference|table)|(?:we|someone|somebody) (?:should|must|need to|have to|ought to|could) (?:also )?(?:update|add|change|fix|check|review|remove|move|write|mention|link))\b|^"[^"]{1,60}" (?:should|must|could|can) (?:link|point|be|lead)\b|^--\s*\p{L}/iu;
/** Further on in a sentence: "If it is unclear, please drop it." */
const ASKS_US =
  /,\s*(?:ideally|preferably)\b|,\s*(?:linking|with (?:a )?links?) to\b[^.]{1,60}[.]?$|\((?:link|linking|linked|see)(?: to)? [^)]{1,60}\)[.]?$|[,;:–—-]\s*(?:please|kindly)\b|\bplease[.!?)]*$|,? or (?:something|words?|so)(?: like (?:that|this|it)| along those lines| similar| to that effect)?[.!)]*$|\((?:in |as )?(?:bold|italics?|capitals|red|code)\)[.!]*$|[,;:–—-]\s*(?:thanks|thank you|thx|cheers)\b[.!)]*$|[,;:–—(-]\s*(?:feel free to (?:re\w+|change|adjust|edit|improve|shorten|expand|polish|tweak|fix)\b|(?:whatever|however|as) you (?:think|see|prefer|feel)\b)|\(same (?:on|for|in|with|as)\b|\s--\s*\p{L}+[.]*$/iu;
/** Second thoughts, and words about the message: “Scratch that”, “Or something like that”, “P.S.”. */
const SECOND_THOUGHT =
  /^(?:sorry|oops|wait|hm+|scratch|strike|cancel|undo|revert|forget|actually|no\b[,.!]|nope|nah|not sure|or (?:something|similar|so|words|whatever|anything|the like)\b|on second thoughts?|never ?mind|done\b[.!]?$|end of\b|that['’]?s (?:it|all)\b|yours|sincerely|best,|p\.?s\b|fyi|btw|cc\b|(?:the )?rest\b|(?:should|would|could|might|must) (?:be|do|work|suffice)\b|(?:is|does|would) (?:that|this|it) (?:ok|okay|fine|work|clear|enough|make sense|sound)\b|(?:that|this|it) (?:would|should|will) (?:be (?:great|nice|fine|ok|enough|all)|do|suffice)\b|(?:we|you) (?:can|could|may|might|should) .{1,60}\blater\b|edit:|@\p{L}|--)|^(?:[–—]\s*)\p{Lu}\p{Ll}+$/iu;
/** Who writes a page does not say “I”: “I meant the page …”. In a question of readers it stands. */
const SAYS_I = /(?:^|[\s(,;–—])I(?:['’](?:m|d|ll|ve))?(?=[\s,.;!)])[^?]*$/;
/** Where or when, and nothing that is so: “Below "Install".”, “By Friday.” */
const FRAGMENT =
  /^(?:below|above|under|beneath|before|after|behind|at|in|on|by|until|for|to|next to|between|instead of)\s+[^,:]{1,60}$/i;
const MAX_FRAGMENT_WORDS = 7;
/** “Not urgent.”, “Only for admins.”: so few words behind a whole sentence, and no verb among them. */
const MAX_REMARK_WORDS = 4;
const FINITE =
  /\b(?:is|are|was|were|be|been|has|have|had|can|could|may|might|must|should|shall|will|would|does?|did|needs?|uses?|see|run|set|add|get|go|gets|goes|it['’]s|there['’]s|you|we|it|they)\b/i;

/** What describes a text instead of being one: “something about tokens”, “a short list of common questions”. */
const DESCRIBES =
  /^(?:(?:tell|warn|inform|remind) (?:the |all |our |your )?(?:users?|readers?|people|customers?|everyone|everybody|them|about|that)\b|(?:mention|say|state|point out) (?:that|the|how|why|what|our|it)\b|that (?:users?|readers?|people|you|we|they|the)\b|(?:a |the )?(?:link|reference|pointer) to [^.]{1,60}[.]?$|(?:the )?(?:first|last|second|opening) (?:paragraphs?|sentences?|lines?) (?:of|from|on|in)\b|(?:the )?contents? of\b|@\S+$|[\w./-]+\.(?:txt|mdx?|docx?|pdf|html?|rtf)$|x{3,}$|(?:something|anything|whatever|text|words|content|stuff)(?: \p{Ll}+)?(?: (?:about|on|like|that|for|similar|short|nice|from|to|along)\b|$)|(?:an? |the )?(?:(?:very |really )?(?:short|brief|small|quick|nice|good|friendly|proper|suitable|fitting|better|new|little|longer|concise|clear|simple|one|two|three|four|five|or|few|some|couple of) ){1,4}(?:texts?|lists?|paragraphs?|summary|descriptions?|introductions?|intros?|overview|explanations?|sentences?|words|lines|notes?|warnings?|tips?|examples?|questions|definitions?|section|table)\b|(?:an?|some|the) (?:text|list|paragraph|summary|description|introduction|intro|overview|explanation|sentence|example|placeholder|definition|table|info|information) (?:of|about|on|for|that|which|from|to|with|explaining|describing|saying|listing|telling|like)\b|some (?:texts?|words|lines|sentences|info|information|content|examples?|placeholders?)\b|(?:the|much the|roughly the|exactly the) (?:same|usual)(?: (?:text|content|words|note|warning|thing|as|like|here|there|again|section)\b|$)|same (?:as|text|content|here|again)\b|(?:similar|as|like|see) (?:to|on|in|the|above|below|before|what)\b|what(?:ever)? (?:you|is|we|they|stands|it says)\b|(?:tbd|todo|lorem ipsum|to be (?:written|done|decided|defined|announced))\b|(?:how|why) (?:to|we|you|it|the)\b[^.!?]*$|(?:copy|reuse|repeat|describe|explain|summari[sz]e|paraphrase|translate) |(?:use|take|write|insert) (?:the |an? |some )?(?:same|first|last|intro|introduction|text|content|paragraph|section|wording|description|something|about)\b|the (?:first|last|second|opening|whole) (?:paragraphs?|sections?|sentences?|lines?|part|half) (?:of|from|on|in)\b|(?:your|my|our) (?:own|best|usual)\b|(?:nothing|none|placeholder|empty|blank|ditto|later|pending)[.)]?$)/iu;
/** Words that go on with the sentence in front of them: “all we know about berths”, “an intro”, “our standard disclaimer.” */
const NO_SENTENCE = /^\p{Ll}[\p{Ll}'’-]*\s(?:[^\n.!?]|[.!?](?=\S))*[.!]?$/u;
const A_TEXT =
  "(?:disclaimer|notice|text|wording|boilerplate|blurb|snippet|paragraph|sentence|description|intro(?:duction)?|message|summary|copy|template|phrase|note|warning|footer|one)s?";
const SENT =
  "(?:sent|said|says|wrote|agreed|decided|gave|posted|suggested|proposed|approved|had|want(?:s|ed)?|like[sd]?)";
/** A text that stands elsewhere: a noun without a verb (“Our standard beta disclaimer.”), or words that point (“See attachment.”). */
const POINTS = new RegExp(
  "^(?:" +
    [
      "(?:see|cf\\.?|from|copy from|in|as in) (?:the |my |our |your )?(?:attach\\w*|above|below|e-?mails?|slack|jira|tickets?|issue|comments?|thread|chat|pr|#\\d+|clipboard|google doc|screenshot)(?: \\S+)?",
      "attached|tba|n\\/a|\\.{3}|…|[-–—]|\\?+",
      // What stands for a text: “{{text}}”, “<text from Jira>”, “$TEXT”, “[insert text]”.
      "(?:\\{\\{?|<|\\[|\\$\\{?)\\s*(?:the |your |insert |some )?(?:text|content|copy|body|wording|note|placeholder|message|words|todo|tbd)\\b[^}>\\]]*(?:\\}\\}?|>|\\])?",
      "(?:like|same as|as on|as in|similar to) (?:on |in |the )?[\\w./-]+(?: page)?",
      "as (?:per|discussed|agreed|attached|usual|always)\\b[^,]*",
      "whatever\\b.*",
      `what (?:[\\p{L}]+ ){1,3}${SENT}\\b.*`,
      `(?:the|our|your|my|his|her|their|an?|some|that|this|those|usual|standard|default|normal|regular)(?: (?!(?:the|an?|our|your|can|may|must|should|will|do|did|had|have|as|on|in|to|and|or)\\b|\\p{L}+s\\b)[\\p{L}-]+){0,4} ${A_TEXT}(?: (?:from|that|which|we|I|legal|marketing|in|of|on|about|for|sent|as|here|again)\\b[^.,;:]*)?`,
    ].join("|") +
    ")[.!]*$",
  "iu",
);
/** Behind a blank line: of a text that began on the instruction's line, a further paragraph may be of the letter around it. */
const IS_APART = /\n[ \t]*\n\s*$/;
/** A line that is Markdown for certain. */
const BLOCK = /^\s*(?:#|[-*+>|]\s|\d+[.)]\s|```|<)/;
const MARKUP = /^(?:[\s>#*_~([|-]|\d{1,2}[.)]\s|\[[ x]\]\s)+/i;
const MAX_SHOWN = 2_000;

/** The first sentence of a loose text that may be meant for us; null when all of it can only be text. */
export function instructionIn(
  loose: LooseText,
  isInstruction: (sentence: string) => boolean,
): { at: number; words: string } | null {
  for (const [index, { at, text }] of loose.sentences.entries()) {
    const bare = text.replace(MARKUP, "").replaceAll(/[*_]+/g, "").trim();
    const goesOn = index > 0 && (SPEAKS_TO_US.test(bare) || startsWithVerb(bare) || isAside(bare.slice(0, 300)));
    const isRemark = index > 0 && isRemarkBehind(loose.text.slice(Math.max(0, at - 20), at), text);
    const isApart =
      loose.isInline && !BLOCK.test(loose.text) && IS_APART.test(loose.text.slice(0, at)) && !BLOCK.test(text);
    const isName = index > 0 && index === loose.sentences.length - 1 && isSignature(loose.text.slice(0, at), text);
    if (!goesOn && !isName && !isRemark && !isApart && !ASKS_US.test(bare) && !isInstruction(bare)) continue;
    return { at, words: bare.length > 80 ? `${bare.slice(0, 80)}…` : bare };
  }
  return null;
}

/** What is said beside a text to whom it is given, without an instruction: a second thought, a place or a day, a greeting. */
function isAside(sentence: string): boolean {
  const words = sentence.split(/\s+/).length;
  const isFragment = words <= MAX_FRAGMENT_WORDS && FRAGMENT.test(sentence) && !FINITE.test(sentence);
  return (
    isFragment ||
    SECOND_THOUGHT.test(sentence) ||
    SAYS_I.test(sentence) ||
    (sentence !== "" && isCourtesy(sentence.replace(/[.!?]+$/, "")))
  );
}

/** A few words behind a sentence that has ended, on its line or as a sentence of their own. */
function isRemarkBehind(before: string, text: string): boolean {
  const words = text.trim().replace(/^(?:--|[–—])\s*/, "");
  const isOnItsLine = /[.!?][ \t]*$/.test(before) || (/[.!?]\s*$/.test(before) && /[.!?]$/.test(words));
  const isShort = /^[\p{L}\p{N}(][^,]{2,}$/u.test(words) && words.split(/\s+/).length <= MAX_REMARK_WORDS;
  return isOnItsLine && isShort && !FINITE.test(words);
}

/** A name alone on the last line, behind a sentence that has ended. */
function isSignature(before: string, line: string): boolean {
  const text = before.trimEnd();
  const isOwnLine = before.slice(text.length).includes("\n") && /[.!?,]$|(?:^|\n)[ \t]*--$/.test(text.slice(-20));
  return isOwnLine && /^\s*\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?\s*$/u.test(line);
}

/** Whether a loose text tells what shall be written, so that it would be published in its place. */
export function isDescribed({ text }: LooseText): boolean {
  const bare = text
    .trim()
    .replace(MARKUP, "")
    .replace(/^[(\s]+/, "");
  const isShort = bare.length <= 200;
  return DESCRIBES.test(bare.slice(0, 200)) || (isShort && (NO_SENTENCE.test(bare) || POINTS.test(bare)));
}

/** The prompt with its text in a fenced block, and what reads like an instruction below it. */
export function withTextInBlock({ text, quotes }: Clause, loose: LooseText, at: number): string {
  const head = restore(text.slice(0, text.lastIndexOf("\uE000")), quotes, (quote) => `"${quote}"`).trimEnd();
  const isShort = loose.text.length <= MAX_SHOWN;
  const words = loose.text.slice(0, at).trimEnd();
  const block = isShort ? words || loose.text : "The text.";
  const longest = Math.max(2, ...(block.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const rest = isShort && words !== "" ? `\n${loose.text.slice(at).trimStart()}` : "";
  return `${head}\n${fence}\n${block}\n${fence}${rest}`;
}
