import { type ChoreCall, type Clause, isQuoted, pattern, type Rule, SLOT, takeScope, valueOf } from "./clause.ts";

const PAGE = `(?:the |our )?(?:page )?(${SLOT.page}|${SLOT.name})(?: page| guide| article)?`;
const ON = "(?:on|of|in|to|from|for|at|into)";
const TEXT = `(?:,? (?:with|and|using)? ?(?:the |this )?(?:following )?(?:text|content|body|markdown)?:?|,? (?:saying|that says|reading|that reads|containing):?|:) (${SLOT.quoted})`;
const KEY = "(title|description|side ?bar ?title|icon|keywords|tag)";

/** An image by its path, or called one and named as in the folder, with or without its extension. */
const IMAGE = `(?:(?:the )?(?:image|picture|screenshot|illustration|graphic)(?: file)? (${SLOT.page})|(?:the )?(${SLOT.path}))`;

interface Form {
  form: RegExp;
  /** `raw`: the slots as they stand in the clause, with marks for what is quoted. */
  call(slots: (string | undefined)[], raw: { clause: Clause; slots: (string | undefined)[] }): ChoreCall | null;
}

const WORDS = `(${SLOT.quoted}(?:(?:,? and |, ?)${SLOT.quoted})*)`;

/** Instructions about one page: its sections, callouts and front matter. */
const FORMS: readonly Form[] = [
  {
    form: pattern(`(?:add|append|insert|create) (?:an? )?(?:new )?section (?:titled|called|named|entitled|with (?:the )?(?:title|heading))?:? ?(${SLOT.quoted}) ${ON} ${PAGE}(?: (after|before|behind|below)(?: the)?(?: section)? (${SLOT.quoted})|(?: at)? the (?:end|bottom))?${TEXT}`),
    call: ([title, page, side, anchor, text]) => ({
      tool: "add_section",
      input: { page, title, text, ...(anchor ? { [/before/i.test(side ?? "") ? "before" : "after"]: anchor } : {}) },
    }),
  },
  {
    form: pattern(`(?:add|insert|put) (?:an? )?(note|warning|tip|info|check|danger|caution) ${ON} (?:the (?:top|start|beginning) of )?${PAGE}(?: (?:after|below|under|in)(?: the)?(?: section)? (${SLOT.quoted})(?: section)?)?${TEXT}`),
    call: ([kind, page, section, text]) => ({
      tool: "add_callout",
      input: { page, kind: kind?.toLowerCase() === "caution" ? "warning" : kind?.toLowerCase(), text, ...(section ? { section } : {}) },
    }),
  },
  {
    form: pattern(`(?:replace|change|update|set) (?:the )?(?:text |content |contents |body )?(?:of )?(?:the )?section (${SLOT.quoted}) ${ON} ${PAGE} (?:with|to|by)(?: the)?(?: following)?(?: text| content)?:? (${SLOT.quoted})`),
    call: ([title, page, text]) => ({ tool: "replace_section", input: { page, title, text } }),
  },
  {
    form: pattern(`(?:replace|change|update) (?:the )?section (${SLOT.quoted}) ${ON} ${PAGE}${TEXT}`),
    call: ([title, page, text]) => ({ tool: "replace_section", input: { page, title, text } }),
  },
  {
    form: pattern(`(?:remove|delete|drop) (?:the )?(?:section (${SLOT.quoted})|(${SLOT.quoted}) section) ${ON} ${PAGE}`),
    call: ([first, second, page]) => ({ tool: "remove_section", input: { page, title: first ?? second } }),
  },
  {
    form: pattern(`add (?:the |a )?(?:new )?keywords?:? ${WORDS} ${ON} ${PAGE}`),
    call: ([, page], { clause, slots }) => addKeywords(page, wordsIn(clause, slots[0])),
  },
  {
    form: pattern(`add ${WORDS} (?:to|as keywords? to) (?:the )?keywords (?:of|on|for|in) ${PAGE}`),
    call: ([, page], { clause, slots }) => addKeywords(page, wordsIn(clause, slots[0])),
  },
  {
    form: pattern(`(?:set|change|update) (?:the )?${KEY} ${ON} ${PAGE}(?: (?:to|as|into|→|->):?|:) (${SLOT.quoted})`),
    call: ([key, page, value]) => frontMatter(page, key, value),
  },
  {
    form: pattern(`(?:give|set) ${PAGE} (?:the |a )?(?:new )?${KEY}:? (${SLOT.quoted})`),
    call: ([page, key, value]) => frontMatter(page, key, value),
  },
  {
    form: pattern(`(add|set) (?:the |a )?(?:new )?${KEY} (${SLOT.quoted}) ${ON} ${PAGE}`),
    call: ([verb, key, value, page]) => frontMatter(page, key, value, verb?.toLowerCase() === "add"),
  },
  {
    form: pattern(`(?:set|change) (?:the )?front[- ]?matter (?:key |field |value )?(${SLOT.quoted}|[\\w:-]+) ${ON} ${PAGE} to (${SLOT.quoted}|true|false)`),
    call: ([key, page, value]) => ({ tool: "set_front_matter", input: { page, key, value: value === "true" ? true : value === "false" ? false : value } }),
  },
  {
    form: pattern(`(hide|unhide) ${PAGE}(?: (?:from|in) the navigation)?`),
    call: ([verb, page]) => ({ tool: "set_front_matter", input: { page, key: "hidden", value: verb?.toLowerCase() === "hide" ? true : null } }),
  },
  {
    form: pattern(`set (?:the )?alt(?:ernative)?[- ]text (?:of|for|on) (?:the )?(?:image )?(${SLOT.path})(?: (?:on|in) ${PAGE})? to:? (${SLOT.quoted})`),
    call: ([image, page, alt]) => ({ tool: "set_alt_text", input: { image, alt, ...(page ? { page } : {}) } }),
  },
  {
    form: pattern(`set (?:the )?alt(?:ernative)?[- ]text (?:of|for|on) ${IMAGE}(?: (?:on|in) ${PAGE})? to:? (?:""|''|“”|empty|nothing|(?:an |the )?empty (?:text|string))`),
    call: decoration,
  },
  {
    form: pattern(`(?:mark|make|treat|set|flag) ${IMAGE}(?: (?:on|in) ${PAGE})? (?:to be |as )?(?:an? )?(?:purely |only |just )?(?:decorative|decoration)(?: image| only)?`),
    call: decoration,
  },
  {
    form: pattern(`(?:mark|make|treat|set|flag) ${IMAGE} (?:as )?(?:an? )?(?:purely |only |just )?(?:decorative|decoration)(?: image| only)? (?:on|in) ${PAGE}`),
    call: decoration,
  },
]; // oxfmt-ignore

