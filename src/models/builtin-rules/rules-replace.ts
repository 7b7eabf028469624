import {
  type ChoreCall,
  type Clause,
  isLiteral,
  isQuoted,
  pattern,
  type Rule,
  SLOT,
  takeScope,
  valueOf,
} from "./clause.ts";

const TERM = "(.+?)";
const NOUN =
  "(?:(?:all|every|each|any)(?: of)?(?: the)? )?(?:(?:the )?(?:old |former |outdated |deprecated |wrong |product |brand |company |project )*(?:words?|terms?|phrases?|names?|text|string|spelling|product|brand|occurrences?|mentions?|instances?|references?|uses?|usages?|typos?|misspellings?)(?: (?:of|to|for))?(?: (?:the )?(?:word|term|phrase|name|product))? )?";
const NEW_NOUN =
  "(?:(?:the )?(?:new |correct |right |product |brand )*(?:word|term|phrase|name|text|string|spelling|product) )?";
const INTO = "(?:with|by|for|to|into|→|->|=>)";

const FORMS = [
  pattern(`(?:find (?:all )?and )?replace ${NOUN}${TERM} (?:with|by|→|->|=>) ${NEW_NOUN}${TERM}`),
  pattern(`(?:substitute|swap|exchange) ${NOUN}${TERM} (?:with|by|→|->|=>) ${NEW_NOUN}${TERM}`),
  pattern(`(?:swap(?: out)?|exchange) ${NOUN}${TERM} for ${NEW_NOUN}${TERM}`),
  pattern(`(?:change|update|correct|switch|convert) ${NOUN}${TERM} ${INTO} ${NEW_NOUN}${TERM}`),
  pattern(
    `(?:find|search(?: for)?|look for) ${NOUN}${TERM},? and (?:replace|change|substitute) (?:it|them|each|all|these|those)(?: everywhere)? ${INTO} ${NEW_NOUN}${TERM}`,
  ),
  pattern(
    `rename (?:the |all )?(?:product|brand|company|feature|term|word|name|phrase|occurrences of|mentions of|references to)(?: name)? ${TERM} (?:to|as|into|→|->|=>) ${TERM}`,
  ),
  pattern(
    `(?:fix|correct) (?:the )?(?:typos?|misspelling|spelling|spelling mistake|spelling error|wrong name)(?: of)?:? ${TERM},? (?:to|→|->|=>|(?:which |it )?should (?:be|read)) ${TERM}`,
  ),
];
/** Reversed: the new word comes first. */
const REVERSED = [
  pattern(
    `(?:use|say|write|call it) (?:the )?(?:word |term |name |phrase )?${TERM} (?:instead of|rather than|in place of|and not) (?:the )?(?:word |term |name |phrase )?${TERM}`,
  ),
  pattern(`substitute ${NEW_NOUN}${TERM} for ${NOUN}${TERM}`),
];
/** Forms that could mean something else unless both sides are quoted. */
const STRICT = [
  pattern(
    `(${SLOT.quoted}) should (?:be|read|become|be called|be spelled|be spelt|be written|be written as|be replaced (?:with|by)) (${SLOT.quoted})`,
  ),
  pattern(
    `(${SLOT.quoted}) (?:is|was|has been|is now|got) (?:now )?(?:renamed(?: to)?|called|known as|replaced by) (${SLOT.quoted})`,
  ),
];
/** "the term webhook" can only be meant literally; "the word cloud" cannot. */
const WORD = `(${SLOT.quoted}|[^\\s\\uE000\\uE001]+)`;
const NAMED = [
  pattern(
    `(?:replace|change|update|substitute|exchange|switch|swap(?: out)?) (?:the |every |each )?term ${WORD} (?:with|by|for|to|into|→|->|=>) (?:the )?(?:(?:new |right )?term )?${WORD}`,
  ),
  pattern(
    `rename (?:the |every |each )?(?:term|word) ${WORD} (?:to|as|into|→|->|=>) (?:the )?(?:(?:new |right )?(?:term|word) )?${WORD}`,
  ),
];
/** Within a page only its words can be renamed. */
const RENAMED_WITHIN = pattern(`rename (${SLOT.quoted}) (?:to|as|into|→|->|=>) (${SLOT.quoted})`);
/** Words that belong to a page or a setting rather than to running text; other rules take those. */
const OTHER_OBJECT =
  /^(?:the )?(?:title|sidebar ?title|description|icon|url|path|slug|address|route|alt text|page|section|heading style|list markers?|order|file|link|tag|front ?matter|group)\b/i;

/** Places that the chore never changes, or code, which it changes only when it is asked to. */
const LEFT_ALONE =
  "[,\\s(]+(?:but\\s+|and\\s+)?(?:not|except|leaving out|excluding|without touching|leave)\\s+(?:in\\s+|inside\\s+|for\\s+)?(?:the\\s+)?";
