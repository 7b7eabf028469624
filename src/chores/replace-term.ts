import { z } from "zod";
import { isIgnoredPath } from "#docs/ignored-path.ts";
import { type DollarFormulas, dollarFormulas } from "#docs/render/formulas/mark-formulas.ts";
import { AppError } from "#lib/app-error.ts";
import { createBreather } from "#lib/waiting/breather.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { count, listed } from "#tools/outcome.ts";
import { isCategoryFile } from "#tools/tool-configuration.ts";
import { docsPathProblem } from "#tools/write-policy.ts";
import { choreTool, type ChoreReport } from "./chore.ts";
import { configDocuments } from "./edits/navigation/config-document.ts";
import { editText, placesIn } from "./edits/page-edits.ts";
import { followAnchors, renamedAnchors } from "./edits/reference-edits.ts";
import { readableTermEdits } from "./edits/terms/readable-term-edits.ts";
import { ExceptInput, ScopeInput, scopeTest } from "./edits/names.ts";
import { readable, writtenNeighbours } from "./edits/terms/seen-neighbours.ts";
import { shownMatches } from "./edits/terms/term-edits.ts";
import { formsLeft, matcherOfTerm, type TermForm } from "./edits/terms/term-forms.ts";
import type { TermMatcher } from "./edits/terms/term-matcher.ts";
import { append, replaceLabels, replaceToolTitles, type TermCount } from "./term-labels.ts";
import { markdownFormat } from "#docs/parser.ts";
import type { PageText, Workspace } from "./edits/workspace.ts";

const Input = z.strictObject({
  from: z.string().trim().min(1).max(500).describe("The term as readers see it"),
  to: z.string().trim().min(1).max(500).describe("What readers see instead"),
  in: ScopeInput,
  except: ExceptInput,
  only: z.enum(["headings", "titles"]).optional().describe("In headings of pages, or in titles of pages, alone"),
  includeCode: z.boolean().default(false).describe("Also in code blocks and inline code"),
  letterCase: z
    .enum(["exact", "as-written", "any"])
    .default("as-written")
    .describe("exact: this spelling alone; as-written: also with a capital at a start; any: in any letter case"),
  wholeWord: z.boolean().default(true).describe("Not where the term is a part of a longer word"),
  plural: z.boolean().default(false).describe("Also the plural of the term, or the singular of a plural"),
});

type Input = z.infer<typeof Input>;

const MAX_PLACES = 30;
const PAGES_AT_ONCE = 4;
const MAX_DATA_BYTES = 2 * 1024 * 1024;

export const replaceTermTool = choreTool({
  name: "replace_term",
  description:
    "Replaces a word or phrase wherever readers see it: prose, titles and descriptions in the front matter, visible " +
    "component attributes, navigation labels. Leaves code, addresses, ids and front-matter keys alone and reports " +
    "where they still hold the term. Links to headings that change are corrected.",
  input: Input,
  mutates: true,
  run: replaceTerm,
});

/** The chore as a function, for chores that replace many terms. */
export async function replaceTerm(input: Input, workspace: Workspace): Promise<ChoreReport> {
  const { from, to } = input;
  if (from === to) throw new AppError("invalid", `The term and its replacement are the same: "${from}".`);
  const matcher = matcherOfTerm(input, input.plural);
  const forms = formsLeft(input, input.plural);
  const isInScope = await scopeTest(workspace, input.in, input.except);
  const counted: TermCount = { files: new Map(), left: new Map(), forms: new Map() };
  const renamed = new Map<string, ReadonlyMap<string, string>>();
  const { pagesByPath, config } = await workspace.docs();
  const formulas = dollarFormulas(config.styling.latex);

  const matchers = [matcher, ...forms.map((form) => form.matcher)];
  const pages = await workspace.scopedTexts(
    isInScope,
    (text) => matchers.some((each) => each.mayOccurIn(text)) || matcher.mayOccurIn(readable(text)),
  );
  const outcomes = await mapConcurrently(pages, PAGES_AT_ONCE, (page) =>
    replaceInPage(workspace, page, { input, matcher, forms, formulas }),
  );
  for (const [index, { path, text }] of pages.entries()) {
    const outcome = outcomes[index];
    const at = placesIn(path, text);
    for (const { place, offset } of outcome?.left ?? []) append(counted.left, place, at(offset));
    for (const { form, offset } of outcome?.forms ?? []) append(counted.forms, form, at(offset));
    if (outcome === undefined || outcome.replaced === 0) continue;
    counted.files.set(path, outcome.replaced);
    const route = pagesByPath.get(path)?.route;
    if (route !== undefined && outcome.anchors.size > 0) renamed.set(decodeURIComponent(route), outcome.anchors);
  }
  if (input.in === undefined && input.only === undefined) {
    await replaceLabels(workspace, { letterCase: input.letterCase, matcher }, counted);
    await replaceToolTitles(workspace, { letterCase: input.letterCase, matcher }, counted);
    await countInData(workspace, matcher, counted);
  }
  const followed = await followAnchors(workspace, renamed);
  return report(input, counted, followed);
}

interface PageOutcome {
  replaced: number;
  left: { place: string; offset: number }[];
  anchors: ReadonlyMap<string, string>;
  forms: { form: TermForm; offset: number }[];
}