function decoration([named, path, page]: (string | undefined)[]): ChoreCall {
  return { tool: "set_alt_text", input: { image: named ?? path, alt: "", ...(page ? { page } : {}) } };
}

function frontMatter(
  page: string | undefined,
  key: string | undefined,
  value: string | undefined,
  isAdded = false,
): ChoreCall {
  const name = /side/i.test(key ?? "") ? "sidebarTitle" : (key ?? "").toLowerCase();
  const written = name === "keywords" ? splitWords(value ?? "") : value;
  return { tool: "set_front_matter", input: { page, key: name, value: written, ...(isAdded && { add: true }) } };
}

function addKeywords(page: string | undefined, words: readonly string[]): ChoreCall {
  return { tool: "set_front_matter", input: { page, key: "keywords", value: words, add: true } };
}

const wordsIn = (clause: Clause, slot: string | undefined) =>
  [...(slot ?? "").matchAll(new RegExp(SLOT.quoted, "g"))].flatMap(([mark]) => splitWords(valueOf(clause, mark)));

const splitWords = (text: string) =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);

const MISSING_DESCRIPTIONS = [
  pattern(
    `(?:add|fill in|generate|create|set|complete) (?:all |the |any )?(?:missing |absent |lacking )(?:page |meta |front[- ]?matter )?descriptions?(?: (?:from|with|using|based on) (?:the |each |their |its )?(?:page's )?first sentences?(?: of (?:each|the|every) page)?)?`,
  ),
  pattern(
    `(?:add|generate|create|give) (?:an? |the )?(?:page |meta |front[- ]?matter )?descriptions? (?:to|for|on) (?:all |any |every |the |each )*pages? (?:that (?:have|has) none|that (?:lack|lacks|miss|misses|need|needs) (?:it|one|them|a description)|without(?: one| a description| descriptions| any)?|(?:that (?:do|does) not|that (?:don't|doesn't)) have (?:one|any|a description)|missing (?:one|it|them|a description))(?: (?:from|with|using) (?:the |their |its )?first sentences?)?`,
  ),
];
const MISSING_ALT = [
  pattern(
    `(?:report|list|find|show|check(?: for)?|identify|show me|tell me about) (?:all |any |the )*(?:images?|pictures?|screenshots?) (?:that (?:have|has) no|without|lacking|missing|that (?:lack|miss)|with(?:out)? (?:no |empty |missing )?)(?: an?| any)?(?: missing| empty)? ?alt(?:ernative)?(?:[- ]text(?:s)?)?`,
  ),
  pattern(
    `(?:report|list|find|show|check(?: for)?|identify) (?:all |any |the )*missing (?:image )?alt(?:ernative)?[- ]?texts?`,
  ),
];
/** Name of a source. */
const SOURCE = `${SLOT.quoted}|[a-z0-9][a-z0-9-]{0,39}`;
const CHANGELOG = pattern(
  `(?:(?:add|create|write|generate|append|make) (?:an? |the )?(?:new )?(?:entry (?:to|in) the )?changelog(?: entry)?|update (?:the )?changelog(?: page)?)(?: (?:in|on|to) (${SLOT.path}))?(?: for (?:the )?(?:version |release )?(${SLOT.quoted}|v?\\d[\\w.-]*))?(?: (?:from|with|using|based on) (?:the )?(?:(?:git |commit )?(?:history|log|commits|tags?)(?: of the repository)?|source (${SOURCE})))(?: (?:since|after|from) (?:the )?(?:tag |commit |version )?(${SLOT.quoted}|v?[\\w.-]+))?`,
);
const OPENAPI = pattern(
  `(?:generate|create|add|build|make|update) (?:the |an? )?(?:api )?(?:reference )?(?:api )?(?:reference |endpoint )?(?:pages?|docs|documentation|reference)? ?(?:from|for|of|out of|based on) (?:the )?(?:openapi |swagger )?(?:file |spec(?:ification)? |description |document )?(${SLOT.path})(?: of (?:the )?source (${SOURCE}))?(?: (?:in|into|to) (?:the )?(?:folder |directory )?(${SLOT.path}))?(?: under (?:the )?(?:group |section )?(${SLOT.quoted}|(?-i:\\p{Lu})[\\p{L}\\p{N} ]{0,60}?)(?: group)?)?`,
);

