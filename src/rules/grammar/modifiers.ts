import type { KnownNames } from "./names.ts";
import { phraseOf } from "./names.ts";
import { type MatchContext, match, type Modifier, type Reading, type SaidModifier, start } from "./matcher.ts";
import { EVERYWHERE, exceptions, INSIDE, places } from "./places.ts";
import { isAddress } from "./runs.ts";
import { compile } from "./template.ts";
import { CHORE_VERBS } from "./vocabulary.ts";

interface ModifierForm {
  form: string;
  /** It follows what it modifies: “In any case, replace …” means “anyway”. */
  isBehind?: true;
  read(reading: Reading, names: KnownNames): Modifier | null;
}

const CODE = "(inline code / code [blocks|block|samples|sample|examples|example|snippets|snippet] [and inline code])";
/** Inline code alone cannot be included: code blocks would also change. */
const ALL_CODE =
  "(code [blocks|block|samples|sample|examples|example|snippets|snippet] [and inline code] / inline code and code blocks)";
const ADDRESSES = "(urls|url|addresses|identifiers|ids / (front_matter|front-matter|frontmatter keys))";
const NOT_IN = "(not / except [for] / excluding / leaving_out / without|do_not|don't touching|touch|change)";
const ALONE = "[alone|unchanged|untouched / as they|it are|is / as is]";
// A header is a part of the site, and a page has only one title.
const HEADINGS = "[the|all] headings|headers";
const TITLES =
  "([the|all] (page titles / titles) / [the] titles|title of all|every pages|page / [the] titles of [all] the pages)";
const CASE = "[the] [letter] case|capitalisation|capitalization";

const EXCEPTIONS = exceptions();

const set = (form: string, options: Modifier): ModifierForm => ({ form, read: () => options });

/** Modifiers after or before an instruction. Punctuation and “and”, “but” before it and a bracket after it are part of it. */
const FORMS: readonly ModifierForm[] = [
  set(EVERYWHERE, { everywhere: true }),
  {
    form: `([only|just|everywhere] (${INSIDE}|from ${places("in")}) [only|alone / [,] and nowhere else])`,
    read: ({ slots }, names) => scoped("in", slots, names),
  },
  {
    form: `([everywhere|anywhere] outside [of] ${EXCEPTIONS} / with the exception of ${EXCEPTIONS} / except|excluding [for] ${EXCEPTIONS} / not [for|though_not_on] ${EXCEPTIONS} / apart|aside from ${EXCEPTIONS} / other than ${EXCEPTIONS})`,
    read: ({ slots }, names) => scoped("out", slots, names),
  },
  {
    form: `(leave ${EXCEPTIONS} alone|unchanged|untouched / leave ${EXCEPTIONS} as it|they is|are / do_not|don't|without touch|change|touching|changing [anything|everything in|on|under] ${EXCEPTIONS} / skip|skipping ${EXCEPTIONS} / leaving ${EXCEPTIONS} alone|out|untouched)`,
    read: ({ slots }, names) => scoped("out", slots, names),
  },
  {
    form: `(everywhere|anywhere but|except ${EXCEPTIONS} / in|on all docs|pages except|but ${EXCEPTIONS})`,
    read: ({ slots }, names) => scoped("out", slots, names),
  },
  set(`((also|even|including / as well as / also even) [those|ones|occurrences|mentions / the ones] [in|inside|within] [the] ${ALL_CODE} [too / as well] / [in|inside|within] [the] ${ALL_CODE} (too|included / as well))`, { includeCode: true }),
  set(`(in text and [in] [the] ${ALL_CODE})`, { includeCode: true }),
  set(`((leave / ${NOT_IN}) [in|inside|for] [the] ${CODE} [[,] [and|or] [in] (${CODE} / ${ADDRESSES})]* ${ALONE})`, { includeCode: false }),
  set(`((leave / ${NOT_IN}) [in|inside|for] [the] ${ADDRESSES} [[,] [and|or] [in] ${ADDRESSES}]* ${ALONE})`, { isSparing: true }),
  set(`((leave / ${NOT_IN}) [in|inside|for] [the] ${ADDRESSES} [[,] [and|or] [in] ${ADDRESSES}]* [,] and|or [in] ${CODE} ${ALONE})`, { includeCode: false }),
  set(`(ignoring|whatever ${CASE} / regardless of ${CASE} / regardless of upper or lower case / case-insensitive|case-insensitively / case insensitive|insensitively / in any capitalisation|capitalization)`, { letterCase: "any" }),
  { ...set("in any case", { letterCase: "any" }), isBehind: true },
  set(`(case-sensitive|case-sensitively / case sensitive|sensitively / exactly in this|that spelling|form)`, { letterCase: "exact" }),
  set(`([also|even] [as|when] [a|used as] part|parts of [other|longer] words|word / [also] inside|within [other|longer] words)`, { wholeWord: false }),
  set(`([as] [only] whole words|word [only])`, { wholeWord: true }),
  set(`([only] in ${HEADINGS} [only])`, { only: "headings" }),
  set(`([only] in ${TITLES} [only])`, { only: "titles" }),
  set(`(in [the] plural too / [also|including|even] [the|in] plural|plurals [too|included] / singular and plural)`, { plural: true }),
  set(`(nothing else|more)`, {}),
  set(`(leave|leaving|keep|keeping a redirect [behind|there / in place / at the old address|path|url])`, { redirect: true }),
  set(`([with|and] [add|create|leave|set / set up] [a] redirect [from [the] old [url|address|path|location]])`, { redirect: true }),
  set(`((update|adjust [all|any|the|navigation|and]* links|navigation / fix|correct [the|its] links) [to it|them] [accordingly|too])`, { areLinksFollowed: true }),
  set(`(fix|correct [all|any|the|navigation|and]* links|navigation (to it|them / accordingly))`, { areLinksFollowed: true }),
  set(`(with [a] redirect / keep|keeping [the] old url|address|urls|addresses working|alive)`, { redirect: true }),
  set(`(without [a|any|adding] [a] redirect / no redirect [needed|please] / do_not|don't (add|create / set up) a redirect)`, { redirect: false }),
]; // oxfmt-ignore

