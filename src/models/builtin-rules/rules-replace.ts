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

const OPTIONS: readonly { phrase: RegExp; set: Record<string, unknown> }[] = [
  { phrase: /[,\s(]+(?:and |but )?(?:also|as well as|including|even)(?: in| inside| within)?(?: the)? code(?: blocks?| samples?| examples?| snippets?)?(?: and inline code)?(?: too| as well)?\)?$/i, set: { includeCode: true } },
  { phrase: /[,\s(]+(?:and |but )?(?:in|inside|within)(?: the)? code(?: blocks?| samples?| examples?| snippets?)?,? (?:too|as well)\)?$/i, set: { includeCode: true } },
  { phrase: /[,\s(]+(?:ignoring|regardless of|whatever the)\s+(?:the\s+)?(?:case|capitali[sz]ation)\)?$|[,\s(]+case[- ]insensitive(?:ly)?\)?$|[,\s]+in any (?:case|capitali[sz]ation)$/i, set: { letterCase: "any" } },
  { phrase: /[,\s(]+(?:also\s+)?(?:as|when)\s+(?:a\s+)?parts?\s+of\s+(?:other\s+|longer\s+)?words?\)?$|[,\s]+(?:also\s+)?(?:inside|within)\s+(?:other\s+|longer\s+)?words$/i, set: { wholeWord: false } },
  { phrase: /[,\s(]+(?:as\s+)?(?:only\s+)?whole\s+words?(?:\s+only)?\)?$|[,\s(]+case[- ]sensitive(?:ly)?\)?$/i, set: {} },
  { phrase: /[,\s(]+(?:but\s+|and\s+)?(?:not|except|leaving out|excluding|without touching|but leave|leave)\s+(?:in\s+|inside\s+|for\s+)?(?:the\s+)?(?:code(?:\s+(?:blocks?|samples?|examples?|snippets?))?|urls?|links?|inline code|addresses|identifiers|ids)(?:(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+)(?:in\s+)?(?:code(?:\s+(?:blocks?|samples?|examples?|snippets?))?|urls?|links?|inline code|addresses|identifiers|ids|front ?matter keys))*(?:\s+(?:alone|unchanged|as (?:they are|is)|untouched))?\)?$/i, set: {} },
]; // oxfmt-ignore

export const replaceRules: Rule[] = [{ example: 'Replace "old name" with "new name" everywhere', match: matchReplace }];

function matchReplace(clause: Clause): ChoreCall[] | null {
  const { text, options } = takeOptions(clause);
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
    if (match && isLiteral(match[1] ?? "") && isLiteral(match[2] ?? "")) return [call(match[2] ?? "", match[1] ?? "")];
  }
  for (const form of FORMS) {
    const match = form.exec(body);
    if (!match) continue;
    const pairs = pairsOf(match[1] ?? "", match[2] ?? "");
    if (pairs === null || OTHER_OBJECT.test(body.replace(/^\S+\s+/, "")) || !pairs.every(isPair)) continue;
    return pairs.map(([from, to]) => call(from, to));
  }
  return null;
}

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

function takeOptions(clause: Clause): { text: string; options: Record<string, unknown> } {
  let text = clause.text;
  let options: Record<string, unknown> = {};
  for (let found = true; found;) {
    found = false;
    // A scope may stand before or after an option: look past it.
    const candidates = [text];
    for (const candidate of candidates) {
      for (const { phrase, set } of OPTIONS) {
        const match = phrase.exec(candidate);
        if (!match || match.index === 0) continue;
        text = candidate.slice(0, match.index).trimEnd();
        options = { ...options, ...set };
        found = true;
        break;
      }
      if (found) break;
    }
    if (!found) {
      const scoped = takeTrailing(text);
      if (scoped !== null) {
        const inner = takeOptions({ ...clause, text: scoped.body });
        if (inner.text !== scoped.body)
          return { text: `${inner.text}${scoped.tail}`, options: { ...options, ...inner.options } };
      }
    }
  }
  return { text, options };
}

/** Splits off one trailing scope phrase, so that options before it are found. */
function takeTrailing(text: string): { body: string; tail: string } | null {
  const { text: body } = takeScope({ text, quotes: [] });
  return body === text || body === "" ? null : { body, tail: text.slice(body.length) };
}
