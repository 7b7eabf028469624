import type { Root } from "mdast";
import { z } from "zod";
import { readFrontMatter } from "#docs/front-matter.ts";
import { AppError } from "#lib/app-error.ts";
import { count, listed } from "#tools/outcome.ts";
import { choreTool, type ChoreReport, NeedsAnswer } from "./chore.ts";
import { addToFrontMatterList, setFrontMatter, setPageTitle } from "./edits/front-matter-edits.ts";
import { nodeText } from "./edits/markdown-text.ts";
import { resolvePage, ExceptInput, ScopeInput, scopeTest, Name } from "./edits/names.ts";
import type { Workspace } from "./edits/workspace.ts";

const Values = z.strictObject({
  page: Name.optional().describe("Path, address, file name or title of the page"),
  in: ScopeInput.describe(
    'In place of a page: all pages of these pages, folders or path patterns ("**" is every page)',
  ),
  except: ExceptInput,
  key: z
    .string()
    .regex(/^[A-Za-z][\w:.-]{0,60}$/, "is not a name of a front-matter key")
    .describe("Key of the front matter"),
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
const SetInput = Values.refine(({ page, in: scope }) => (page === undefined) !== (scope === undefined), {
  error: 'give "page" or "in"',
})
  .refine(({ page, except }) => page === undefined || except === undefined, { error: '"except" goes with "in"' })
  .refine(
    ({ key, value }) => key !== "hidden" || value === null || /^(?:true|false)$/.test(JSON.stringify(asBoolean(value))),
    {
      error: '"hidden" is true or false',
    },
  )
  .transform((input) => (input.key === "hidden" ? { ...input, value: asBoolean(input.value) } : input));
function asBoolean<Value>(value: Value): Value | boolean {
  return value === "true" || value === "false" ? value === "true" : value;
}

type SetInput = z.infer<typeof SetInput>;
const DescribeInput = z.strictObject({ in: ScopeInput });

/** Keys that distinguish one page from another. */
const OWN_KEYS = new Set(["title", "sidebarTitle", "url", "slug", "permalink", "canonical"]);
const MAX_SHOWN = 300;
const MAX_LISTED = 40;
// Search results cut a description at about 160 characters; a longer sentence is still useful.
const MIN_CHARACTERS = 20;
const MAX_CHARACTERS = 220;

export const frontMatterTools = [
  choreTool({
    name: "set_front_matter",
    description: "Sets, adds or removes one value in the front matter of a page, such as its title or its keywords.",
    input: SetInput,
    mutates: true,
    run: setValue,
  }),
  choreTool({
    name: "add_missing_descriptions",
    description:
      "Gives pages without a description their own first sentence as one. Never invents: pages without a usable " +
      "first sentence are reported.",
    input: DescribeInput,
    mutates: true,
    run: addDescriptions,
  }),
];

async function setValue(input: SetInput, workspace: Workspace): Promise<ChoreReport> {
  if (input.page === undefined) return setOnPages(input, workspace);
  const page = resolvePage(await workspace.docs(), input.page);
  const outcome = await setOnPage(input, workspace, page.path);
  if (outcome.kind === "same") return { summary: alreadySet(input, page.path), notes: [] };
  if (outcome.kind === "taken") {
    throw new NeedsAnswer(`${page.path} has a ${input.key} already: ${outcome.was}`, [
      `Set the ${input.key} of "${page.path}" to "${String(input.value)}"`,
    ]);
  }
  const notes = outcome.was === "" ? [] : [`It was: ${outcome.was}`];
  if (input.key === "hidden") {
    const shown =
      input.value === true ? `Hid ${page.path} from the navigation` : `${page.path} is in the navigation again`;
    return { summary: shown, notes: [] };
  }
  return { summary: `${doneTo(input)} of ${page.path}`, notes };
}

/** Sets one value on many pages. Pages that cannot be edited are left and reported; titles are specific to a page. */
async function setOnPages(input: SetInput, workspace: Workspace): Promise<ChoreReport> {
  if (OWN_KEYS.has(input.key) && input.value !== null)
    throw new AppError("invalid", `Every page has a ${input.key} of its own: set it page by page.`);
  const isInScope = await scopeTest(workspace, input.in, input.except);
  const paths = [...(await workspace.docs()).pagesByPath.keys()].filter(isInScope).sort();
  if (paths.length === 0) throw new AppError("not_found", `There is no page in ${input.in?.join(", ")}.`);
  const changed: string[] = [];
  const left: string[] = [];
  for (const path of paths) {
    try {
      const refusal = await workspace.refuseWrite(path, "");
      if (refusal !== null) throw new AppError("invalid", refusal);
      const outcome = await setOnPage(input, workspace, path);
      if (outcome.kind === "set")
        changed.push(outcome.was === "" ? `\`${path}\`` : `\`${path}\` (was: ${outcome.was})`);
      if (outcome.kind === "taken") left.push(`Left \`${path}\`: its ${input.key} is ${outcome.was}.`);
    } catch (error) {
      await skip(workspace, path, error);
    }
  }
  const skipped = workspace.skipped().length;
  const same = paths.length - changed.length - left.length - skipped;
  return {
    summary: doneOnPages(input, changed.length),
    notes: [
      ...(same > 0 ? [`${count(same, "page")} ${input.value === null ? "had none" : "had it already"}.`] : []),
      ...left,
      ...(changed.length > 0 ? [`Changed: ${listed(changed, MAX_LISTED)}.`] : []),
    ],
    details: { pages: changed.length, left: left.length + skipped },
  };
}

/** Skips a page whose front matter cannot be edited. */
async function skip(workspace: Workspace, path: string, error: unknown): Promise<void> {
  if (!(error instanceof AppError) || error.code !== "invalid") throw error;
  const text = await workspace.text(path);
  const line = text === null ? null : readFrontMatter(text).problemLine;
  workspace.skip({ path, line, reason: `cannot be edited: ${error.message.replace(/\.$/, "")}` });
}

type SetOutcome = { kind: "set" | "taken"; was: string } | { kind: "same" };

async function setOnPage(input: SetInput, workspace: Workspace, path: string): Promise<SetOutcome> {
  const text = await workspace.text(path);
  if (text === null) throw new AppError("invalid", `${path} is not a text file in UTF-8.`);
  const { attributes, problem } = readFrontMatter(text);
  if (problem !== null) throw new AppError("invalid", `${problem} Correct it first.`);
  const old = attributes[input.key] ?? null;
  const isEmptyEntry = input.key in attributes && old === null;
  if (!isEmptyEntry && JSON.stringify(old) === JSON.stringify(input.value)) return { kind: "same" };
  if (input.add && Array.isArray(input.value)) {
    const after = addToFrontMatterList(text, input.key, input.value);
    if (after === text) return { kind: "same" };
    await workspace.write(path, after);
    return { kind: "set", was: "" };
  }
  const was = old === null ? "" : (typeof old === "string" ? old : JSON.stringify(old)).slice(0, MAX_SHOWN);
  if (input.add && was !== "") return { kind: "taken", was };
  if (input.key === "title" && typeof input.value === "string") await setPageTitle(workspace, path, input.value);
  else await workspace.write(path, setFrontMatter(text, { [input.key]: input.value }));
  return { kind: "set", was };
}

function alreadySet({ key, add, value }: SetInput, path: string): string {
  if (key === "hidden") return value === true ? `${path} is hidden already` : `${path} is not hidden`;
  if (value === null) return `${path} has no ${key}`;
  return `${path} has ${add ? "these" : "this"} ${key} already`;
}

function doneTo({ key, value, add }: SetInput): string {
  if (add && Array.isArray(value)) return `Added ${value.map((word) => `“${word}”`).join(", ")} to the ${key}`;
  return `${value === null ? "Removed" : "Set"} the ${key}`;
}

function doneOnPages(input: SetInput, pages: number): string {
  const number = count(pages, "page");
  if (input.key !== "hidden") return `${doneTo(input)} on ${number}`;
  return input.value === true ? `Hid ${number} from the navigation` : `Put ${number} into the navigation again`;
}

async function addDescriptions(input: z.infer<typeof DescribeInput>, workspace: Workspace): Promise<ChoreReport> {
  const isInScope = await scopeTest(workspace, input.in);
  const { pages, tool } = await workspace.docs();
  const undescribed = [...pages.values()].filter((page) => page.description === null && isInScope(page.path));
  const added: string[] = [];
  const left = { noSentence: [] as string[], shownAsText: [] as string[], notWritten: [] as string[] };
  for (const { path } of undescribed) {
    const text = await workspace.text(path);
    if (text === null) {
      await skip(workspace, path, new AppError("invalid", "It is not a text file in UTF-8."));
      continue;
    }
    // mdBook has no front matter: readers would see the block.
    if (tool?.file?.endsWith("book.toml") === true && readFrontMatter(text).range === null) {
      left.shownAsText.push(`\`${path}\``);
      continue;
    }
    const root = await workspace.parse({ path, text });
    if (root === null) continue;
    const sentence = firstSentence(root);
    if (sentence === null || (await workspace.refuseWrite(path, text)) !== null) {
      (sentence === null ? left.noSentence : left.notWritten).push(`\`${path}\``);
      continue;
    }
    try {
      await workspace.write(path, setFrontMatter(text, { description: sentence }));
    } catch (error) {
      await skip(workspace, path, error);
      continue;
    }
    added.push(`\`${path}\`: ${sentence}`);
  }
  const summary =
    undescribed.length === 0
      ? "Found no page without a description"
      : `Added ${count(added.length, "description")} to the ${count(undescribed.length, "page")} without one`;
  const reasons: [paths: string[], reason: string][] = [
    [left.noSentence, "no first sentence that could serve as a description"],
    [left.shownAsText, "no front matter, and mdBook would show it as text"],
    [left.notWritten, "may not be written here"],
  ];
  const notes = reasons
    .filter(([paths]) => paths.length > 0)
    .map(([paths, reason]) => `Left ${count(paths.length, "page")}, ${reason}: ${listed(paths, MAX_LISTED)}.`);
  return { summary, notes: [...notes, ...added], details: { added: added.length } };
}

/** The page's first sentence of running text; null when there is none that can be used without rewriting. */
function firstSentence(root: Root): string | null {
  const paragraph = root.children.find((node) => node.type === "paragraph");
  const words = paragraph === undefined ? null : nodeText(paragraph);
  if (words === null) return null;
  const plain = words.replaceAll(/\s+/g, " ").trim();
  // A callout of another system: `:::tip`, `!!! note`, `??? note`, `/// tip`.
  if (/^(?::::|!!!|\?\?\?|\/\/\/)/.test(plain)) return null;
  const segments = new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(plain);
  const sentence = segments[Symbol.iterator]().next().value?.segment.trim() ?? "";
  const isSentence = /[.!?。！？…]["”’)]?$/.test(sentence);
  return isSentence && sentence.length >= MIN_CHARACTERS && sentence.length <= MAX_CHARACTERS ? sentence : null;
}
