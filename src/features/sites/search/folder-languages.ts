import type { Docs } from "#docs/tree/page-tree.ts";
import type { Route } from "#docs/routes.ts";
import { siteLanguage } from "#docs/words/site-language.ts";

/** Two letters, with a region or script: `pt-br`. */
const CODE = /^[a-z]{2}(?:-[a-z]{2,4})?$/i;
const NAMES = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
/** Of the pages of a folder that have their like in another one. */
const ENOUGH = 0.5;

/**
 * The languages of pages on a site whose navigation names none: `/ko/guide` beside `/guide` or `/en/guide` is Korean. A
 * folder is one of a language if its name is a code and half of its pages are there in another language as well.
 */
export function folderLanguages({ pages, config }: Pick<Docs, "pages" | "config">): Map<Route, string> {
  const folders = new Map<string, Route[]>();
  for (const route of pages.keys()) {
    const folder = route.split("/", 2)[1] ?? "";
    if (!CODE.test(folder) || NAMES.of(folder) === undefined) continue;
    const routes = folders.get(folder);
    if (routes === undefined) folders.set(folder, [route]);
    else routes.push(route);
  }
  const languages = new Map<Route, string>();
  // `ts` and `cs` are codes of languages, too, and folders of some that programs are written in.
  if (![...folders.keys()].some(isSpoken)) return languages;
  for (const [folder, routes] of folders) {
    const likes = routes.flatMap((route) => {
      const rest = route.slice(folder.length + 1) || "/";
      const others = [...folders.keys()].filter((each) => each !== folder);
      return [[rest, ...others.map((each) => `/${each}${rest === "/" ? "" : rest}`)].filter((each) => pages.has(each))];
    });
    if (likes.filter((each) => each.length > 0).length < routes.length * ENOUGH) continue;
    for (const route of routes) languages.set(route, folder);
    // What has its like in a language's folder, outside of all of them, is in the language of the site.
    for (const [own] of likes)
      if (own !== undefined && !folders.has(own.split("/", 2)[1] ?? "")) languages.set(own, config.language ?? "en");
  }
  return languages;
}

const isSpoken = (code: string): boolean => /^en\b/i.test(code) || siteLanguage(code).wordsTag !== "en";
