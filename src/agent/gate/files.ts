import { posix } from "node:path";
import { markdownFormat } from "#docs/parser.ts";
import { stripContentRoot } from "#docs/routes.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { forAgentsProblem, isForAgents } from "#tools/agent-folders.ts";
import { isCategoryFile, isToolConfiguration } from "#tools/tool-configuration.ts";
import { isDataFile, refusedEdits } from "#tools/write-policy.ts";
import { type ChangedText, type Judge, type JudgedChange, type Judgement, policyError, warning } from "./judge.ts";
import { referredFiles } from "./references.ts";

/**
 * Only files of the documentation may change: pages, snippets that a page includes, and data files that the
 * configuration or a page references. A reference added by the change itself is not enough: see `isLicensed`.
 */
export const judgeFiles: Judge = async (_deps, change) => {
  const refused = (await refusedEdits(change.base, change.edits, change.before.contentRoot)).map((message) =>
    policyError(null, message),
  );
  return [...refused, ...(await strayFiles(change)), ...instructions(change), ...unlistedPages(change)];
};

async function strayFiles({ base, head, before, after, texts }: JudgedChange): Promise<Judgement[]> {
  // What may change in the configuration of another tool is a question for the write policy.
  const isConfig = (path: string) =>
    path === before.configFile ||
    path === after.configFile ||
    isToolConfiguration(path) ||
    (after.config.dialect === "docusaurus" && isCategoryFile(path));
  const data = texts.filter(({ path, before: old, after: now }) => old !== now && isDataFile(path) && !isConfig(path));
  const parts = texts.filter(
    ({ path, before: old, after: now }) =>
      old === "" && now !== "" && markdownFormat(path) !== null && !after.pagesByPath.has(path),
  );
  const added = data.filter(({ before: old }) => old === "");
  const siblings = added.length === 0 ? [] : await siblingsOf(base, added);
  const requestedBefore = [...data.map(({ path }) => path), ...siblings];
  const knownBefore = await referredFiles({ snapshot: base, docs: before, requested: requestedBefore });
  const requestedAfter = [...added, ...parts].map(({ path }) => path);
  const knownAfter = await referredFiles({ snapshot: head, docs: after, requested: requestedAfter });
  const isStray = (text: ChangedText) =>
    !knownBefore.has(text.path) &&
    !(text.before === "" && knownAfter.has(text.path) && isLicensed(text, { siblings, known: knownBefore }));
  return [
    ...data.filter(isStray).map(({ path, before: old }) => {
      const why =
        old === ""
          ? "is a new data file that the docs did not refer to before, no description of an interface (OpenAPI, AsyncAPI), and not next to other data of the docs of its kind"
          : "is a data file that neither the configuration nor a page refers to";
      return policyError(path, `${JSON.stringify(path)} ${why}: only people change it.`);
    }),
    ...parts
      .filter(({ path }) => !knownAfter.has(path))
      .map(({ path }) => policyError(path, `${JSON.stringify(path)} is no page of the site, and no page takes it in.`)),
  ];
}

const folderAndKind = (path: string) =>
  `${posix.dirname(path)}/*${posix.extname(path).toLowerCase().replace(".yml", ".yaml")}`;

/** Data files of the base in the same folder as an added one and of the same kind. */
async function siblingsOf(base: Snapshot, added: readonly ChangedText[]): Promise<string[]> {
  const places = new Set(added.map(({ path }) => folderAndKind(path)));
  const files = await base.files();
  return files
    .filter(({ path, kind }) => kind === "file" && isDataFile(path) && places.has(folderAndKind(path)))
    .map(({ path }) => path);
}

/**
 * Whether a referenced new file counts as data of the docs: its content is an API description, or its folder has data
 * of the same kind that the docs already referenced.
 */
function isLicensed(
  { path, after }: ChangedText,
  { siblings, known }: { siblings: readonly string[]; known: ReadonlySet<string> },
): boolean {
  const place = folderAndKind(path);
  return isApiDocument(after) || siblings.some((sibling) => known.has(sibling) && folderAndKind(sibling) === place);
}

/** Pages at paths whose content agents follow as instructions, unless the navigation lists them for readers. */
function instructions({ before, after, texts }: JudgedChange): Judgement[] {
  return texts
    .filter(({ path, before: old, after: now }) => old !== now && isForAgents(before, path))
    .filter(({ path }) => after.config.navigation === null || isForAgents(after, path))
    .map(({ path }) => policyError(path, forAgentsProblem(path)));
}

/** New pages that are not in the navigation: readers do not see them, but reviewers should. */
function unlistedPages({ before, after, texts }: JudgedChange): Judgement[] {
  if (after.config.navigation === null) return [];
  const isNew = (path: string) => {
    const page = after.pagesByPath.get(path);
    return page?.hidden === true && !before.pagesByPath.has(path) && !before.pages.has(page.route);
  };
  return texts
    .filter(({ path }) => isNew(path))
    .map(({ path }) => {
      const name = stripContentRoot(path, after.contentRoot) ?? path;
      const message = `${JSON.stringify(name)} is a new page that the navigation does not name.`;
      return warning({ check: "policy", path, line: null, message });
    });
}

// Top-level keys of the standards: a file with other keys may also be meant for another program.
const KEYS =
  /^(?:openapi|swagger|asyncapi|info|servers|paths|components|tags|security|externalDocs|webhooks|jsonSchemaDialect|\$self|host|basePath|schemes|consumes|produces|definitions|parameters|responses|securityDefinitions|id|defaultContentType|channels|operations|x-[\w-]+)$/;
const VERSION = /^(?:openapi|swagger|asyncapi)$/;
const NUMBER = /^["']?[1-9]\.\d{1,2}(?:\.\d{1,2})?["']?$/;

/** Whether the content of a data file is an OpenAPI, Swagger or AsyncAPI description. */
export function isApiDocument(text: string): boolean {
  const keys = text.trimStart().startsWith("{") ? jsonKeys(text) : yamlKeys(text);
  return (
    keys !== null &&
    keys.every(([name]) => KEYS.test(name)) &&
    keys.some(([name, value]) => VERSION.test(name) && NUMBER.test(value))
  );
}

type Key = readonly [name: string, value: string];

function jsonKeys(text: string): Key[] | null {
  try {
    const value = JSON.parse(text) as object;
    return Object.entries(value).map(([name, part]) => [name, typeof part === "string" ? part : ""]);
  } catch {
    return null;
  }
}

/** Accepts only YAML that all parsers read the same way: one document whose top-level keys start a line. */
function yamlKeys(text: string): Key[] | null {
  if (/[\u0085\u2028\u2029]/.test(text)) return null; // line breaks to some parsers
  const keys: Key[] = [];
  for (const line of text.replace(/^---[ \t]*\r?\n/, "").split(/\r\n|\r|\n/)) {
    if (line === "" || /^[ \t#-]/.test(line)) {
      if (line.startsWith("---")) return null;
      continue;
    }
    const [, name = "", value = ""] = /^["']?([\w$-]+)["']?:(?:[ \t](.*))?$/.exec(line) ?? [];
    keys.push([name, (value.split("#", 1)[0] ?? "").trim()]);
  }
  return keys;
}
