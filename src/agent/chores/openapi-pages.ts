import GithubSlugger from "github-slugger";
import { z } from "zod";
import { readFrontMatter } from "#content/front-matter.ts";
import { joinContentRoot } from "#content/routes.ts";
import { AppError } from "#lib/app-error.ts";
import type { Tool } from "#agent/tool.ts";
import { count } from "#agent/tools/outcome.ts";
import { trimEndOf } from "#lib/trim.ts";
import { SourceName } from "#agent/source-tools/source-tool.ts";
import { choreTool, type ChoreDeps, type ChoreReport } from "./chore.ts";
import { addGroup, addToNavigation, navigationGroups } from "./edits/navigation-edits.ts";
import { yamlScalar } from "./edits/front-matter-edits.ts";
import { escapeMdx } from "./edits/markdown-text.ts";
import { type ApiField, type ApiOperation, readOpenapi } from "./edits/openapi-document.ts";
import type { Workspace } from "./edits/workspace.ts";

const Input = z.strictObject({
  file: z.string().min(1).max(400).describe("OpenAPI 3 description in the repository, JSON or YAML"),
  source: SourceName.optional().describe("Name of the source that has the file; the docs themselves when absent"),
  folder: z.string().min(1).max(300).default("api-reference").describe("Folder of the pages"),
  group: z.string().trim().min(1).max(200).default("API reference").describe("Group of the navigation; made if absent"),
});
type Input = z.infer<typeof Input>;

export function openapiPagesTool(deps: ChoreDeps): Tool {
  return choreTool(deps, {
    name: "openapi_pages",
    description:
      "Writes API reference pages from an OpenAPI file, one per tag, and puts them into the navigation. Pages that it " +
      "made before are written anew; other pages are never overwritten.",
    input: Input,
    mutates: true,
    readsBeside: ({ source }) => source !== undefined,
    run: writePages,
  });
}

async function writePages(input: Input, workspace: Workspace): Promise<ChoreReport> {
  const docs = await workspace.docs();
  const given = input.file.replace(/^\.?\//, "");
  const inRoot = joinContentRoot(given, docs.contentRoot);
  const own = (await workspace.tree.exists(given)) ? given : inRoot;
  const path = input.source === undefined ? own : `${given} of source ${input.source}`;
  const file = await (input.source === undefined ? workspace.textFile(own) : workspace.sourceFile(input.source, given));
  if (!file.ok) throw new AppError("not_found", file.message);
  const operations = readOpenapi(input.source === undefined ? own : given, file.text);
  if (operations.length === 0) throw new AppError("invalid", `${path} describes no operations.`);

  const byTag = Map.groupBy(operations, (operation) => operation.tag);
  const slugger = new GithubSlugger();
  const folder = trimEndOf(input.folder.replace(/^\.?\//, ""), "/");
  const notes: string[] = [];
  let written = 0;
  for (const [tag, tagged] of byTag) {
    const title = tag === "" ? "Operations" : tag;
    const target = joinContentRoot(`${folder}/${slugger.slug(title) || "operations"}.mdx`, docs.contentRoot);
    const text = pageOf(title, path, tagged);
    const old = await workspace.text(target);
    if (old === text) continue;
    if (old !== null && readFrontMatter(old).attributes["generatedFrom"] !== path) {
      throw new AppError("conflict", `${target} exists and was not made from ${path}: it is not overwritten.`);
    }
    await workspace.write(target, text);
    written += 1;
    notes.push(`\`${target}\`: ${count(tagged.length, "operation")}.`);
    if (old === null) await list(workspace, target, input.group);
  }
  const summary =
    written === 0
      ? `The API reference is up to date with ${path}`
      : `Wrote ${count(written, "API reference page")} for ${count(operations.length, "operation")} of ${path}`;
  return { summary, notes };
}

async function list(workspace: Workspace, path: string, group: string): Promise<void> {
  const { config } = await workspace.docs();
  if (config.navigation === null) return;
  const groups = await navigationGroups(workspace);
  const isThere = groups.some(({ title, trail }) =>
    [title, trail].some((name) => name.toLowerCase() === group.toLowerCase()),
  );
  if (isThere) await addToNavigation(workspace, { path }, { group });
  else await addGroup(workspace, { title: group, path });
}

function pageOf(title: string, source: string, operations: readonly ApiOperation[]): string {
  const lines = ["---", `title: ${yamlScalar(title)}`, `generatedFrom: ${yamlScalar(source)}`, "---", ""];
  for (const operation of operations) lines.push(...operationLines(operation), "");
  return `${lines.join("\n").trimEnd()}\n`;
}

function operationLines(operation: ApiOperation): string[] {
  const lines = [
    `## ${escapeMdx(operation.summary)}`,
    "",
    `\`${operation.method} ${operation.path.replaceAll("`", "")}\``,
    "",
  ];
  if (operation.isDeprecated) lines.push("<Warning>This operation is deprecated.</Warning>", "");
  if (operation.description !== "") lines.push(...proseLines(operation.description), "");
  for (const field of operation.fields) lines.push(...fieldLines(field), "");
  if (operation.responses.length > 0) {
    lines.push("| Status | Meaning |", "| --- | --- |");
    for (const { status, description } of operation.responses) {
      lines.push(`| \`${status.replaceAll(/[`|]/g, "")}\` | ${escapeMdx(description).replaceAll("|", "\\|")} |`);
    }
  }
  return lines;
}

function fieldLines({ place, name, type, isRequired, description }: ApiField): string[] {
  const attribute = (value: string) => value.replaceAll('"', "&quot;");
  const required = isRequired ? " required" : "";
  const open = `<ParamField ${place}="${attribute(name)}" type="${attribute(type)}"${required}`;
  return description === "" ? [`${open} />`] : [`${open}>`, `  ${escapeMdx(description)}`, "</ParamField>"];
}

/** Descriptions are Markdown of somebody else: headings would break the page's outline, the rest is kept. */
function proseLines(text: string): string[] {
  let fence: string | null = null;
  return text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => {
      const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
      if (fence !== null) {
        if (mark?.startsWith(fence)) fence = null;
        return line;
      }
      if (mark !== null) {
        fence = mark;
        return line;
      }
      return escapeMdx(line.replace(/^\s{0,3}#{1,6}\s+(\S.*)$/s, "**$1**"));
    });
}
