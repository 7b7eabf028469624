import type { Nodes, Root } from "mdast";
import { parseDocument } from "yaml";
import { z } from "zod";
import { markdownFormat } from "#docs/parser.ts";
import { findLanguageFolders } from "#docs/language-folders.ts";
import { joinContentRoot, stripContentRoot } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { count } from "#tools/outcome.ts";
import { choreTool, type ChoreReport } from "./chore.ts";
import { configDocuments, stringProperty, walkJson } from "./edits/navigation/config-document.ts";
import { countWords, headingCaseEdits, type WordCounts } from "./heading-case.ts";
import { nodesOf } from "#docs/nodes.ts";
import { editText, type TextEdit } from "./edits/page-edits.ts";
import { followAnchors, renamedAnchors } from "./edits/reference-edits.ts";
import { replaceTerm } from "./replace-term.ts";
import { ScopeInput, scopeTest, Name } from "./edits/names.ts";
import type { Workspace } from "./edits/workspace.ts";

const PAGES_AT_ONCE = 4;

const Marker = z.enum(["-", "*", "+"]);
const Input = z
  .strictObject({
    listMarker: Marker.optional().describe("Marker of list items"),
    insteadOf: Marker.optional().describe("Changes only lists that have this marker"),
    headingCase: z.enum(["sentence", "title"]).optional().describe("Letter case of headings"),
    glossary: Name.optional().describe("YAML file with `terms: [{use, not: []}]`"),
    in: ScopeInput,
  })
  .refine(
    (input) => input.listMarker !== undefined || input.headingCase !== undefined || input.glossary !== undefined,
    {
      error: 'give "listMarker", "headingCase" or "glossary"',
    },
  )
  .refine((input) => input.insteadOf === undefined || input.listMarker !== undefined, {
    error: '"insteadOf" goes with "listMarker"',
  });
type Input = z.infer<typeof Input>;

const Glossary = z.looseObject({
  terms: z
    .array(
      z.looseObject({
        use: z.string().trim().min(1).max(200),
        not: z.union([z.string().transform((term) => [term]), z.array(z.string().trim().min(1).max(200)).max(50)]),
      }),
    )
    .min(1)
    .max(200),
});

export const normaliseStyleTool = choreTool({
  name: "normalise_style",
  description:
    "Makes list markers or the case of headings uniform, or replaces the terms of a glossary file by those to be " +
    "used. Words whose capital the docs use elsewhere keep it.",
  input: Input,
  mutates: true,
  run: normaliseStyle,
});

async function normaliseStyle(input: Input, workspace: Workspace): Promise<ChoreReport> {
  const summaries: string[] = [];
  const notes: string[] = [];
  if (input.listMarker !== undefined) {
    const [marker, before = "-*+"] = [input.listMarker, input.insteadOf];
    const changed = await editPages(workspace, input.in, (text, root) => listMarkerEdits(text, root, marker, before));
    summaries.push(`Changed ${count(changed.edits, "list marker")} to “${marker}” in ${count(changed.files, "file")}`);
  }
  if (input.headingCase !== undefined) {
    const style = input.headingCase;
    const names = style === "sentence" ? await productNames(workspace) : [];
    const wordsOf = style === "sentence" ? await countDocsWords(workspace) : () => new Map();
    const changed = await editPages(workspace, input.in, (text, root, path) =>
      headingCaseEdits(text, root, { style, words: wordsOf(path), names }),
    );
    summaries.push(`Put ${count(changed.edits, "heading")} into ${style} case in ${count(changed.files, "file")}`);
  }
  if (input.glossary !== undefined) {
    let replaced = 0;
    for (const { use, not } of await readGlossary(workspace, input.glossary)) {
      for (const from of not.filter((term) => term !== use)) {
        const report = await replaceTerm(
          { from, to: use, in: input.in, includeCode: false, letterCase: "as-written", wholeWord: true, plural: false },
          workspace,
        );
        const times = Number(report.details?.["replaced"] ?? 0);
        if (times > 0) notes.push(`${report.summary}.`);
        replaced += times;
      }
    }
    summaries.push(`Replaced ${count(replaced, "term")} by those of ${input.glossary}`);
  }
  return { summary: summaries.join("; "), notes };
}

