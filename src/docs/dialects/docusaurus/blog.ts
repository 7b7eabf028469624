import { group, pageEntry } from "#docs/dialects/menus.ts";
import { address } from "#docs/dialects/paths.ts";
import type { MenuEntry, PlacedPage, ToolPage } from "#docs/dialects/tool-site.ts";
import type { Route } from "#docs/routes.ts";

const DATED = /^(?<folder>.*)(?<date>\d{4}[-/]\d{1,2}[-/]\d{1,2})[-/]?(?<text>.*?)(?:\/index)?\.mdx?$/;

/** The address of a post, from its front matter or from the date in its path. */
export function postRoute({ written }: ToolPage, path: string, base: string): Route {
  if (typeof written["slug"] === "string" && written["slug"] !== "") return address(base, written["slug"]);
  const { folder = "", date, text = "" } = DATED.exec(path)?.groups ?? {};
  if (date === undefined) return address(base, path.replace(/(?:\/index)?\.mdx?$/, ""));
  return address(base, date.replaceAll("-", "/"), `${folder}${text}`);
}

/** Posts, newest first; those without a date in front matter or path are at the end. */
export function recentPosts(title: string, posts: readonly { page: PlacedPage; path: string }[]): MenuEntry[] {
  const dated = posts.map(({ page: post, path }) => ({ post, date: dateOf(post, path) }));
  dated.sort((a, b) => b.date.localeCompare(a.date) || (a.post.route < b.post.route ? -1 : 1));
  return dated.length === 0
    ? []
    : [
        group(
          title,
          dated.map(({ post }) => pageEntry(post.route)),
        ),
      ];
}

function dateOf({ written }: PlacedPage, path: string): string {
  const own = typeof written["date"] === "string" ? /^\d{4}-\d{1,2}-\d{1,2}/.exec(written["date"])?.[0] : undefined;
  const date = own ?? DATED.exec(path)?.groups?.["date"] ?? "";
  return date
    .split(/[-/]/)
    .map((part) => part.padStart(2, "0"))
    .join("-");
}
