import { trimEndOf } from "#lib/trim.ts";
import { type ChoreCall, type Clause, isOnlyNoun, isQuoted, pattern, type Rule, SLOT, valueOf } from "./clause.ts";

const PAGE = `(?:(?:the |our |this )?(?:existing )?(?:docs? |documentation )?(?:page|file|guide|article)(?: called| titled| named| at)? )?(?:the )?(${SLOT.page}|${SLOT.name})(?: (?:page|file|guide|article))?`;
const GROUP = `(?:the )?(?:(?:navigation |nav |sidebar )?(?:group|section|tab|category|heading) (${SLOT.name})|(${SLOT.name})(?: (?:navigation |nav |sidebar )?(?:group|section|tab|category))?)(?: (?:group|section)? ?(?:of|in) the (?:navigation|sidebar|nav))?`;
const MADE = "(?:add|create|make|write|insert|set up|start)";

export const pageRules: Rule[] = [
  { example: 'Add a page titled "Title" under "Group" with the text: …', match: matchAdd },
  { example: 'Move the page "Title" to "folder/name"', carriesOut: companionsIn, match: matchMove },
  { example: 'Rename the page "Old title" to "New title"', carriesOut: companionsIn, match: matchRename },
  { example: 'Remove the page "Title" and redirect it to "Other page"', match: matchRemove },
];

const ADD_HEAD = [
  pattern(
    `${MADE} (?:an? )?(?:new )?(?:empty )?(?:docs? |documentation )?(?:page|article|guide)(?: (?:titled|called|named|entitled|with (?:the )?(?:title|name)|for))?:? (${SLOT.quoted})(.*)`,
  ),
  pattern(`${MADE} (?:an? |the )?(?:new )?(${SLOT.quoted}) (?:page|article|guide)(.*)`),
  pattern(
    `${MADE} (?:an? )?(?:new )?(?:page|article|guide) (?:at|in|as) (${SLOT.path}) (?:titled|called|named|entitled|with (?:the )?title) (${SLOT.quoted})(.*)`,
  ),
  pattern(
    `${MADE} (?:an? )?(?:new )?(?:docs? |documentation )?(?:page|article|guide) (?:titled|called|named|entitled) ((?-i:\\p{Lu})[^\\uE000.,:]{0,80}?)((?: (?:under|with|at)\\b.*)?)`,
  ),
];
const ADD_PARTS: readonly { form: RegExp; key: string }[] = [
  { form: pattern(`,?(?: and)?(?: with| using| containing)?(?: the)?(?: following)? (?:text|content|contents|body|markdown)(?: being| is)?:? (${SLOT.quoted})(.*)`), key: "text" },
  { form: pattern(`,?(?: and)? (?:that says|saying|that reads|reading|containing|which says):? (${SLOT.quoted})(.*)`), key: "text" },
  { form: pattern(`,?(?: and)?(?: with| using)?(?: the| a)? description:? (${SLOT.quoted})(.*)`), key: "description" },
  { form: pattern(`,?(?: and)?(?: (?:place|put|list|add) it)? (?:after|behind|below|following)(?: the)?(?: page)? (${SLOT.page})(?: page)?(?: in the (?:navigation|sidebar))?(.*)`), key: "after" },
  { form: pattern(`,?(?: and)? (?:under|in|to|into) the ((?-i:\\p{Lu})[\\p{L}\\p{N}&'/ -]{0,60}?) (?:group|section|tab|category)(?: (?:of|in) the (?:navigation|sidebar|nav))?(.*)`), key: "group" },
  { form: pattern(`,?(?: and)? (?:at|in|as)(?: the)?(?: path| file| folder)? (${SLOT.path})(.*)`), key: "path" },
  { form: pattern(`,?(?: and)?(?: (?:place|put|list|add) it)? (?:under|in|to|into|inside|within)(?: the)?(?: (?:navigation|nav|sidebar))?(?: (?:group|section|tab|category))? (${SLOT.quoted}|(?-i:\\p{Lu})[\\p{L}\\p{N}&'/>-]*(?: (?:>|&|(?-i:\\p{Lu})|and |of )[\\p{L}\\p{N}&'/>-]*){0,5})(?: (?:group|section|tab|category))?(?: (?:of|in) the (?:navigation|sidebar|nav))?(.*)`), key: "group" },
]; // oxfmt-ignore

/** Without quotes it is not certain whether such a word belongs to the title or names a place. */
const PLACE_IN_TITLE = /\s(?:in|into|to|on|of|for|from|after|before|behind|below|inside|within)\s/i;

