/** The templates for parts of the docs. All chores share them, so that each supports every way to name one. */

export const DOCS =
  "([all] [of] [the|our|all|this] [whole|entire|complete|full] docs|doc|documentation|site|website|repo|repository|project|wiki|docs_site|knowledge_base [pages])";

/** “The page in guides/” is a single page without a name. */
export const PAGES =
  "([all|every|each|any] [of] [the|our|those|these] [docs|documentation|existing] pages|files|articles|everything / all|every|each|any [of] [the|our] [docs|documentation|existing] page|file|article)";

export const INSIDE = "in|on|under|within|inside|across|throughout|below|beneath|over";

const BETWEEN = "(, [and|&] / and|&)";

/**
 * One or several pages, folders and groups. The slots are named by their content, `page`, `folder` and `group`, after a prefix
 * for their role. Without `orGroup` a group only means its pages (“all pages in the group X”), because values of the group itself
 * are something else. Without `orBare` a page is called one, or named by its path: “the search” may also be a thing.
 */
export function places(prefix: string, options: PlaceOptions = {}): string {
  const { part, one } = partsOf(prefix, options);
  return `${one} [${BETWEEN} ${part}]*`;
}

interface PlaceOptions {
  orQuoted?: boolean | undefined;
  orGroup?: boolean;
  orBare?: boolean;
  /** A name that is not called a page is in the slot `outName`. */
  isNameApart?: boolean;
}

/**
 * The excluded places, after “except” or “not”. A quoted name is a page after “on” or “the page”; otherwise it may be a
 * word of the text, and refuses.
 */
export function exceptions(): string {
  const { part, one } = partsOf("out", { orQuoted: false, isNameApart: true });
  const inside = INSIDE.replace("|on|", "|"); // “on” refers to a page
  return `((on ${partsOf("out", {}).one} / [${inside}|from] ${one}) [(, [and|&|or] / and|&|or) ${part}]*)`;
}

function partsOf(
  prefix: string,
  { orQuoted = true, orGroup = true, orBare = true, isNameApart = false }: PlaceOptions,
) {
  const page = `{${prefix}Page:page}`;
  const named = `{${prefix}Page:page.named}`;
  const sure = `{${prefix}${isNameApart ? "Name" : "Page"}:${orBare ? "page.sure" : "page.path"}}`;
  const title = `{${prefix}Page:page.title}`;
  const folder = `{${prefix}Folder:folder}`;
  const knownFolder = `{${prefix}Folder:folder.known}`;
  const group = `{${prefix}Group:group.known}`;
  const inFolder = `[the] (folder|directory|folders|directories ${folder} [${BETWEEN} ${folder}]* / ${folder} folder|directory|folder's)`;
  const inGroup = `[the] [navigation|nav|sidebar] (group|groups ${group} [${BETWEEN} ${group}]* / ${group} group)`;
  const onPage =
    `([the] page|pages|file|files|guide|article ${named} [${BETWEEN} [the] ${named}]*` +
    ` / [the] ${page} page|pages|file / [the] {${prefix}Page:page.guide} guide|article` +
    ` / [the] ${title} and [the] ${title} page|pages` +
    ` / ${knownFolder} / [the] ${sure}${orQuoted ? ` / {${prefix}Page:quoted}` : ` / {${prefix}Page:path}`})`;
  const part = `(${inFolder}${orGroup ? ` / ${inGroup}` : ""} / ${onPage})`;
  const ofGroup = orGroup ? "" : ` / ${PAGES} in|under|of|below|from|inside|within ${inGroup}`;
  const one = `([${PAGES} in|under|of|below|from|inside|within] ${part}${ofGroup} / those [pages|files] ${INSIDE} ${part})`;
  return { part, one };
}

export const EVERYWHERE =
  `(everywhere [in ${DOCS}] / globally / site-wide|sitewide|docs-wide / (site|docs wide) / consistently / throughout` +
  ` / in|across|on|throughout|over|for all|every|each [of] [the|our] [documentation|docs|existing] pages|page|files|file|docs|documents|document|places|articles|article [of|in ${DOCS}]` +
  ` / in|across|throughout|through|over|for|all_over ${DOCS} / in|for everything)`;