/** What these chores look for, or take their words from. */
const LACKING =
  /\b(?:with(?:out)?|that (?:has|have|lacks?|miss(?:es)?|needs?|do not have|don't have|does not have|doesn't have)|lacking|missing)\b(?: (?:no|an?|any|one|none|it|them|missing|empty|descriptions?)\b)*|\bfirst sentences?\b/gi;

export const contentRules: Rule[] = [
  { example: 'Add a section titled "Heading" to the page "Title" with the text "…"', match: matchForms },
  { example: 'Replace the section "Heading" of "Title" with "…"', match: () => null },
  { example: 'Remove the section "Heading" from "Title"', match: () => null },
  { example: 'Add a note to "Title" with the text "…"', match: () => null },
  { example: 'Set the description of "Title" to "…"', match: () => null },
  { example: 'Set the title of "Title" to "…"', match: () => null },
  { example: 'Add the keyword "word" to "Title"', match: () => null },
  { example: 'Hide the page "Title"', match: () => null },
  { example: 'Set the alt text of "image.png" to "…"', match: () => null },
  { example: "Mark the image images/line.png as decorative", match: () => null },
  {
    example: "Add missing descriptions",
    isForAllDocs: true,
    carriesOut: ({ text }) => text.match(LACKING) ?? [],
    match: matchDescriptions,
  },
  {
    example: "List images without alt text",
    carriesOut: ({ text }) => text.match(LACKING) ?? [],
    match: (clause) => matchScoped(MISSING_ALT, "report_missing_alt", clause),
  },
  { example: "Add a changelog entry for 2.7 from the git history since v2.6", match: matchChangelog },
  { example: "Create API reference pages from openapi.yaml", isForAllDocs: true, match: matchOpenapi },
];

function matchForms(clause: Clause): ChoreCall[] | null {
  for (const { form, call } of FORMS) {
    const match = form.exec(clause.text);
    const slots = match?.slice(1) ?? [];
    const values = slots.map((slot) => (slot === undefined ? undefined : valueOf(clause, slot)));
    const found = match && call(values, { clause, slots });
    if (found) return [found];
  }
  return null;
}

function matchScoped(forms: readonly RegExp[], tool: string, clause: Clause): ChoreCall[] | null {
  const { text, scope } = takeScope(clause);
  const isMatch = [clause.text, text].some((each) => forms.some((form) => form.test(each)));
  return isMatch ? [{ tool, input: scope === undefined ? {} : { in: scope } }] : null;
}

/** "to guides/" names a part as "in guides/" does. */
function matchDescriptions(clause: Clause): ChoreCall[] | null {
  const asPart = { ...clause, text: clause.text.replace(/\sto(?=\s(?!.*\sto\s))/i, " in") };
  const [found] = [clause, asPart]
    .map((each) => matchScoped(MISSING_DESCRIPTIONS, "add_missing_descriptions", each))
    .filter((calls) => calls !== null);
  return found ?? null;
}

function matchChangelog(clause: Clause): ChoreCall[] | null {
  const match = CHANGELOG.exec(clause.text);
  if (!match) return null;
  const [path, version, source, since] = match
    .slice(1)
    .map((slot) => (slot === undefined ? undefined : valueOf(clause, slot)));
  return [
    {
      tool: "changelog_from_history",
      input: {
        ...(path ? { page: path } : {}),
        ...(version ? { version } : {}),
        ...(source ? { source } : {}),
        ...(since ? { since } : {}),
      },
    },
  ];
}

function matchOpenapi(clause: Clause): ChoreCall[] | null {
  const match = OPENAPI.exec(clause.text);
  const file = match && valueOf(clause, match[1]);
  if (!match || !file || !/\.(?:json|ya?ml)$/i.test(file)) return null;
  const [source, folder, group] = match
    .slice(2)
    .map((slot) => (slot === undefined ? undefined : valueOf(clause, slot)));
  if (match[3] !== undefined && isQuoted(match[3]) && !folder?.includes("/")) return null;
  const input = { file, ...(source ? { source } : {}), ...(folder ? { folder } : {}), ...(group ? { group } : {}) };
  return [{ tool: "openapi_pages", input }];
}