const CODE = "(?:inline\\s+code|code(?:\\s+(?:blocks?|samples?|examples?|snippets?))?)";
const ADDRESSES = "(?:urls?|addresses|identifiers|ids|front[- ]?matter keys)";
const AS_IT_IS = "(?:\\s+(?:alone|unchanged|as (?:they are|it is|is)|untouched))?\\)?";

const OPTIONS: readonly { phrase: RegExp; set: Record<string, unknown> }[] = [
  { phrase: /[,\s(]+(?:and |but )?(?:also|as well as|including|even)(?: in| inside| within)?(?: the)? code(?: blocks?| samples?| examples?| snippets?)?(?: and inline code)?(?: too| as well)?\)?$/i, set: { includeCode: true } },
  { phrase: /[,\s(]+(?:and |but )?(?:in|inside|within)(?: the)? code(?: blocks?| samples?| examples?| snippets?)?,? (?:too|as well)\)?$/i, set: { includeCode: true } },
  { phrase: /[,\s(]+(?:ignoring|regardless of|whatever the)\s+(?:the\s+)?(?:case|capitali[sz]ation)\)?$|[,\s(]+case[- ]insensitive(?:ly)?\)?$|[,\s]+in any (?:case|capitali[sz]ation)$/i, set: { letterCase: "any" } },
  { phrase: /[,\s(]+(?:also\s+)?(?:as|when)\s+(?:a\s+)?parts?\s+of\s+(?:other\s+|longer\s+)?words?\)?$|[,\s]+(?:also\s+)?(?:inside|within)\s+(?:other\s+|longer\s+)?words$/i, set: { wholeWord: false } },
  { phrase: /[,\s(]+(?:as\s+)?(?:only\s+)?whole\s+words?(?:\s+only)?\)?$/i, set: { wholeWord: true } },
  { phrase: /[,\s(]+case[- ]sensitive(?:ly)?\)?$/i, set: { letterCase: "exact" } },
  { phrase: new RegExp(`${LEFT_ALONE}${CODE}(?:(?:\\s*,\\s*(?:and\\s+|or\\s+)?|\\s+(?:and|or)\\s+)(?:in\\s+)?(?:${CODE}|${ADDRESSES}))*${AS_IT_IS}$`, "i"), set: { includeCode: false } },
  { phrase: new RegExp(`${LEFT_ALONE}${ADDRESSES}(?:(?:\\s*,\\s*(?:and\\s+|or\\s+)?|\\s+(?:and|or)\\s+)(?:in\\s+)?${ADDRESSES})*${AS_IT_IS}$`, "i"), set: {} },
  { phrase: new RegExp(`${LEFT_ALONE}${ADDRESSES}(?:(?:\\s*,\\s*(?:and\\s+|or\\s+)?|\\s+(?:and|or)\\s+)(?:in\\s+)?(?:${CODE}|${ADDRESSES}))*${AS_IT_IS}$`, "i"), set: { includeCode: false } },
]; // oxfmt-ignore

export const replaceRules: Rule[] = [
  {
    example: 'Replace "old name" with "new name" everywhere',
    isForAllDocs: true,
    carriesOut: (clause) => takeOptions(clause)?.phrases ?? [],
    match: matchReplace,
  },
];

/** What makes it certain that words are to be replaced by words. "Update X to Y" alone says it of a thing as well. */
const SAYS_WORDS =
  /\b(?:words?|terms?|phrases?|names?|text|string|spelling|occurrences?|mentions?|instances?|references?|usages?|typos?|misspellings?)\b/i;
const REPLACES = /^(?:find (?:all )?and )?replace\b|^rename\b/i;

function matchReplace(clause: Clause): ChoreCall[] | null {
  const taken = takeOptions(clause);
  if (taken === null) return null;
  const { text, options } = taken;
  const scoped = takeScope({ ...clause, text });
  const body = scoped.text.replace(/^replace all\b(?! (?:of|the|occ|men|ins|ref|use))/i, "replace");
  const scope = scoped.scope === undefined ? {} : { in: scoped.scope };
  const call = (from: string, to: string): ChoreCall => ({
    tool: "replace_term",
    input: { from: valueOf(clause, from), to: valueOf(clause, to), ...scope, ...options },
  });
  const strict = scoped.scope === undefined ? [...STRICT, ...NAMED] : [...STRICT, ...NAMED, RENAMED_WITHIN];
  for (const form of strict) {
    const match = form.exec(body);
    if (match) return [call(match[1] ?? "", match[2] ?? "")];
  }
  for (const form of REVERSED) {
    const match = form.exec(body);
    if (!match) continue;
    const [to = "", from = ""] = match.slice(1);
    const isCertain = isQuoted(from) && isQuoted(to);
    const isNamed = SAYS_WORDS.test(wordsAround(body, [from, to])) && [from, to].every(isPlainName);
    if (isCertain || isNamed) return [call(from, to)];
  }
  for (const form of FORMS) {
    const match = form.exec(body);
    if (!match) continue;
    const pairs = pairsOf(match[1] ?? "", match[2] ?? "");
    if (pairs === null || OTHER_OBJECT.test(body.replace(/^\S+\s+/, "")) || !pairs.every(isPair)) continue;
    const isSaid = REPLACES.test(body) || SAYS_WORDS.test(wordsAround(body, [match[1] ?? "", match[2] ?? ""]));
    const isCertain = (term: string) => isQuoted(term) || (isSaid && isPlainName(term));
    if (!pairs.flat().every(isCertain)) continue;
    return pairs.map(([from, to]) => call(from, to));
  }
  return null;
}

