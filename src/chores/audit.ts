import { z } from "zod";
import { count } from "#tools/outcome.ts";
import { missingAltTexts } from "./alt-text.ts";
import { choreTool, type ChoreReport } from "./chore.ts";
import { navigationFlaws } from "./navigation-chores.ts";
import type { Workspace } from "./edits/workspace.ts";

const MAX_PER_KIND = 15;

export const auditTool = choreTool({
  name: "audit",
  description:
    "Looks over all docs and reports broken links, pages that do not parse, missing descriptions and alt texts, pages " +
    "outside the navigation, dead navigation entries and titles used twice. Changes nothing.",
  input: z.strictObject({}),
  mutates: false,
  listsSkipped: true,
  run: audit,
});

async function audit(_input: unknown, workspace: Workspace): Promise<ChoreReport> {
  const docs = await workspace.docs();
  const links = await workspace.links();
  const { orphans, dead } = await navigationFlaws(workspace);
  const alt = await missingAltTexts(workspace, undefined);
  const byTitle = Map.groupBy(docs.pages.values(), (page) => page.title);
  const kinds: readonly (readonly [name: string, found: readonly string[]])[] = [
    ["Broken links", links.broken.map((link) => `\`${link.path}:${link.line}\` → \`${link.url}\``)],
    [
      "Pages that do not parse",
      links.unparsed.map(({ path, line, message }) => `\`${path}${line === null ? "" : `:${line}`}\` (${message})`),
    ],
    ["Problems of the configuration", docs.problems.map(({ path, message }) => `\`${path}\`: ${message}`)],
    [
      "Pages without a description",
      [...docs.pages.values()].filter((page) => page.description === null).map((page) => `\`${page.path}\``),
    ],
    ["Images without alt text", alt.missing],
    ["Pages outside the navigation", orphans.map((page) => `\`${page.path}\``)],
    ["Navigation entries without a page", dead.map((route) => `\`${route}\``)],
    [
      "Titles used more than once",
      [...byTitle]
        .filter(([, pages]) => pages.length > 1)
        .map(([title, pages]) => `“${title}” (${pages.map((page) => page.path).join(", ")})`),
    ],
  ];
  const notes = kinds
    .filter(([, found]) => found.length > 0)
    .map(([name, found]) => {
      const more = found.length > MAX_PER_KIND ? ` and ${found.length - MAX_PER_KIND} more` : "";
      return `${name} (${found.length}): ${found.slice(0, MAX_PER_KIND).join(", ")}${more}.`;
    });
  const total = kinds.reduce((sum, [, found]) => sum + found.length, 0);
  return {
    summary: `Looked over ${count(docs.pages.size, "page")}: ${total === 0 ? "no flaw found" : count(total, "flaw") + " found"}`,
    notes,
    details: Object.fromEntries(kinds.map(([name, found]) => [name, found.length])),
  };
}
