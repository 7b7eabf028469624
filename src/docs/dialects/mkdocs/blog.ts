import { slug } from "github-slugger";
import { isMarkedDraft } from "#docs/dialects/drafts.ts";
import { address, inside } from "#docs/dialects/paths.ts";
import { type Data, isRecord } from "#docs/dialects/reading/data.ts";
import type { ToolPage } from "#docs/dialects/tool-site.ts";
import type { Route } from "#docs/routes.ts";

/** The blog plugin of Material: the address of a post is derived from its date and title. */
export interface Blog {
  folder: string;
  /** Null when it is not a post. */
  routeOf(page: ToolPage, path: string): Route | null;
  isPost(path: string): boolean;
  /** Whether it is a post that the plugin does not build. */
  isDraft(page: ToolPage, path: string): boolean;
  dateOf(page: ToolPage): string;
}

export function blogOf(options: Data | undefined): Blog | null {
  if (options === undefined) return null;
  const folder = options.get("blog_dir").text() ?? "blog";
  const posts = (options.get("post_dir").text() ?? "{blog}/posts").replaceAll("{blog}", folder);
  const format = options.get("post_url_format").text() ?? "{date}/{slug}";
  const dates = options.get("post_url_date_format").text() ?? "yyyy/MM/dd";
  const showsDrafts = options.get("draft").flag() === true;
  const isPost = (path: string) => inside(path, posts) !== null;
  return {
    folder,
    isPost,
    isDraft: (page, path) => !showsDrafts && isPost(path) && isMarkedDraft(page),
    dateOf,
    routeOf(page, path) {
      if (!isPost(path)) return null;
      const [year = "", month = "", day = ""] = dateOf(page).split("-");
      const date = dates.replaceAll("yyyy", year).replaceAll("MM", month).replaceAll("dd", day);
      const { slug: written } = page.written;
      const name = typeof written === "string" ? written : slug(page.title ?? "");
      const file = path.split("/").at(-1)?.replace(/\.md$/, "") ?? "";
      return address(folder, format.replaceAll("{date}", date).replaceAll("{slug}", name).replaceAll("{file}", file));
    },
  };
}

function dateOf({ written: { date } }: ToolPage): string {
  const text = isRecord(date) ? date["created"] : date;
  return typeof text === "string" ? (/^\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? "") : "";
}
