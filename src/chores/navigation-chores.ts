import { z } from "zod";
import type { Docs, Page } from "#docs/tree/page-tree.ts";
import { AppError } from "#lib/app-error.ts";
import { count } from "#tools/outcome.ts";
import { choreTool, type ChoreReport } from "./chore.ts";
import {
  addToNavigation,
  emptiedGroups,
  navigationEntries,
  navigationGroups,
  removeFromNavigation,
} from "./edits/navigation/navigation-edits.ts";
import { refuseInTool } from "./edits/navigation/other-tools.ts";
import type { Workspace } from "./edits/workspace.ts";

const RepairInput = z.strictObject({
  addOrphans: z
    .boolean()
    .default(false)
    .describe("Add pages that are not listed, next to the pages of their folder, and remove nothing"),
  group: z.string().min(1).max(300).optional().describe("Group for those pages, instead of the one of their folder"),
});

export const navigationTools = [
  choreTool({
    name: "repair_navigation",
    description:
      "Removes navigation entries of pages that do not exist. With addOrphans it removes nothing, but adds pages that " +
      "are not listed to the group that lists most of their folder.",
    input: RepairInput,
    mutates: true,
    run: repair,
  }),
  choreTool({
    name: "orphan_report",
    description: "Lists pages that are not in the navigation and navigation entries without a page. Changes nothing.",
    input: z.strictObject({}),
    mutates: false,
    run: async (_input, workspace) => {
      const { orphans, dead } = await navigationFlaws(workspace);
      return {
        summary: `${count(orphans.length, "page")} not in the navigation, ${count(dead.length, "entry", "entries")} without a page`,
        notes: [
          ...orphans.map(({ path, title }) => `\`${path}\` (“${title}”) is not in the navigation.`),
          ...dead.map((route) => `\`${route}\` is in the navigation and does not exist.`),
        ],
        details: { orphans: orphans.map((page) => page.path), dead },
      };
    },
  }),
];

/** Pages that no entry lists, except pages that are hidden on purpose, and listed addresses without a page. */
export async function navigationFlaws(workspace: Workspace): Promise<{ orphans: Page[]; dead: string[] }> {
  const docs = await workspace.docs();
  const pages = await navigationEntries(workspace);
  if (pages === null) return { orphans: [], dead: [] };
  const orphans: Page[] = [];
  for (const page of docs.pages.values()) {
    if (!pages.listed.has(page.route) && !(await isHiddenOnPurpose(workspace, page))) orphans.push(page);
  }
  return { orphans, dead: pages.dead };
}

// `hidden` is also set for pages that are merely not listed: only the front matter distinguishes them.
async function isHiddenOnPurpose(workspace: Workspace, page: Page): Promise<boolean> {
  if (/(?:^|\/)(?:readme|license|contributing|code_of_conduct|security|agents|claude)\.\w+$/i.test(page.path))
    return true;
  const text = await workspace.text(page.path);
  return text === null || /^(?:hidden|draft):\s*true\s*$/m.test(text.slice(0, 4_000));
}

async function repair(input: z.infer<typeof RepairInput>, workspace: Workspace): Promise<ChoreReport> {
  const docs = await workspace.docs();
  refuseInTool(docs, "navigation");
  if ((await navigationEntries(workspace)) === null) {
    throw new AppError(
      "invalid",
      "There is no configured navigation: it is derived from the folders and needs no repair.",
    );
  }
  const { orphans, dead } = await navigationFlaws(workspace);
  const notes: string[] = [];
  const emptied: string[] = [];
  let removed = 0;
  for (const route of input.addOrphans ? [] : dead) {
    const outcome = await removeFromNavigation(workspace, { path: route, route });
    removed += outcome.entries;
    emptied.push(...outcome.groups);
    notes.push(`Removed the entry \`${route}\`: there is no such page.`);
  }
  let added = 0;
  for (const page of input.addOrphans ? orphans : []) {
    const group = input.group ?? (await groupOfFolder(workspace, docs, page));
    if (group === null) {
      notes.push(`Left \`${page.path}\` out: no group lists pages of its folder.`);
      continue;
    }
    const trail = await addToNavigation(workspace, page, { group });
    notes.push(`Added \`${page.path}\` to “${trail}”.`);
    added += 1;
  }
  if (!input.addOrphans) for (const page of orphans) notes.push(`\`${page.path}\` is not in the navigation.`);
  if (input.addOrphans) {
    for (const route of dead) notes.push(`Left the entry \`${route}\`, though there is no such page.`);
    return { summary: `Added ${count(added, "page")} to the navigation`, notes };
  }
  const groups = emptied.length === 0 ? "" : `, and ${emptiedGroups({ groups: emptied })}`;
  return { summary: `Removed ${count(removed, "dead navigation entry", "dead navigation entries")}${groups}`, notes };
}

async function groupOfFolder(workspace: Workspace, docs: Docs, page: Page): Promise<string | null> {
  const folder = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);
  let best: { trail: string; pages: number } | null = null;
  for (const { trail, pages } of await navigationGroups(workspace)) {
    const listed = pages.map((route) => docs.pages.get(route)).filter((each) => each !== undefined);
    const own = listed.filter((each) => folder(each.path) === folder(page.path)).length;
    if (own > (best?.pages ?? 0)) best = { trail, pages: own };
  }
  return best?.trail ?? null;
}