function matchAdd(clause: Clause): ChoreCall[] | null {
  for (const [index, head] of ADD_HEAD.entries()) {
    const match = head.exec(clause.text);
    if (!match) continue;
    if (index === 3 && PLACE_IN_TITLE.test(match[1] ?? "")) continue;
    const input: Record<string, unknown> = {};
    if (index === 2) input["path"] = valueOf(clause, match[1]);
    input["title"] = valueOf(clause, index === 2 ? match[2] : match[1]);
    let rest = (index === 2 ? match[3] : match[2]) ?? "";
    while (rest.trim() !== "") {
      const part = ADD_PARTS.map(({ form, key }) => ({ key, found: form.exec(rest) })).find(
        ({ found }) => found !== null,
      );
      if (!part?.found || part.key in input) return null;
      input[part.key] = valueOf(clause, part.found[1]);
      rest = part.found[2] ?? "";
    }
    // A page without words is nobody's wish; what it shall say only its author knows.
    return typeof input["text"] === "string" && input["text"] !== "" ? [{ tool: "add_page", input }] : null;
  }
  return null;
}

const REDIRECT = /,?\s+(?:(?:and|but)\s+)?(?:without|do not add|don't add|with no)\s+(?:a\s+|any\s+)?redirects?$/i;
const FROM_OLD = "(?: from (?:the|its) old (?:url|address|path|location|page|one))?";
const TO_IT = "(?: (?:to|pointing to|that point to) it)";
/**
 * What a move does anyway may be said with it. A name is never cut for it: there must be a verb, an article after a
 * comma, or a quotation or path before "with".
 */
const COMPANIONS = new RegExp(
  `(?:${[
    `,? (?:and|then|and then) (?:add|keep|create|leave|set up) (?:an?|the) redirects?${FROM_OLD}`,
    `,? (?:and|then|and then) (?:add|create|set up) redirects?${FROM_OLD}`,
    `, (?:and |with |including |adding |keeping |leaving |creating )?(?:an?|the) redirects?${FROM_OLD}`,
    `(?<=\uE001|[/-][^\\s]{0,200}) (?:with|including|adding|keeping|leaving|creating) (?:an?|the) redirects?${FROM_OLD}`,
    `,? (?:and|then|and then) (?:update|adjust) (?:all |the |any |its )*(?:inbound |internal |incoming )?(?:links?|navigation|references)${TO_IT}?(?: and (?:the )?(?:navigation|links))?`,
    `,? (?:and|then|and then) (?:fix|correct) (?:all |the |any )*(?:inbound |internal |incoming )?(?:links?|references)${TO_IT}(?: and (?:the )?(?:navigation|links))?`,
  ].join("|")})+$`.replaceAll(" ", "\\s+"),
  "i",
);

function companionsIn({ text }: Clause): string[] {
  const without = REDIRECT.exec(text);
  const rest = without === null ? text : text.slice(0, without.index);
  return [without?.[0], COMPANIONS.exec(rest)?.[0]].filter((phrase) => phrase !== undefined);
}

function withoutCompanions(clause: Clause): { text: string; redirect: Record<string, unknown> } {
  const isWithout = REDIRECT.test(clause.text);
  const text = clause.text.replace(REDIRECT, "").replace(COMPANIONS, "").trimEnd();
  return { text, redirect: isWithout ? { redirect: false } : {} };
}

const MOVE_TO_PATH = [
  pattern(
    `(?:move|relocate|put|place) ${PAGE}(?: from (${SLOT.path}))? (?:to|into|under|in|below)(?: the)?(?: path| address| file| url)? (${SLOT.path})`,
  ),
  pattern(`(?:change|set|update) the (?:url|path|slug|address|route|location) of ${PAGE}() (?:to|into) (${SLOT.path})`),
];
const MOVE_TO_FOLDER = pattern(
  `(?:move|relocate|put|place) ${PAGE} (?:to|into|under|in|below) (?:the )?(?:(?:folder|directory) (${SLOT.page})|(${SLOT.page}) (?:folder|directory))`,
);
const MOVE_TO_GROUP = [pattern(`(?:move|put|place) ${PAGE} (?:to|into|under|in|below) ${GROUP}`)];

function matchMove(clause: Clause): ChoreCall[] | null {
  const { text, redirect } = withoutCompanions(clause);
  for (const form of MOVE_TO_PATH) {
    const match = form.exec(text);
    if (!match) continue;
    const target = match[3] ?? "";
    const to = valueOf(clause, target);
    // A quoted name without a slash is no path: it may be a group or a title.
    if (isQuoted(target) && !/[/.]/.test(to)) continue;
    const page = pageFrom(valueOf(clause, match[1]), match[2] ? valueOf(clause, match[2]) : null);
    if (page === null || isUnnamed(text, match[1])) continue;
    return [{ tool: "move_page", input: { page, to, ...redirect } }];
  }
  const folder = MOVE_TO_FOLDER.exec(text);
  if (folder && !isUnnamed(text, folder[1])) {
    const to = `${trimEndOf(valueOf(clause, folder[2] ?? folder[3]), "/")}/`;
    return [{ tool: "move_page", input: { page: valueOf(clause, folder[1]), to, ...redirect } }];
  }
  for (const form of MOVE_TO_GROUP) {
    const match = form.exec(text);
    const says = /\b(?:group|section|tab|category|sidebar|navigation|nav)\b/i.test(text) || /\bunder\b/i.test(text);
    if (!match || !says || isUnnamed(text, match[1]) || isOnlyNoun(match[2] ?? match[3])) continue;
    return [
      { tool: "move_page", input: { page: valueOf(clause, match[1]), group: valueOf(clause, match[2] ?? match[3]) } },
    ];
  }
  return null;
}

/** "install from guides/" is guides/install; null when the two contradict each other. */
function pageFrom(page: string, from: string | null): string | null {
  if (from === null) return page;
  const stem = (path: string) => path.replace(/^\/+/, "").replace(/\.(?:mdx?|markdown)$/i, "");
  if (from.endsWith("/")) return page.includes("/") ? (page.startsWith(from) ? page : null) : from + page;
  const named = stem(from);
  return named === stem(page) || named.endsWith(`/${stem(page)}`) ? from : null;
}

/** A page may be called "guide", but only "the page guide" says so. */
function isUnnamed(text: string, page: string | undefined): boolean {
  return isOnlyNoun(page) && !new RegExp(`\\b(?:page|file|article|called|titled|named) ${page}\\b`, "i").test(text);
}

const RENAME = [
  pattern(
    `rename (?:the )?(?:page|file|guide|article)(?: called| titled| named)? (${SLOT.page}|${SLOT.name}) (?:to|as|into|→|->) (${SLOT.path}|${SLOT.page}|${SLOT.name})`,
  ),
  pattern(
    `rename (?:the )?(${SLOT.page}|${SLOT.name}) (?:page|file|guide|article) (?:to|as|into|→|->) (${SLOT.path}|${SLOT.page}|${SLOT.name})`,
  ),
  pattern(`rename (${SLOT.path}) (?:to|as|into|→|->) (${SLOT.path}|${SLOT.page})`),
];

function matchRename(clause: Clause): ChoreCall[] | null {
  const { text, redirect } = withoutCompanions(clause);
  for (const form of RENAME) {
    const match = form.exec(text);
    if (!match || isUnnamed(text, match[1]) || isOnlyNoun(match[2])) continue;
    const page = valueOf(clause, match[1]);
    const name = valueOf(clause, match[2]);
    const isPath = /[/]|\.(?:mdx?|markdown)$/i.test(name) || /^[a-z0-9]+(?:[-_][a-z0-9]+)+$/.test(name);
    if (form === RENAME[2] && !/[/]|\.(?:mdx?|markdown)$/i.test(page)) continue;
    const folder = isPath && !name.includes("/") && page.includes("/") ? page.slice(0, page.lastIndexOf("/") + 1) : "";
    return [{ tool: "move_page", input: { page, ...(isPath ? { to: folder + name } : { title: name }), ...redirect } }];
  }
  return null;
}

const REMOVE = [
  pattern(
    `(?:remove|delete|drop|erase) (?:the |our )?(?:page|file|guide|article)(?: called| titled| named| at)? (${SLOT.page}|${SLOT.name})(.*)`,
  ),
  pattern(`(?:remove|delete|drop|erase) (?:the |our )?(${SLOT.page}|${SLOT.name}) (?:page|guide|article)(.*)`),
  pattern(`(?:remove|delete|drop|erase) (${SLOT.path})(.*)`),
];
const REDIRECT_TO = pattern(
  `,?(?: and|,)? (?:redirect|point|send|redirecting)(?: (?:it|its (?:url|address|readers|visitors)|visitors|readers|the old (?:url|address)|links(?: to it)?))? to (?:the )?(?:page )?(${SLOT.page}|${SLOT.name})(?: page)?`,
);

function matchRemove(clause: Clause): ChoreCall[] | null {
  for (const form of REMOVE) {
    const match = form.exec(clause.text);
    if (!match || isUnnamed(clause.text, match[1])) continue;
    const page = valueOf(clause, match[1]);
    if (form === REMOVE[2] && !/[/]|\.(?:mdx?|markdown)$/i.test(page)) continue;
    const rest = match[2] ?? "";
    const target = REDIRECT_TO.exec(rest);
    if (
      rest.trim() !== "" &&
      !target &&
      !/^,?\s+(?:from|in)\s+the\s+(?:docs|documentation|navigation and the docs|site)$/i.test(rest)
    )
      return null;
    return [{ tool: "remove_page", input: { page, ...(target ? { redirectTo: valueOf(clause, target[1]) } : {}) } }];
  }
  return null;
}