interface Search {
  input: Input;
  matcher: TermMatcher;
  forms: readonly TermForm[];
  formulas: DollarFormulas;
}

async function replaceInPage(
  workspace: Workspace,
  page: PageText,
  { input, matcher, forms, formulas }: Search,
): Promise<PageOutcome> {
  const found = matcher.matches(page.text);
  const none: PageOutcome = { replaced: 0, left: [], anchors: new Map(), forms: [] };
  if (!mayHold(page.text, [matcher, ...forms.map((form) => form.matcher)])) return none;
  const root = await workspace.parse(page);
  if (root === null || (await workspace.refuseWrite(page.path, page.text)) !== null) {
    const place = root === null ? "in pages that do not parse" : "in files that only people change";
    return { ...none, left: found.map(({ start }) => ({ place, offset: start })) };
  }
  const format = markdownFormat(page.path) ?? "md";
  const source = { source: page.text, root, format, formulas };
  // Each of these takes tenths of a second for a large page: other work runs in between.
  const breathe = createBreather();
  const { edits, replaced, left } = await readableTermEdits(source, matcher, {
    ...input,
    parse: async (text) => {
      const parsed = await workspace.parser.parse(text, format);
      return parsed.ok ? parsed.root : null;
    },
  });
  const seen: PageOutcome["forms"] = [];
  for (const form of forms) {
    await breathe();
    seen.push(...shownMatches(source, form.matcher).map((offset) => ({ form, offset })));
  }
  await breathe();
  const outcome = {
    ...none,
    replaced,
    forms: seen,
    left,
  };
  if (edits.length === 0) return outcome;
  const after = editText(page.text, edits);
  if (!(await workspace.writeOrSkip(page.path, after))) {
    return { ...none, left: found.map(({ start }) => ({ place: "where the new words cannot stand", offset: start })) };
  }
  return { ...outcome, anchors: await renamedAnchors(workspace, page.path, { before: page.text, after }) };
}

/** Whether a page is worth parsing: an underscore may be emphasis, and a term may be written with character references. */
function mayHold(text: string, matchers: readonly TermMatcher[]): boolean {
  const read = readable(text);
  const texts = read === text ? [text] : [text, read];
  return matchers.some((matcher) =>
    texts.some((each) => matcher.matches(each, writtenNeighbours(each.replaceAll("_", " "))).length > 0),
  );
}

/** Data files (OpenAPI descriptions, tables) are not changed, because programs may read them; occurrences are counted. */
async function countInData(workspace: Workspace, matcher: TermMatcher, counted: TermCount): Promise<void> {
  const { contentRoot, config } = await workspace.docs();
  const configured = new Set((await configDocuments(workspace)).map((document) => document.path));
  for (const { path, kind, sizeBytes } of await workspace.tree.files()) {
    const isData = kind === "file" && sizeBytes <= MAX_DATA_BYTES && /\.(?:ya?ml|json|txt|csv)$/i.test(path);
    const isRead = configured.has(path) || (config.dialect === "docusaurus" && isCategoryFile(path));
    if (!isData || isRead || isIgnoredPath(path) || docsPathProblem(path, contentRoot) !== null) continue;
    const text = await workspace.text(path);
    if (text === null || !matcher.mayOccurIn(text)) continue;
    const at = placesIn(path, text);
    for (const match of matcher.matches(text)) append(counted.left, "in data files", at(match.start));
  }
}

function report(input: Input, counted: TermCount, followed: { links: number; refused: string[] }): ChoreReport {
  const replaced = [...counted.files.values()].reduce((sum, times) => sum + times, 0);
  const where = placeOf(input);
  const notes: string[] = [];
  if (followed.links > 0) notes.push(`Corrected ${count(followed.links, "link")} to headings whose address changed.`);
  for (const at of followed.refused) notes.push(`A link at \`${at}\` leads to a heading that was renamed: check it.`);
  for (const [place, all] of counted.left) {
    notes.push(`Left ${all.length} ${place}: ${listOf(all)}.`);
  }
  for (const [{ name, instruction }, all] of counted.forms) {
    const advice = instruction === null ? "" : ` To change them, send: ${instruction}.`;
    notes.push(`Left ${all.length} ${name[all.length === 1 ? 0 : 1]}: ${listOf(all)}.${advice}`);
  }
  const summary =
    replaced === 0
      ? counted.left.size > 0
        ? `Replaced nothing: “${input.from}” stands${where} only in places that are left unchanged`
        : `Found no “${input.from}” to replace${where}`
      : `Replaced “${input.from}” with “${input.to}” ${count(replaced, "time")} in ${count(counted.files.size, "file")}${where}`;
  return {
    summary,
    notes,
    details: { replaced, left: Object.fromEntries([...counted.left].map(([place, all]) => [place, all.length])) },
  };
}

function placeOf({ only, in: scope, except }: Input): string {
  const kind = only === undefined ? "" : ` in ${only}`;
  const parts = scope === undefined ? "" : `${kind === "" ? " in" : " of"} ${scope.join(", ")}`;
  return kind + parts + (except === undefined ? "" : `, not in ${except.join(", ")}`);
}

const listOf = (places: readonly string[]): string =>
  listed(
    [...new Set(places)].map((at) => `\`${at}\``),
    MAX_PLACES,
  );
