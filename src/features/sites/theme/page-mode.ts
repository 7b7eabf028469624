import type { DialectName } from "#docs/dialect.ts";
import { hidesNavigation, modeOfTool } from "#docs/markup/tool-page-mode.ts";

/** The parts of the theme around a page's content. */
export interface PageMode {
  /** "" if neither the front matter nor the tool sets one. */
  name: string;
  sidebar: boolean;
  /**
   * Breadcrumb, title and description above the content; links to other pages and the question for feedback below it.
   */
  title: boolean;
  /** Whether a page whose own level-one heading comes after other content has the title above it all the same. */
  repeatsTitle: boolean;
  menu: boolean;
  contents: boolean;
  footer: boolean;
}

const WHOLE = { sidebar: true, title: true, repeatsTitle: true, menu: true, contents: true, footer: true };

const MODES = new Map<unknown, Partial<PageMode>>([
  ["wide", { contents: false }],
  ["center", { sidebar: false, menu: false, contents: false }],
  ["frame", { title: false, menu: false, contents: false }],
  ["custom", { sidebar: false, title: false, menu: false, contents: false, footer: false }],
]);

/** Tools that show no title above a page with a level-one heading. */
const WITHOUT_TITLE: ReadonlySet<DialectName> = new Set(["mkdocs", "vitepress", "nextra"]);

/** How much of the theme the author of a page wants: `mode` in the front matter, or the words of the site's tool. */
export function pageMode(frontMatter: Readonly<Record<string, unknown>>, dialect: DialectName): PageMode {
  const written = MODES.has(frontMatter["mode"]) ? frontMatter["mode"] : modeOfTool(frontMatter, dialect);
  const repeatsTitle = !WITHOUT_TITLE.has(dialect);
  const own = hidesNavigation(frontMatter, dialect) ? { sidebar: false } : {};
  return { ...WHOLE, repeatsTitle, name: String(written), ...own, ...MODES.get(written) };
}
