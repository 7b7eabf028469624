import { type ChoreCall, type Clause, pattern, type Rule, SLOT, takeScope, valueOf } from "./clause.ts";

const MARKER = `(${SLOT.quoted}|-|\\*|\\+|dashes|hyphens|asterisks|stars|plus(?:es| signs)?)`;
const LIST_MARKER = [
  pattern(
    `(?:use|switch to|change to|convert (?:all )?(?:list markers|lists|bullets|list bullets) to|change (?:all )?(?:list markers|lists|bullets|list bullets) to) ${MARKER}(?: (?:as|for) (?:the )?(?:all )?(?:list markers?|bullets?|lists|bullet lists|list bullets|list items|unordered lists)(?: markers?)?)?`,
  ),
  pattern(
    `(?:normali[sz]e|standardi[sz]e|unify) (?:the |all )*(?:list markers?|bullets?|list bullets|bullet lists)(?: (?:to|with|as) ${MARKER})?`,
  ),
];
const HEADING_CASE = [
  pattern(
    `(?:use|apply|switch to|change to) (sentence|title)[- ]case (?:for|in|on|to) (?:all |the )*(?:headings?|headers)`,
  ),
  pattern(
    `(?:convert|change|put|set|normali[sz]e|standardi[sz]e|unify) (?:all |the )*(?:headings?|headers) (?:to|in|into) (sentence|title)[- ]case`,
  ),
];
const TERM_LIST = pattern(
  `(?:apply|use|enforce|follow) (?:the )?(?:glossary|term list|terms|terminology|word list)(?: (?:in|from|of))?(?: (?:the )?(?:file )?(${SLOT.path}))?`,
);
const REPAIR = [
  pattern(`(?:repair|fix|clean up|correct) (?:the )?(?:navigation|sidebar|nav)(?: (?:in|of) docs\\.json)?`),
  pattern(
    `(?:remove|delete|drop) (?:all |any |the )*(?:entries|pages|items|links) (?:from|in|of) the (?:navigation|sidebar|nav) (?:that (?:do not|don't) exist|that are missing|without a page|that lead nowhere)`,
  ),
];
const ADD_ORPHANS = [
  pattern(
    `add (?:all |any |the |every )*(?:orphan(?:ed)?|missing|unlisted) pages? (?:to )?the (?:navigation|sidebar|nav)`,
  ),
  pattern(
    `add (?:all |any |the |every )*pages? (?:that (?:are|is) )?(?:missing (?:from|in)|not (?:listed )?in|absent from|unlisted in) (?:the )?(?:navigation|sidebar|nav) to (?:it|the (?:navigation|sidebar|nav))`,
  ),
];
const ORPHANS = [
  pattern(
    `(?:list|report|find|show|show me|identify|check for) (?:all |any |the )*(?:orphan(?:ed|s)?|unlisted|unreachable)(?: pages?| files?)?`,
  ),
  pattern(
    `(?:list|report|find|show|show me|identify|check for) (?:all |any |the )*pages? (?:that are |which are )?(?:missing from|not (?:listed )?in|absent from|missing in) the (?:navigation|sidebar|nav)`,
  ),
  pattern(`which pages are (?:missing from|not in) the (?:navigation|sidebar|nav)`),
];
const AUDIT = [
  pattern(`(?:audit|lint) (?:all |the |our )*(?:docs?|documentation|site|pages|project|repository)?`),
  pattern(
    `(?:run|do|perform|make) (?:an? |the )?(?:full )?(?:docs? |documentation |content )?audit(?: of (?:the |our |all )*(?:docs?|documentation|site|pages))?`,
  ),
  pattern(
    `(?:check|inspect|scan) (?:all |the |our )*(?:docs?|documentation|site|pages)(?: for (?:problems|issues|errors|flaws|mistakes))?`,
  ),
];

const notListed = ({ text }: Clause) =>
  text.match(
    /\bnot (?:listed )?in|(?:that )?(?:do not|don't) exist|without a page|that are missing|lead nowhere\b/gi,
  ) ?? [];

/** Rules about the order and the uniform look of all docs. */
export const orderRules: Rule[] = [
  { example: 'Use "-" as list markers', isForAllDocs: true, match: matchListMarker },
  { example: "Use sentence case for headings", isForAllDocs: true, match: matchHeadingCase },
  { example: "Apply the glossary glossary.yaml", isForAllDocs: true, match: matchTermList },
  { example: "Add pages missing from the navigation to it", isForAllDocs: true, carriesOut: notListed, match: (clause) => matchForms(ADD_ORPHANS, { tool: "repair_navigation", input: { addOrphans: true } }, clause) },
  { example: "Repair the navigation", isForAllDocs: true, carriesOut: notListed, match: (clause) => matchForms(REPAIR, { tool: "repair_navigation", input: {} }, clause) },
  { example: "List orphan pages", carriesOut: notListed, match: (clause) => matchForms(ORPHANS, { tool: "orphan_report", input: {} }, clause) },
  { example: "Audit the docs", match: (clause) => matchForms(AUDIT, { tool: "audit", input: {} }, clause) },
]; // oxfmt-ignore

function matchForms(forms: readonly RegExp[], call: ChoreCall, clause: Clause): ChoreCall[] | null {
  return forms.some((form) => form.test(clause.text)) ? [call] : null;
}

function matchListMarker(clause: Clause): ChoreCall[] | null {
  const { text, scope } = takeScope(clause);
  for (const form of LIST_MARKER) {
    const match = form.exec(text);
    if (!match || !/list|bullet/i.test(text)) continue;
    const marker = markerOf(match[1] === undefined ? "-" : valueOf(clause, match[1]));
    return marker === null
      ? null
      : [{ tool: "normalise_style", input: { listMarker: marker, ...(scope ? { in: scope } : {}) } }];
  }
  return null;
}

function markerOf(word: string): string | null {
  if (/^(?:-|dash|hyphen)/i.test(word)) return "-";
  if (/^(?:\*|asterisk|star)/i.test(word)) return "*";
  return /^(?:\+|plus)/i.test(word) ? "+" : null;
}

function matchHeadingCase(clause: Clause): ChoreCall[] | null {
  const { text, scope } = takeScope(clause);
  for (const form of HEADING_CASE) {
    const match = form.exec(text);
    if (match) {
      return [
        { tool: "normalise_style", input: { headingCase: match[1]?.toLowerCase(), ...(scope ? { in: scope } : {}) } },
      ];
    }
  }
  return null;
}

function matchTermList(clause: Clause): ChoreCall[] | null {
  const match = TERM_LIST.exec(clause.text);
  if (!match) return null;
  return [
    {
      tool: "normalise_style",
      input: { glossary: match[1] === undefined ? "glossary.yaml" : valueOf(clause, match[1]) },
    },
  ];
}
