import GithubSlugger from "github-slugger";
import { posix } from "node:path";
import { z } from "zod";
import { routesBelow } from "#docs/tree/navigation.ts";
import { newPagePath, pagesFolder } from "#docs/tree/new-page-path.ts";
import { type Docs, type Page, pageOfFile } from "#docs/tree/page-tree.ts";
import { joinContentRoot, type Route, routeOfStem, stripContentRoot } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { choreTool, type ChoreReport } from "./chore.ts";
import { refuseInTool } from "./edits/navigation/other-tools.ts";
import { addToNavigation, navigationGroups, type NavigationGroup } from "./edits/navigation/navigation-edits.ts";
import { dropRedirects } from "./edits/navigation/redirect-edits.ts";
import { groupsNamed } from "./edits/navigation/group-names.ts";
import { orderAfter } from "./edits/navigation/generated-groups.ts";
import { yamlScalar } from "./edits/front-matter-edits.ts";
import { refuseBrokenLinks } from "./edits/reference-edits.ts";
import { noSuchName, resolvePage, Name, Title } from "./edits/names.ts";
import type { Workspace } from "./edits/workspace.ts";

const Input = z.strictObject({
  title: Title.describe("Title of the page"),
  text: z.string().max(500_000).default("").describe("The page's Markdown, without front matter and title"),
  description: z.string().trim().min(1).max(1_000).optional().describe("Description in the front matter"),
  path: Name.optional().describe(
    "Path or folder of the new page; made of the title and the group's folder when absent",
  ),
  group: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe("Group of the navigation; with no configured navigation a folder"),
  after: Name.optional().describe("Page before it in the navigation"),
});
type Input = z.infer<typeof Input>;

/** Extensions of other files; `releases/v2.6` may be a page. */
const OTHER_FILE = /\.(?:json|ya?ml|toml|xml|html?|css|[cm]?[jt]sx?|txt|csv|svg|png|jpe?g|gif|webp|pdf|vue|py|rb|sh)$/i;

export const addPageTool = choreTool({
  name: "add_page",
  description:
    "Adds a page with a title and the given Markdown and puts it into the navigation. The text is added unchanged; " +
    "its links must not be broken.",
  input: Input,
  mutates: true,
  run: addPage,
});

async function addPage(input: Input, workspace: Workspace): Promise<ChoreReport> {
  const docs = await workspace.docs();
  if (input.group !== undefined || input.after !== undefined) refuseInTool(docs, "navigation");
  if (docs.tool !== null && docs.tool.chores === undefined && input.path === undefined)
    throw new AppError("invalid", `Give the path of the page in the folders of ${docs.tool.title}.`);
  const after = input.after === undefined ? undefined : resolvePage(docs, input.after);
  const groups = await navigationGroups(workspace);
  const group = chooseGroup(docs, groups, { input, after });
  const siblings = siblingPages(docs, { group, groupName: input.group, after });
  // Where a tool makes the groups from folders, a title that is unknown here would be ignored.
  const isUnknown = siblings.length === 0 && input.group !== undefined && groupsNamed(groups, input.group).length === 0;
  if (docs.tool !== null && input.group !== undefined && isUnknown)
    throw noSuchName("The documentation", "group", input.group, groups.map(({ title }) => title).filter(Boolean));
  const path = await newPath(workspace, { input, docs, siblings });
  const notes: string[] = [];
  await workspace.write(path, await pageText(workspace, { input, path, siblings }));
  await refuseBrokenLinks(workspace, path);

  let place = "";
  const isInNavigation = stripContentRoot(path, pagesFolder(docs)) !== null;
  if (group !== null && isInNavigation) {
    const trail = await addToNavigation(workspace, { path }, { group: group.trail, after: after?.route });
    place = trail === "" ? " at the first level of the navigation" : ` under “${trail}”`;
  } else if (docs.config.navigation !== null) {
    notes.push("It is not in the navigation: name a group to put it under.");
  }
  if (docs.tool !== null && after !== undefined) notes.push(...(await orderAfter(workspace, path, after)));
  const now = await workspace.docs();
  const route = now.pagesByPath.get(path)?.route ?? routeOfStem(path);
  if (place === "" && docs.tool !== null) {
    const file = docs.tool.chores?.navigation ?? null;
    if (file !== null || !routesBelow(now.navigation).includes(route))
      notes.push(
        file !== null && groups.length > 0 && group === null
          ? `It was not added to the navigation, because no group there lists pages of its folder. Name a group, or add it to \`${file}\`.`
          : `It was not added to the navigation, which \`${file ?? docs.tool.file}\` computes or has in a form that cannot be changed here. Add the page there.`,
      );
  }
  if ((await dropRedirects(workspace, [route])) > 0)
    notes.push(`Dropped the redirect from \`${route}\`, which is a page now.`);
  return { summary: `Added the page “${input.title}” (${path})${place}`, notes, details: { path, route } };
}