const MODIFIERS = FORMS.map(({ form, read, isBehind = false }) => ({
  isBehind,
  node: compile(`[,|\\(|-|:] [and|but|though] [,] ${form} [\\)]`),
  read,
}));

/** Readings of one restriction or option from a token on. */
export function modifiersAt(context: MatchContext, at: number): SaidModifier[] {
  const found = new Map<string, SaidModifier>();
  const joint = jointOf(context.tokens, at);
  const isInFront = !context.tokens
    .slice(0, at)
    .some(({ kind, norm }) => kind === "quote" || CHORE_VERBS.includes(norm));
  const isUnderReport = saysToChangeNothing(context.tokens, at);
  for (const { node, read, isBehind } of MODIFIERS) {
    if (isBehind && isInFront) continue;
    match(context, node, start(at), ({ at: end, reading }) => {
      const modifier = read(reading, context.names);
      if (modifier !== null && end > at && !isTalk(context.tokens.slice(at, end))) {
        // “Check links, but don't change anything in guides/”: all links are to be checked.
        if (isUnderReport && modifier["in"] !== undefined) return;
        found.set(JSON.stringify([end, modifier]), { modifier, at, end, joint });
      }
    });
  }
  return [...found.values()];
}

const saysToChangeNothing = (tokens: MatchContext["tokens"], at: number): boolean =>
  /\b(?:change nothing|fix nothing|(?:change|changing|fix|edit|touch) (?:anything|them|it))(?: yet)?$/.test(
    tokens.slice(Math.max(0, at - 4), at).flatMap(({ kind, norm }) => (kind === "word" ? [norm] : [])).join(" "),
  ); // oxfmt-ignore

/** “For reference, fix broken links”: a remark to the reader, even if the docs have a folder with that name. */
export const TALK = /^for (?:reference|example|instance|information|context|completeness|consistency|clarity)$/i;
const isTalk = (tokens: MatchContext["tokens"]): boolean =>
  TALK.test(tokens.flatMap(({ kind, norm }) => (kind === "sign" ? [] : [norm])).join(" "));

/** The word that joins a modifier to the text before it: “, and in …”. */
function jointOf(tokens: MatchContext["tokens"], from: number): string | undefined {
  const at = /^[,(:-]$/.test(tokens[from]?.norm ?? "") ? from + 1 : from;
  return /^(?:and|but|though|also)$/.exec(tokens[at]?.norm ?? "")?.[0];
}

/** The pages and folders that slots name; null for a group whose pages are unknown. */
function scoped(prefix: "in" | "out", slots: Reading["slots"], names: KnownNames): Modifier | null {
  const listed = scopeOf(prefix, slots, names);
  if (listed === null || prefix === "in") return listed && { in: listed };
  const named = slots["outName"] ?? [];
  return { except: [...listed, ...named], ...(named.some((text) => !isAddress(text)) && { namesSpared: named }) };
}

export function scopeOf(prefix: string, slots: Reading["slots"], names: KnownNames): string[] | null {
  const pages = slots[`${prefix}Page`] ?? [];
  const folders = (slots[`${prefix}Folder`] ?? []).map((folder) => `${folder.replace(/\/+$/, "")}/`);
  const groups = (slots[`${prefix}Group`] ?? []).map((group) => names.groups.get(phraseOf(group))?.pages);
  if (groups.some((listed) => listed === undefined)) return null;
  return [...folders, ...pages, ...groups.flatMap((listed) => listed ?? [])];
}

/** Merges all modifiers of a clause; null when two contradict each other, or their combination is ambiguous. */
export function combined(modifiers: readonly SaidModifier[]): Modifier | null {
  const all: Record<string, unknown> = {};
  for (const [index, said] of modifiers.entries()) {
    const before = modifiers[index - 1];
    if (before && before.end === said.at && isEntangled(before, said)) return null;
    for (const [key, value] of Object.entries(said.modifier)) {
      const known = all[key];
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(value)) return null;
      all[key] = value;
    }
  }
  const { in: within, except, everywhere, isSparing: _sparing, ...rest } = all;
  if (everywhere === true && within !== undefined) return null;
  // “In headings, also in code”: in the code of headings, or in both?
  if (rest["only"] !== undefined && rest["includeCode"] === true) return null;
  const said = { in: within, except, everywhere };
  return { ...rest, ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) };
}

const isPlace = ({ modifier }: SaidModifier): boolean =>
  ["in", "only", "includeCode", "except", "isSparing"].some((key) => modifier[key] !== undefined);

/**
 * Whether the second of two adjacent modifiers may belong to the first instead of the instruction. Only a scope can be on
 * its own.
 */
function isEntangled(before: SaidModifier, said: SaidModifier): boolean {
  // “…, but in guides/ case-sensitive” sets an option for one part only.
  if (before.joint !== undefined && before.modifier["in"] !== undefined) return true;
  if (!isPlace(said)) return false;
  if (before.modifier["everywhere"] === true) return said.joint === "and";
  const isOfPart =
    before.modifier["in"] !== undefined ||
    // “except in guides/, also in code” includes more elsewhere: code is not part of the exception.
    (before.modifier["except"] !== undefined && said.modifier["includeCode"] === true && said.joint === "also") ||
    (before.modifier["only"] !== undefined && said.modifier["in"] !== undefined);
  return isPlace(before) && (!isOfPart || said.joint === "and");
}
