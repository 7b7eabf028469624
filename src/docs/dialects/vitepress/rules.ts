import { address } from "#docs/dialects/paths.ts";
import type { Data } from "#docs/dialects/reading/data.ts";
import { readTextFunction } from "#docs/dialects/reading/text-function.ts";
import type { CalloutTitles, PageRules } from "#docs/page-rules.ts";
import type { ProblemList } from "#docs/problems.ts";

/** The titles of VitePress in every language, unless the configuration has others. */
const TITLES: Readonly<Record<string, string>> = {
  tip: "Tip",
  info: "Info",
  warning: "Warning",
  danger: "Danger",
  details: "Details",
  note: "Note",
  important: "Important",
  caution: "Caution",
};

/** The settings of VitePress for Markdown that change ids of headings and titles of containers. */
export function rulesOf(config: Data, problems: ProblemList): PageRules {
  const markdown = config.get("markdown");
  const usual = { ...TITLES, ...titlesIn(markdown.get("container")) };
  const ofLocales = config
    .get("locales")
    .entries()
    .slice(0, 100)
    .flatMap(([key, locale]): CalloutTitles[] => {
      const own = titlesIn(locale.at("markdown", "container"));
      const folder = key === "root" ? "" : address(locale.get("link").text() ?? key).slice(1);
      return Object.keys(own).length === 0 ? [] : [{ folder, titles: { ...usual, ...own } }];
    });
  return {
    headingIds: headingIds(markdown.at("anchor", "slugify").raw, problems),
    calloutTitles: [...ofLocales, { folder: "", titles: usual }],
  };
}

function headingIds(slugify: unknown, problems: ProblemList): PageRules["headingIds"] {
  const read = readTextFunction(slugify);
  if (read === null) return null;
  if ("steps" in read) return read.steps;
  problems.warning(
    read.place,
    '"markdown.anchor.slugify" does what Docent cannot read without running it. Headings have the usual ids of VitePress, and ' +
      "links in Markdown lead to them; links from other sites to the ids of this function lead to the top of the page.",
  );
  return null;
}

function titlesIn(container: Data): Record<string, string> {
  const titles: Record<string, string> = {};
  for (const kind of Object.keys(TITLES)) {
    const title = container.get(`${kind}Label`).text();
    if (title !== null) titles[kind] = title;
  }
  for (const [kind, title] of container.get("customContainers").entries()) {
    const text = title.text();
    if (text !== null) titles[kind.toLowerCase()] = text;
  }
  return titles;
}
