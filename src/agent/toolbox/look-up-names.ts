import { z } from "zod";
import { defineTool, type Tool } from "#tools/tool.ts";
import { navigationGroups } from "#chores/edits/navigation/navigation-edits.ts";
import { createWorkspace, type DocsCaches } from "#chores/edits/workspace.ts";
import { trimEndOf } from "#lib/trim.ts";
import { count, done } from "#tools/outcome.ts";

const MAX_TEXT = 100_000;
const MAX_HEADINGS = 40;
const HEADING = /^ {0,3}#{1,6}[ \t]/;

/**
 * Finds the names of the repository in a text: pages by path and title, headings, folders, groups with all pages below
 * them. Returns only names in the text, so the result is short for any repository. Reads pages as text and parses none
 * (5,000 pages: see `bench/`). A title of two groups is left out, because it is ambiguous.
 */
export function lookUpNamesTool(caches: DocsCaches): Tool {
  return defineTool({
    name: "look_up_names",
    description: "Tells which pages, headings and groups of the documentation a text names.",
    input: z.strictObject({ text: z.string().max(MAX_TEXT) }),
    mutates: false,
    forRules: true,
    async run({ text }, environment) {
      const workspace = createWorkspace(environment, caches);
      const said = ` ${phraseOf(text)} `;
      const isSaid = (name: string) => said.includes(` ${phraseOf(name)} `);
      const docs = await workspace.docs();
      const headings = new Map<string, string[]>();
      await workspace.pageTexts((body, path) => {
        const lines = body.split("\n").filter((line) => HEADING.test(line));
        const found = lines.map((line) => trimEndOf(line.replace(HEADING, "").trim(), "#").trim()).filter(isSaid);
        if (found.length > 0) headings.set(path, [...new Set(found)].slice(0, MAX_HEADINGS));
        return false;
      });
      const pages = [...docs.pages.values()]
        .map(({ path, title, route }) => ({
          path: withoutEnding(path),
          title,
          headings: headings.get(path) ?? [],
          isNamed:
            isSaid(title) ||
            said.includes(` ${route.slice(1).toLowerCase()}`) ||
            isSaid(lastStep(path)) ||
            isSaid(lastStep(path).replaceAll(/[-_]+/g, " ")),
        }))
        .filter(({ isNamed, headings: own }) => isNamed || own.length > 0)
        .map(({ isNamed: _isNamed, ...page }) => page);
      const folders = new Set([...docs.pages.values()].flatMap(({ path }) => foldersOf(path)));
      const all = await navigationGroups(workspace);
      const groups = all.filter(({ title }) => isSaid(title));
      const unique = groups.filter(({ title }) => groups.filter((other) => phraseOf(other.title) === phraseOf(title)).length === 1); // oxfmt-ignore
      const pathOf = (route: (typeof groups)[number]["pages"][number]) => docs.pages.get(route)?.path;
      // A group contains everything below its title in the navigation, including nested groups.
      const routesOf = ({ trail }: (typeof groups)[number]) =>
        all
          .filter((each) => each.trail === trail || each.trail.startsWith(`${trail} > `))
          .flatMap(({ pages: own }) => own);
      return done(`Looked up names: ${count(pages.length, "page")}, ${count(unique.length, "group")}`, {
        pages,
        folders: [...folders].filter(isSaid),
        groups: unique.map((group) => ({
          title: group.title,
          pages: routesOf(group)
            .flatMap((route) => pathOf(route) ?? [])
            .map(withoutEnding),
        })),
      });
    },
  });
}

/** Every folder above a file, from the root: `a` and `a/b` for `a/b/c.mdx`. */
function foldersOf(path: string): string[] {
  const steps = path.split("/").slice(0, -1);
  return steps.map((_step, at) => steps.slice(0, at + 1).join("/"));
}

const withoutEnding = (path: string): string => path.replace(/\.(?:mdx?|markdown)$/i, "");
const lastStep = (path: string): string => withoutEnding(path).split("/").at(-1) ?? "";

/** A name in the form in which the rules compare it: lower case, without punctuation. */
function phraseOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll(/[\s,;:()"“”'`.!?]+/g, " ")
    .trim();
}
