import { ANY_QUOTED } from "./prompt-text.ts";
import { type ChoreCall, type Clause, type Rule, takeScope } from "./clause.ts";
import { CHORE_VERBS } from "./vocabulary.ts";

const PLAIN = `
  a an the this that these those our my your its their all any every each both whole entire complete full
  of to in into on onto at by with from for under below above after before behind beside within inside across throughout over through
  and or then which who also as be is are was has have been being it them each one ones there out up so done
  instead rather than place followed following new existing current correct right old former deprecated own other remaining
  i we you me us let
  page pages file files guide guides article articles doc docs document documents documentation site website repo repository project
  wiki knowledge base folder folders directory path paths address url slug route location
  group groups section sections tab category heading headings header headers navigation nav sidebar entry entries item items menu
  link links hyperlink hyperlinks anchor anchors image images picture pictures screenshot screenshots illustration graphic redirect
  text texts content contents body markdown title titled description descriptions icon keyword keywords tag tags front matter key field value alt alternative
  name names named called entitled word words term terms phrase phrases string spelling spelled spelt written product brand company feature
  occurrence occurrences mention mentions instance instances reference references usage usages uses typo typos misspelling misspellings mistake error errors
  list lists marker markers bullet bullets unordered dash dashes hyphen hyphens asterisk asterisks star stars plus signs sign sentence case
  glossary terminology docs.json json
  note warning tip info check danger caution callout decorative decoration purely just hidden empty nothing
  should saying says say reads reading containing renamed known known-as become read
  changelog source version release history log commits commit git since endpoint endpoints api openapi swagger spec specification based
  404 404s broken dead bad invalid rotten rot internal orphan orphans orphaned unlisted unreachable duplicate
  problems issues flaws mistakes breakage results result what find
  everywhere globally site-wide sitewide docs-wide again sure work works working valid lead somewhere
  top start beginning end bottom
  false true audit link-check linkcheck checker perform fixer search look see how many page's
  meta absent lacks lack lacking missing opening entries wide identify inspect scan detect count enforce follow test verify
  rather readers visitors visitor send redirecting sends navigation's
`;

/** Words that hold nothing back and name no part: a form may take them without telling its chore. */
const PLAIN_WORDS: ReadonlySet<string> = new Set([...CHORE_VERBS, ...PLAIN.split(/\s+/).filter(Boolean)]);

/**
 * The words of a clause that its understanding does not account for. A form may let a word pass that its chore does
 * nothing about; so every word must be a value of a call, part of a phrase that the calls carry out, or one of the
 * plain words, which hold nothing back.
 */
export function leftOver(clause: Clause, calls: readonly ChoreCall[], rule: Rule): string[] {
  const isScoped = calls.every(({ input }) => "in" in input);
  let { text } = clause;
  for (const phrase of rule.carriesOut?.(clause) ?? []) text = text.replace(phrase, " ");
  if (isScoped) text = takeScope({ ...clause, text }).text;
  const values = new Set(calls.flatMap(({ input }) => wordsOf(valuesIn(input).join(" "))));
  const words = wordsOf(text.replaceAll(new RegExp(ANY_QUOTED, "g"), " "));
  return words.filter((word) => !values.has(word) && !PLAIN_WORDS.has(word));
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}_'’-]*/gu) ?? [];

function valuesIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.values(value).flatMap(valuesIn);
}
