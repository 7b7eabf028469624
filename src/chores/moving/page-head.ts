import type { DialectName } from "#docs/dialect.ts";
import { hidesNavigation, modeOfTool } from "#docs/markup/tool-page-mode.ts";
import { readFrontMatter } from "#docs/front-matter.ts";
import { readPageHead } from "#docs/tree/page-head.ts";
import type { NavigationPage } from "#docs/tree/navigation.ts";
import type { Docs, Page } from "#docs/tree/page-tree.ts";
import type { Variables } from "#docs/variables.ts";
import { type FrontMatterValue, setFrontMatter } from "#chores/edits/front-matter-edits.ts";
import { AppError } from "#lib/app-error.ts";

/** Front matter with which a tool lays a page out in another way than its text. */
const LAYOUTS: Readonly<Record<string, string>> = { hero: "a hero", features: "features", banner: "a banner" };

/**
 * A page's text with the front matter of a native page: what the site showed of it in the navigation and in lists stays the
 * same. `entry` is its first one in the navigation.
 */
export function withNativeHead(
  text: string,
  {
    page,
    dialect,
    entry,
    variables,
  }: { page: Page; dialect: DialectName; entry: NavigationPage | undefined; variables: Variables },
): { text: string; left: string[] } {
  const native = readPageHead(new TextEncoder().encode(text), variables);
  const values: Record<string, FrontMatterValue> = {};
  if (native.title !== page.title) values["title"] = page.title;
  const shown = native.sidebarTitle ?? page.title;
  if (entry !== undefined && entry.title !== shown) values["sidebarTitle"] = entry.title;
  if (page.description !== null && native.description !== page.description) values["description"] = page.description;
  const tag = entry?.tag ?? page.tag;
  if (tag !== native.tag && tag !== null) values["tag"] = tag;
  if (page.hidden && !native.hidden) values["hidden"] = true;
  if (page.noindex && !native.noindex) values["noindex"] = true;
  if (page.isUnsearched === true && native.isUnsearched !== true) values["searchable"] = false;
  if (page.showsDate !== undefined && native.showsDate !== page.showsDate) values["timestamp"] = page.showsDate;
  if (page.hidesEditLink === true && native.hidesEditLink !== true) values["suggestEdit"] = false;
  const { icon } = page;
  if (icon && JSON.stringify(icon) !== JSON.stringify(native.icon ?? null)) {
    values["icon"] = icon.name;
    if (icon.type !== null) values["iconType"] = icon.type;
  }
  const { attributes } = readFrontMatter(text);
  const mode = modeOfTool(attributes, dialect);
  if (mode !== "" && attributes["mode"] === undefined) values["mode"] = mode;
  const left = Object.entries(LAYOUTS)
    .filter(([key]) => attributes[key] !== undefined && attributes[key] !== "doc")
    .map(([key, what]) => `Pages of Docent do not show ${what} in front matter (\`${key}\`)`);
  if (mode === "" && hidesNavigation(attributes, dialect))
    left.push("Pages of Docent do not hide the navigation and show the list of their headings (`hide`)");
  try {
    return { text: setFrontMatter(text, values), left };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { text, left: [...left, `The front matter is unchanged: ${error.message}`] };
  }
}

/** What a page needs to know of its site. */
export const siteOfPages = ({ config: { dialect, rules }, contentRoot }: Docs) => ({
  dialect,
  rules,
  contentRoot,
});
