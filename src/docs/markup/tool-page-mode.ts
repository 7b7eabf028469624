import { z } from "zod";
import type { DialectName } from "#docs/dialect.ts";
import { homePage } from "./home-page.ts";

type FrontMatter = Readonly<Record<string, unknown>>;

/** `layout: { outline: { visible: false } }` */
const GITBOOK_LAYOUT = z.record(z.string(), z.object({ visible: z.unknown() }).optional().catch(undefined));

const hides = ({ hide }: FrontMatter, part: string): boolean => Array.isArray(hide) && hide.includes(part);

/** Whether a tool shows the page without the navigation, which in native pages only a `mode` without an outline does. */
export const hidesNavigation = (frontMatter: FrontMatter, dialect: DialectName): boolean =>
  dialect === "mkdocs" && hides(frontMatter, "navigation");

/** The `mode` of a native page that shows the same parts as a tool, by its front matter; "" for the whole theme. */
export function modeOfTool(frontMatter: FrontMatter, dialect: DialectName): "" | "wide" | "center" {
  const isInvisible = (part: string) => GITBOOK_LAYOUT.safeParse(frontMatter["layout"]).data?.[part]?.visible === false;
  const is = (name: string, value: unknown) => frontMatter[name] === value;
  switch (dialect) {
    case "vitepress":
      if (is("layout", "page") || is("sidebar", false) || homePage(frontMatter, dialect) !== null) return "center";
      return is("aside", false) || is("outline", false) ? "wide" : "";
    case "starlight":
      return is("template", "splash") ? "center" : is("tableOfContents", false) ? "wide" : "";
    case "mkdocs":
      return hides(frontMatter, "toc") ? (hides(frontMatter, "navigation") ? "center" : "wide") : "";
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