/** The requested group; without one the group of the previous page, or the one that lists most of its folder. */
function chooseGroup(
  docs: Docs,
  groups: readonly NavigationGroup[],
  { input, after }: { input: Input; after: Page | undefined },
): NavigationGroup | null {
  if (groups.length === 0) return null;
  if (input.group !== undefined) {
    const [only, second] = groupsNamed(groups, input.group);
    // For a title that is missing or ambiguous, addToNavigation throws an error that names the groups.
    return only && !second ? only : { title: input.group, trail: input.group, pages: [] };
  }
  if (after !== undefined) return groups.find((group) => group.pages.includes(after.route)) ?? null;
  // Another tool lists pages next to groups: a page without a group is added there.
  const top = groups.find(({ trail }) => trail === "") ?? null;
  const folder = input.path === undefined ? null : routeOfStem(input.path).replace(/\/[^/]*$/, "");
  if (folder === null || folder === "") return top;
  const root = docs.tool?.chores?.pages ?? null;
  const bare = folder.slice(1);
  const own = root === null ? null : joinContentRoot(stripContentRoot(bare, root) ?? bare, root);
  const isIn = (route: Route) =>
    own === null ? route.startsWith(`${folder}/`) : posix.dirname(docs.pages.get(route)?.path ?? "") === own;
  const inFolder = (group: NavigationGroup) => group.pages.filter(isIn).length;
  const best = groups.toSorted((a, b) => inFolder(b) - inFolder(a))[0];
  return best && inFolder(best) > 0 ? best : top;
}

function siblingPages(
  docs: Docs,
  {
    group,
    groupName,
    after,
  }: { group: NavigationGroup | null; groupName: string | undefined; after: Page | undefined },
): Page[] {
  const listed = (group?.pages ?? []).map((route) => docs.pages.get(route)).filter((page) => page !== undefined);
  if (listed.length > 0) return listed;
  if (after !== undefined) return [after];
  const folder = groupName === undefined ? null : `${new GithubSlugger().slug(groupName)}/`;
  return [...docs.pages.values()].filter((page) => {
    const path = stripContentRoot(page.path, pagesFolder(docs)) ?? page.path;
    return folder !== null && path.toLowerCase().startsWith(folder);
  });
}

async function newPath(
  workspace: Workspace,
  { input, docs, siblings }: { input: Input; docs: Docs; siblings: readonly Page[] },
): Promise<string> {
  if (/(?:^|[/\\])\.{1,2}(?:[/\\]|$)/.test(input.title))
    throw new AppError("invalid", `“${input.title}” is a path, and no title: give the title in words.`);
  if (OTHER_FILE.test(input.path ?? ""))
    throw new AppError("invalid", `“${input.path}” is no page: a page ends in .md or .mdx, or has no ending.`);
  const slug = new GithubSlugger().slug(input.title);
  const given = input.path?.replace(/^\.?\/+/, "") ?? null;
  const named =
    given === null || /\.(?:md|mdx|markdown)$/i.test(given) ? given : `${given}${given.endsWith("/") ? slug : ""}`;
  if (named === null && slug === "")
    throw new AppError("invalid", "No file name can be made of the title: give a path.");
  const folder = named === null ? mostCommon(siblings.map((page) => posix.dirname(page.path))) : null;
  const root = pagesFolder(docs);
  const requested = named ?? (folder === null || folder === "." ? joinContentRoot(slug, root) : `${folder}/${slug}`);
  const inRoot = newPagePath(docs, requested);
  const stem = inRoot.replace(/\.(?:md|mdx|markdown)$/i, "");
  const rival = pageOfFile(docs, stripContentRoot(stem, docs.contentRoot) ?? stem);
  if (rival)
    throw new AppError("conflict", `There is a page with this address already: ${rival.path} (“${rival.title}”).`);
  if (stem !== inRoot) return inRoot;
  const others = siblings.length > 0 ? siblings : [...docs.pages.values()];
  const usual = docs.tool === null ? ".mdx" : ".md";
  const extension = mostCommon(others.map((page) => posix.extname(page.path))) ?? usual;
  // Text such as "a < b" or "{x}" is Markdown but not MDX: it gets the plain format, unless a path was requested.
  if (extension === ".mdx" && given === null) {
    const outcome = await workspace.parser.parse(input.text, "mdx");
    if (!outcome.ok) return `${stem}.md`;
  }
  return stem + extension;
}

async function pageText(
  workspace: Workspace,
  { input, path, siblings }: { input: Input; path: string; siblings: readonly Page[] },
): Promise<string> {
  const body = input.text.replaceAll("\r\n", "\n").trim();
  const texts = await Promise.all(siblings.slice(0, 20).map((page) => workspace.text(page.path)));
  const withFrontMatter = texts.filter((text) => text !== null && /^\uFEFF?---\r?\n/.test(text)).length;
  const usesFrontMatter = texts.length === 0 ? /\.mdx$/i.test(path) : withFrontMatter * 2 >= texts.length;
  const isFrontMatter = usesFrontMatter || input.description !== undefined;
  const head = [`title: ${yamlScalar(input.title)}`];
  if (input.description !== undefined) head.push(`description: ${yamlScalar(input.description)}`);
  const startsWithTitle = body.split("\n", 1)[0]?.replace(/^#\s+/, "").trim() === input.title;
  const text = isFrontMatter
    ? `---\n${head.join("\n")}\n---\n\n${body}`
    : startsWithTitle
      ? body
      : `# ${input.title}\n\n${body}`;
  const sample = texts.find((each) => each !== null);
  return sample?.includes("\r\n") ? `${text.trimEnd()}\n`.replaceAll("\n", "\r\n") : `${text.trimEnd()}\n`;
}

function mostCommon(values: readonly string[]): string | null {
  const counts = [...Map.groupBy(values, (value) => value).values()];
  return counts.toSorted((a, b) => b.length - a.length)[0]?.[0] ?? null;
}