async function editPages(
  workspace: Workspace,
  scope: readonly string[] | undefined,
  editsOf: (text: string, root: Root, path: string) => TextEdit[],
): Promise<{ edits: number; files: number }> {
  const isInScope = await scopeTest(workspace, scope);
  const { pagesByPath } = await workspace.docs();
  const renamed = new Map<string, ReadonlyMap<string, string>>();
  let edits = 0;
  let files = 0;
  const pages = await workspace.scopedTexts(isInScope);
  await mapConcurrently(pages, PAGES_AT_ONCE, async (page) => {
    const root = await workspace.parse(page);
    if (root === null) return;
    const own = editsOf(page.text, root, page.path).filter(
      ({ start, end, text }) => page.text.slice(start, end) !== text,
    );
    if (own.length === 0) return;
    const after = editText(page.text, own);
    if (!(await workspace.writeOrSkip(page.path, after))) return;
    const anchors = await renamedAnchors(workspace, page.path, { before: page.text, after });
    const route = pagesByPath.get(page.path)?.route;
    if (route !== undefined && anchors.size > 0) renamed.set(decodeURIComponent(route), anchors);
    edits += own.length;
    files += 1;
  });
  await followAnchors(workspace, renamed);
  return { edits, files };
}

/** `before`: the markers to change. Adjacent lists are separate only because their markers differ: such lists stay unchanged. */
function listMarkerEdits(source: string, root: Root, marker: string, before: string): TextEdit[] {
  const edits: TextEdit[] = [];
  for (const parent of nodesOf(root)) {
    if (!("children" in parent)) continue;
    const children: readonly Nodes[] = parent.children;
    for (const [index, list] of children.entries()) {
      if (list.type !== "list" || list.ordered) continue;
      const neighbors = [children[index - 1], children[index + 1]];
      if (neighbors.some((node) => node?.type === "list" && !node.ordered)) continue;
      for (const item of list.children) {
        const at = item.position?.start.offset;
        if (at !== undefined && before.includes(source[at] ?? " "))
          edits.push({ start: at, end: at + 1, text: marker });
      }
    }
  }
  return edits.sort((a, b) => a.start - b.start);
}

/** Counts words per language: "Agent" may be a name in a translation but not in the original. */
async function countDocsWords(workspace: Workspace): Promise<(path: string) => WordCounts> {
  const { contentRoot, pagesByPath } = await workspace.docs();
  const inSite = (path: string) => stripContentRoot(path, contentRoot) ?? path;
  const folders = findLanguageFolders([...pagesByPath.keys()].map(inSite));
  const languageOf = (path: string) => folders.of(inSite(path));
  const byLanguage = new Map<string, WordCounts>();
  for (const page of await workspace.pageTexts(() => true)) {
    const outcome = await workspace.parser.parse(page.text, markdownFormat(page.path) ?? "md");
    const words: WordCounts = byLanguage.get(languageOf(page.path)) ?? new Map();
    if (outcome.ok) countWords(outcome.root, words);
    byLanguage.set(languageOf(page.path), words);
  }
  return (path) => byLanguage.get(languageOf(path)) ?? new Map();
}

// "Acme Documentation" is the documentation of Acme.
const GENERIC = new Set(
  "docs documentation help center centre guide guides developer developers api reference hub portal".split(" "),
);

function bareName(name: string): string {
  const words = name.trim().split(/\s+/);
  while (GENERIC.has(words.at(-1)?.toLowerCase() ?? "")) words.pop();
  return words.join(" ");
}

/** The names of the product and its parts in docs.json. */
async function productNames(workspace: Workspace): Promise<string[]> {
  const names = new Set<string>();
  for (const { root } of await configDocuments(workspace)) {
    const own = stringProperty(root, "name");
    if (own !== null) names.add(bareName(own));
    walkJson(root, (node, key) => {
      if (key === "product" && typeof node.value === "string") names.add(bareName(node.value));
    });
  }
  return [...names].filter((name) => /\p{Lu}/u.test(name));
}

async function readGlossary(workspace: Workspace, path: string): Promise<z.infer<typeof Glossary>["terms"]> {
  const named = path.replace(/^\.?\//, "");
  const inDocs = joinContentRoot(named, (await workspace.docs()).contentRoot);
  const file = await workspace.textFile((await workspace.tree.exists(named)) ? named : inDocs);
  if (!file.ok) throw new AppError("not_found", file.message);
  let value: unknown = null;
  try {
    const document = parseDocument(file.text.slice(0, 500_000), { logLevel: "silent", prettyErrors: false });
    if (document.errors.length === 0) value = document.toJS({ maxAliasCount: 50 });
  } catch {
    // not YAML: reported below
  }
  const parsed = Glossary.safeParse(value);
  if (!parsed.success) {
    throw new AppError("invalid", `${path} is no glossary: it needs “terms”, a list of entries with “use” and “not”.`);
  }
  return parsed.data.terms;
}
