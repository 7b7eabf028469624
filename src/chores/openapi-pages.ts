import GithubSlugger from "github-slugger";
import { z } from "zod";
import type { ListedOperation } from "#docs/api/operations.ts";
import { readFrontMatter } from "#docs/front-matter.ts";
import type { JsonObject } from "#docs/json-document.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { joinContentRoot } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { count } from "#tools/outcome.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { trimEndOf, trimOf } from "#lib/trim.ts";
import { SourceName } from "#tools/sources/source-tool.ts";
import { choreTool, type ChoreReport } from "./chore.ts";
import { groupsNamed } from "./edits/navigation/group-names.ts";
import { addGroup, addToNavigation, navigationGroups } from "./edits/navigation/navigation-edits.ts";
import { yamlScalar } from "./edits/front-matter-edits.ts";
import { operationText, visibleText } from "./operation-text.ts";
import { Name } from "./edits/names.ts";
import type { Workspace } from "./edits/workspace.ts";

const Input = z.strictObject({
  file: Name.describe("OpenAPI or Swagger description in the repository, JSON or YAML"),
  source: SourceName.optional().describe("Name of the source that has the file; the docs themselves when absent"),
  folder: z.string().min(1).max(300).default("api-reference").describe("Folder of the pages"),
  group: z.string().trim().min(1).max(200).default("API reference").describe("Group of the navigation; made if absent"),
});
type Input = z.infer<typeof Input>;

const MAX_OPERATIONS = 5_000;
const MAX_ON_PAGE = 100;
const MAX_PAGE = 300_000;
const MAX_PROBLEMS = 10;
const WRITTEN_AT_ONCE = 8;

export const openapiPagesTool = choreTool({
  name: "openapi_pages",
  description:
    "Writes API reference pages from an OpenAPI file, one per tag, and puts them into the navigation. Pages that it " +
    "made before are rewritten; other pages are never overwritten.",
  input: Input,
  mutates: true,
  readsMore: ({ source }) => source !== undefined,
  run: writePages,
});

async function writePages(input: Input, workspace: Workspace): Promise<ChoreReport> {
  const docs = await workspace.docs();
  if (docs.tool !== null)
    throw new AppError(
      "invalid",
      `API pages are written for a docs.json, and this is a repository of ${docs.tool.title}.`,
    );
  const { root, operations, path, problems } = await readDescription(input, workspace);
  const target = {
    folder: trimEndOf(input.folder.replace(/^\.?\//, ""), "/"),
    group: input.group,
    generatedFrom: path,
  };
  const written: string[] = [];
  const current = new Set<string>();
  const notes: string[] = [];
  const slugger = new GithubSlugger();
  for (const [tag, tagged] of Map.groupBy(operations, (operation) => operation.tag)) {
    const title = tag !== null && /[\p{L}\p{N}]/u.test(tag) ? visibleText(tag) : "Operations";
    const stem = slugger.slug(trimOf(title.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}_]+/gu, "-"), "-"));
    const texts = await textsOf(root, tagged, { workspace, docs, page: `${target.folder}/${stem}.mdx` });
    for (const [index, part] of pagesOf(texts).entries()) {
      const name = index === 0 ? stem : slugger.slug(`${stem}-${index + 1}`);
      const file = joinContentRoot(`${target.folder}/${name}.mdx`, docs.contentRoot);
      const page = pageText(index === 0 ? title : `${title} ${index + 1}`, path, part);
      current.add(file);
      if (!(await writePage(workspace, { file, text: page, ...target }))) continue;
      written.push(file);
      notes.push(`\`${file}\`: ${count(part.length, "operation")}.`);
    }
  }
  notes.push(...(await formerPages(workspace, path, current)), ...problems);
  const summary =
    written.length === 0
      ? `The API reference is up to date with ${path}`
      : `Wrote ${count(written.length, "API reference page")} for ${count(operations.length, "operation")} of ${path}`;
  return { summary, notes };
}

