import { parse as parseJson } from "jsonc-parser";
import { address, folderOf } from "#docs/dialects/paths.ts";
import { Data } from "#docs/dialects/reading/data.ts";
import { readTextFunction } from "#docs/dialects/reading/text-function.ts";
import type { RepositoryFiles } from "#docs/dialects/repository.ts";
import { type CalloutTitles, NO_RULES, type PageRules } from "#docs/page-rules.ts";
import { createProblemList, type ProblemList } from "#docs/problems.ts";
import { joinContentRoot } from "#docs/routes.ts";

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
export async function rulesOf(
  config: Data,
  { repository, problems, folder }: { repository: RepositoryFiles; problems: ProblemList; folder: string },
): Promise<PageRules> {
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
  const read = readTextFunction(markdown.at("anchor", "slugify").raw);
  const isUnread = read !== null && "place" in read;
  if (isUnread) problems.warning(read.place, UNREAD);
  return {
    ...NO_RULES,
    headingIds: read !== null && "steps" in read ? read.steps : null,
    // Links to ids that only the function knows lead to the headings that we gave others.
    areLinksTexts: isUnread || (await isVersion2(folder, repository)),
    calloutTitles: [...ofLocales, { folder: "", titles: usual }],
  };
}

const UNREAD =
  '"markdown.anchor.slugify" does what Docent cannot read without running it. Headings have the usual ids of VitePress, and ' +
  "links in Markdown lead to them; links from other sites to the ids of this function lead to the top of the page.";

/** Whether the nearest `package.json` that names a version of VitePress has version 2, as a range or a tag. */
async function isVersion2(folder: string, { text }: RepositoryFiles): Promise<boolean> {
  for (let at = folder; ; at = folderOf("..", at)) {
    const file = parseJson((await text(joinContentRoot("package.json", at))) ?? "{}") as unknown;
    const read = Data.of(file, createProblemList(0));
    const own = read.get("name").text() === "vitepress" ? read.get("version").text() : null;
    const named = ["dependencies", "devDependencies"].map((key) => read.at(key, "vitepress").text());
    const version = [own, ...named].find((each) => each !== null && /^(?:[\^~>=v\s]*\d|next|latest)/.test(each));
    if (version) return /^(?:[\^~>=v\s]*2\b|next)/.test(version);
    if (at === "") return false;
  }
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
