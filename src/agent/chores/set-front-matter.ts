import { z } from "zod";
import { readFrontMatter } from "#content/front-matter.ts";
import { AppError } from "#lib/app-error.ts";
import type { Tool } from "#agent/tool.ts";
import { count } from "#agent/tools/outcome.ts";
import { choreTool, type ChoreDeps, type ChoreReport, NeedsAnswer } from "./chore.ts";
import { addToFrontMatterList, setFrontMatter } from "./edits/front-matter-edits.ts";
import { nodeText } from "./edits/markdown-text.ts";
import { resolvePage } from "./edits/page-reference.ts";
import { setPageTitle } from "./edits/page-title.ts";
import { ScopeInput, scopeTest } from "./edits/scope.ts";
import type { Workspace } from "./edits/workspace.ts";

const SetInput = z.strictObject({
  page: z.string().min(1).max(400).describe("Path, address, file name or title of the page"),
  key: z.string().regex(/^[A-Za-z][\w:.-]{0,60}$/, "is not a name of a front-matter key"),
  value: z
    .union([
      z.string().max(2_000),
      z.number(),
      z.boolean(),
      z.null(),
      z.array(z.string().trim().min(1).max(200)).min(1).max(100),
    ])
    .describe("null removes the key; a list for keywords"),
  add: z
    .boolean()
    .optional()
    .describe("Adds to the list that is there; a single value that is there is never replaced"),
});
const DescribeInput = z.strictObject({ in: ScopeInput });

// Search results cut a description at about 160 characters; a longer sentence still is one.
const MIN_CHARACTERS = 20;
const MAX_CHARACTERS = 220;

export function frontMatterTools(deps: ChoreDeps): Tool[] {
  return [
    choreTool(deps, {
      name: "set_front_matter",
      description: "Sets, adds or removes one value in the front matter of a page, such as its title or its keywords.",
      input: SetInput,
      mutates: true,
      run: setValue,
    }),
    choreTool(deps, {
      name: "add_missing_descriptions",
      description:
        "Gives pages without a description their own first sentence as one. Never invents: pages without a usable " +
        "first sentence are reported.",
      input: DescribeInput,
      mutates: true,
      run: addDescriptions,
    }),
  ];
}

async function setValue(input: z.infer<typeof SetInput>, workspace: Workspace): Promise<ChoreReport> {
  const page = resolvePage(await workspace.docs(), input.page);
  const text = await workspace.text(page.path);
  if (text === null) throw new AppError("invalid", `${page.path} is not a text file in UTF-8.`);
  const old = readFrontMatter(text).attributes[input.key] ?? null;
  if (JSON.stringify(old) === JSON.stringify(input.value))
    return { summary: `${page.path} has this ${input.key} already`, notes: [] };
  if (input.add && Array.isArray(input.value)) {
    const after = addToFrontMatterList(text, input.key, input.value);
    if (after === text) return { summary: `${page.path} has these ${input.key} already`, notes: [] };
    await workspace.write(page.path, after);
    return {
      summary: `Added ${input.value.map((word) => `“${word}”`).join(", ")} to the ${input.key} of ${page.path}`,
      notes: [],
    };
  }
  const was = typeof old === "string" ? old : JSON.stringify(old);
  if (input.add && old !== null && old !== "") {
    throw new NeedsAnswer(`${page.path} has a ${input.key} already: ${was.slice(0, 300)}`, [
      `Set the ${input.key} of "${page.path}" to "${String(input.value)}"`,
    ]);
  }
  if (input.key === "title" && typeof input.value === "string") await setPageTitle(workspace, page.path, input.value);
  else await workspace.write(page.path, setFrontMatter(text, { [input.key]: input.value }));
  const notes = old === null || old === "" ? [] : [`It was: ${was.slice(0, 300)}`];
  return { summary: `${input.value === null ? "Removed" : "Set"} the ${input.key} of ${page.path}`, notes };
}

async function addDescriptions(input: z.infer<typeof DescribeInput>, workspace: Workspace): Promise<ChoreReport> {
  const isInScope = await scopeTest(workspace, input.in);
  const { pages } = await workspace.docs();
  const wanted = [...pages.values()].filter((page) => page.description === null && isInScope(page.path));
  const notes: string[] = [];
  let added = 0;
  for (const { path } of wanted) {
    const text = await workspace.text(path);
    if (text === null) continue;
    if (readFrontMatter(text).range === null) {
      notes.push(`Left \`${path}\`: it has no front matter.`);
      continue;
    }
    const sentence = await firstSentence(workspace, path, text);
    if (sentence === null || (await workspace.refuseWrite(path, text)) !== null) {
      notes.push(`Left \`${path}\`: it has no first sentence that could serve.`);
      continue;
    }
    await workspace.write(path, setFrontMatter(text, { description: sentence }));
    notes.push(`\`${path}\`: ${sentence}`);
    added += 1;
  }
  const summary =
    wanted.length === 0
      ? "Found no page without a description"
      : `Added ${count(added, "description")} to the ${count(wanted.length, "page")} without one`;
  return { summary, notes, details: { added } };
}

/** The page's first sentence of running text; null when it is none, or would need a writer to be one. */
async function firstSentence(workspace: Workspace, path: string, text: string): Promise<string | null> {
  const root = await workspace.parse({ path, text });
  const paragraph = root?.children.find((node) => node.type === "paragraph");
  const words = paragraph === undefined ? null : nodeText(paragraph);
  if (words === null) return null;
  const plain = words.replaceAll(/\s+/g, " ").trim();
  // A box of another system: `:::tip`, `!!! note`, `??? note`.
  if (/^(?::::|!!!|\?\?\?)/.test(plain)) return null;
  const segments = new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(plain);
  const sentence = segments[Symbol.iterator]().next().value?.segment.trim() ?? "";
  const isSentence = /[.!?。！？…]["”’)]?$/.test(sentence);
  return isSentence && sentence.length >= MIN_CHARACTERS && sentence.length <= MAX_CHARACTERS ? sentence : null;
}