async function readDescription(input: Input, workspace: Workspace) {
  const { contentRoot } = await workspace.docs();
  const given = input.file.replace(/^\.?\//, "");
  const own = (await workspace.tree.exists(given)) ? given : joinContentRoot(given, contentRoot);
  const file = input.source === undefined ? own : given;
  const path = input.source === undefined ? own : `${given} of source ${input.source}`;
  const found = await (input.source === undefined
    ? workspace.textFile(own)
    : workspace.sourceFile(input.source, given));
  if (!found.ok) throw new AppError("not_found", found.message);
  const reading = await workspace.readApi(file, input.source);
  const problems = reading.problems.map(({ path: at, line, message }) =>
    `${at}${line === null ? "" : `:${line}`}: ${message}`.slice(0, 400),
  );
  if (reading.document === null) {
    throw new AppError("invalid", `${path} is no description of an API that can be read. ${problems[0] ?? ""}`.trim());
  }
  const operations = reading.operations.filter(({ isExcluded }) => !isExcluded);
  if (operations.length === 0) throw new AppError("invalid", `${path} describes no operations.`);
  if (operations.length > MAX_OPERATIONS) {
    throw new AppError(
      "invalid",
      `${path} describes ${operations.length} operations; pages are generated for up to ${MAX_OPERATIONS}. Name the file ` +
        "in docs.json instead: then the site makes a page of each operation itself.",
    );
  }
  return {
    root: JSON.parse(reading.document) as JsonObject,
    operations,
    path,
    problems: [
      ...problems.slice(0, MAX_PROBLEMS),
      ...(problems.length > MAX_PROBLEMS
        ? [`${path} has ${count(problems.length - MAX_PROBLEMS, "further problem")}.`]
        : []),
    ],
  };
}

async function textsOf(
  root: JsonObject,
  operations: readonly ListedOperation[],
  { workspace, docs, page }: { workspace: Workspace; docs: Docs; page: string },
): Promise<string[]> {
  const texts = await mapConcurrently(operations, WRITTEN_AT_ONCE, (operation) => {
    workspace.signal.throwIfAborted();
    return operationText(root, operation, { parser: workspace.parser, docs, page });
  });
  return texts.filter((text) => text !== null);
}

/** Splits the operations of a tag over as many pages as readers and parsers need. */
function pagesOf(texts: readonly string[]): string[][] {
  const pages: string[][] = [];
  let size = Infinity;
  for (const text of texts) {
    const page = pages.at(-1);
    size += text.length;
    if (page === undefined || size > MAX_PAGE || page.length >= MAX_ON_PAGE) {
      pages.push([text]);
      size = text.length;
    } else page.push(text);
  }
  return pages;
}

function pageText(title: string, source: string, operations: readonly string[]): string {
  const head = ["---", `title: ${yamlScalar(title)}`, `generatedFrom: ${yamlScalar(source)}`, "---"];
  return `${[head.join("\n"), ...operations].join("\n\n")}\n`;
}

async function writePage(
  workspace: Workspace,
  { file, text, generatedFrom, group }: { file: string; text: string; generatedFrom: string; group: string },
): Promise<boolean> {
  const old = await workspace.text(file);
  if (old === text) return false;
  if (old === null && (await workspace.tree.exists(file)))
    throw new AppError("conflict", `${file} exists and is no text: it is not overwritten.`);
  if (old !== null && readFrontMatter(old).attributes["generatedFrom"] !== generatedFrom) {
    throw new AppError("conflict", `${file} exists and was not made from ${generatedFrom}: it is not overwritten.`);
  }
  await workspace.write(file, text);
  if (old === null) await list(workspace, file, group);
  return true;
}

/** Pages of an earlier run whose tag has no more operations. They stay, because no request removes them. */
async function formerPages(workspace: Workspace, path: string, current: ReadonlySet<string>): Promise<string[]> {
  const made = await workspace.pageTexts(
    (text) => text.startsWith("---") && readFrontMatter(text).attributes["generatedFrom"] === path,
  );
  return made
    .filter((page) => !current.has(page.path))
    .map(
      (page) =>
        `\`${page.path}\` was generated from this file before, which has no operations for it any more. It stays.`,
    );
}

async function list(workspace: Workspace, path: string, group: string): Promise<void> {
  const { config } = await workspace.docs();
  if (config.navigation === null) return;
  const isThere = groupsNamed(await navigationGroups(workspace), group).length > 0;
  if (isThere) await addToNavigation(workspace, { path }, { group });
  else await addGroup(workspace, { title: group, path });
}
