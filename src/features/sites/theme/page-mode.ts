import { z } from "zod";
import type { DialectName } from "#docs/dialect.ts";

/** The parts of the theme around a page's content. */
export interface PageMode {
  /** "" if neither the front matter nor the tool sets one. */
  name: string;
  sidebar: boolean;
  /**
   * Breadcrumb, title and description above the content; links to other pages and the question for feedback below it.
   */
  title: boolean;
  menu: boolean;
  contents: boolean;
  footer: boolean;
}

const WHOLE = { sidebar: true, title: true, menu: true, contents: true, footer: true };

const MODES = new Map<unknown, Partial<PageMode>>([
  ["wide", { contents: false }],
  ["center", { sidebar: false, menu: false, contents: false }],
  ["frame", { title: false, menu: false, contents: false }],
  ["custom", { sidebar: false, title: false, menu: false, contents: false, footer: false }],
]);

/** How much of the theme the author of a page wants: `mode` in the front matter, or the words of the site's tool. */
export function pageMode(frontMatter: Readonly<Record<string, unknown>>, dialect: DialectName): PageMode {
  const written = MODES.has(frontMatter["mode"]) ? frontMatter["mode"] : modeOfTool(frontMatter, dialect);
  return { ...WHOLE, name: String(written), ...MODES.get(written) };
}

/** `layout: { outline: { visible: false } }` */
const GITBOOK_LAYOUT = z.record(z.string(), z.object({ visible: z.unknown() }).optional().catch(undefined));

function modeOfTool(frontMatter: Readonly<Record<string, unknown>>, dialect: DialectName): "" | "wide" | "center" {
  const hidden = frontMatter["hide"];
  const hides = (part: string) => Array.isArray(hidden) && hidden.includes(part);
  const isInvisible = (part: string) => GITBOOK_LAYOUT.safeParse(frontMatter["layout"]).data?.[part]?.visible === false;
  const is = (name: string, value: unknown) => frontMatter[name] === value;
  switch (dialect) {
    case "vitepress":
      if (is("layout", "home") || is("layout", "page") || is("sidebar", false)) return "center";
      return is("aside", false) || is("outline", false) ? "wide" : "";
    case "starlight":
      return is("template", "splash") ? "center" : is("tableOfContents", false) ? "wide" : "";
    case "mkdocs":
      return hides("toc") ? (hides("navigation") ? "center" : "wide") : "";
    case "gitbook":
      return isInvisible("outline") ? (isInvisible("tableOfContents") ? "center" : "wide") : "";
    case "docusaurus":
      return is("hide_table_of_contents", true) ? "wide" : "";
    case "fumadocs":
      return is("full", true) ? "wide" : "";
    default:
      return "";
  }
}