/** The words of the instruction itself: what stands around the terms. */
function wordsAround(body: string, terms: readonly string[]): string {
  return terms.reduce((text, term) => text.replace(term, " "), body);
}

/**
 * Whether unquoted words are a name, not a version, an address, a format or a component: of those nobody wants every
 * mention replaced by another.
 */
export function isPlainName(term: string): boolean {
  if (isQuoted(term)) return true;
  return (
    !/\p{N}|[/\\]|\.(?:mdx?|markdown|json|ya?ml|png|jpe?g|gif|svg|webp|[jt]sx?)$/iu.test(term) &&
    !THING.test(term.trim())
  );
}
const THING =
  /^(?:(?:tab|accordion|card|column|step|callout|note|warning|tip|frame|table|list|image|icon|badge|update|panel|tooltip|tree|expandable|steps?|code ?)(?:s|es|list|group)?|(?:accordion|card|code|step) ?groups?|code ?blocks?|param ?fields?|response ?fields?|mermaid|(?:png|svg|jpe?g|gif|webp|html|mdx?|markdown|ya?ml|json|pdf|jsx|tsx)s?)$/i;

function isPair([from, to]: readonly [string, string]): boolean {
  return isLiteral(from) && isLiteral(to) && from !== to;
}

/** `"A" with "B" and "C" with "D"`, or `"A" and "B" with "C"`. */
function pairsOf(from: string, to: string): (readonly [string, string])[] | null {
  const quoted = SLOT.quoted;
  const more = new RegExp(
    `^(${quoted})((?:\\s*,?\\s*(?:and|,)\\s+${quoted}\\s+(?:with|by|to|→|->|=>)\\s+${quoted})+)$`,
    "iu",
  ).exec(to);
  if (more && isQuoted(from)) {
    const rest = [
      ...(more[2] ?? "").matchAll(new RegExp(`(${quoted})\\s+(?:with|by|to|→|->|=>)\\s+(${quoted})`, "giu")),
    ];
    return [[from, more[1] ?? ""], ...rest.map((pair) => [pair[1] ?? "", pair[2] ?? ""] as const)];
  }
  const list = new RegExp(`^${quoted}(?:\\s*,\\s*${quoted})*\\s*,?\\s+(?:and|or)\\s+${quoted}$`, "iu");
  if (list.test(from)) return [...from.matchAll(new RegExp(quoted, "giu"))].map((each) => [each[0], to] as const);
  return [[from, to]];
}

interface TakenOptions {
  text: string;
  options: Record<string, unknown>;
  /** The phrases that said so. */
  phrases: string[];
}

/** Takes the options off a clause's end, a scope before or after them looked past. Null when they contradict each other. */
function takeOptions(clause: Clause): TakenOptions | null {
  let text = clause.text;
  const options: Record<string, unknown> = {};
  const phrases: string[] = [];
  const take = (added: Record<string, unknown>) => {
    const contradicts = Object.entries(added).some(([key, value]) => key in options && options[key] !== value);
    Object.assign(options, added);
    return !contradicts;
  };
  for (;;) {
    const found = OPTIONS.map(({ phrase, set }) => ({ match: phrase.exec(text), set })).find(
      ({ match }) => match !== null && match.index > 0,
    );
    if (!found?.match) break;
    phrases.push(found.match[0]);
    text = text.slice(0, found.match.index).trimEnd();
    if (!take(found.set)) return null;
  }
  const scoped = takeTrailing(text);
  if (scoped === null) return { text, options, phrases };
  const inner = takeOptions({ ...clause, text: scoped.body });
  if (inner === null || !take(inner.options)) return null;
  if (inner.phrases.length === 0) return { text, options, phrases };
  return { text: `${inner.text}${scoped.tail}`, options, phrases: [...inner.phrases, ...phrases] };
}

/** Splits off one trailing scope phrase, so that options before it are found. */
function takeTrailing(text: string): { body: string; tail: string } | null {
  const { text: body } = takeScope({ text, quotes: [] });
  return body === text || body === "" ? null : { body, tail: text.slice(body.length) };
}
