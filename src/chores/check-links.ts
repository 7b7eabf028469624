import { z } from "zod";
import { anchorsOf } from "#docs/links/headings.ts";
import { resolveHref } from "#docs/hrefs.ts";
import { type Link, targetOfLink } from "#docs/links/links.ts";
import { stripContentRoot } from "#docs/routes.ts";
import { count } from "#tools/outcome.ts";
import { choreTool, type ChoreReport } from "./chore.ts";
import { editLinks, type LinkEdit } from "./edits/reference-edits.ts";
import { ScopeInput, scopeTest } from "./edits/names.ts";
import type { Workspace } from "./edits/workspace.ts";

const CheckInput = z.strictObject({ in: ScopeInput });
const Input = z.strictObject({
  in: ScopeInput,
  only: z.enum(["anchors"]).optional().describe("anchors: only links whose page exists and has no such heading"),
});
type Input = z.infer<typeof Input>;

const REASONS = {
  no_page: "there is no such page",
  no_anchor: "the page has no such heading",
  no_asset: "there is no such file",
} as const;
/** Reasons with only one candidate: everything else is a guess, and guesses are for people. */
const CERTAIN = new Set(["redirect", "case", "moved"]);
const MAX_DETAILS = 200;
// A link to a moved page may also need its anchor corrected, which is only known after the first fix.
const MAX_PASSES = 3;

export const checkLinksTool = choreTool({
  name: "check_links",
  description:
    "Checks every internal link, image and anchor of the docs and reports those that are broken. Changes nothing.",
  input: CheckInput,
  mutates: false,
  listsSkipped: true,
  async run(input: z.infer<typeof CheckInput>, workspace) {
    const { links, broken, unparsed } = await linksIn(workspace, input);
    return {
      summary: `Checked ${count(links.length, "internal link")}: ${broken.length === 0 ? "none is" : `${broken.length} ${broken.length === 1 ? "is" : "are"}`} broken`,
      notes: [...broken.map(brokenNote), ...unparsed.map(unparsedNote)],
      details: { checked: links.length, broken: broken.slice(0, MAX_DETAILS).map(detailOf) },
    };
  },
});

export const fixLinksTool = choreTool({
  name: "fix_links",
  description:
    "Corrects broken internal links and anchors where only one target can be meant (a redirect, a page that moved, " +
    "an anchor spelt differently), and reports the others.",
  input: Input,
  mutates: true,
  listsSkipped: true,
  run: fixLinks,
});

async function fixLinks(input: Input, workspace: Workspace): Promise<ChoreReport> {
  const before = await linksIn(workspace, input);
  const worked = new Set(before.links.filter((link) => link.broken === null).map(placeKey));
  const fixed: string[] = [];
  let direct = 0;
  const refused: string[] = [];
  const files = new Set<string>();
  let current = before;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const certain = await certainFixes(workspace, input.only === undefined ? current.links : current.broken);
    const fixes = certain.filter(({ old, url }) => input.only === undefined || pageOf(old) === pageOf(url));
    const outcome = await editLinks(workspace, fixes);
    for (const file of outcome.files) files.add(file);
    for (const fix of fixes.filter(({ path }) => outcome.files.includes(path))) {
      const isRepair = !worked.has(placeKey({ ...fix, url: fix.old }));
      fixed.push(fixNote(fix, isRepair));
      if (!isRepair) direct += 1;
    }
    if (pass === 0) refused.push(...outcome.refused);
    if (outcome.links === 0) break;
    current = await linksIn(workspace, input);
  }
  const left = current.broken;
  const repaired = before.broken.length - left.length;
  const found =
    before.broken.length === 0
      ? `Checked ${count(before.links.length, "internal link")}: ${input.only === "anchors" ? "no anchor" : "none"} is broken`
      : `Fixed ${repaired} of ${count(before.broken.length, input.only === "anchors" ? "broken anchor" : "broken link")}`;
  const past = direct === 0 ? "" : `; ${count(direct, "link")} that worked by a redirect made direct`;
  const summary = `${found}${past}${files.size === 0 ? "" : `, in ${count(files.size, "file")}`}`;
  const notes = [
    // What is left comes first: the list may be cut.
    ...refused.map((at) => `Left \`${at}\`: only people change that file.`),
    ...left.map((link) => `Left ${brokenNote(link)}`),
    ...current.unparsed.map(unparsedNote),
    ...fixed,
  ];
  return {
    summary,
    notes,
    details: { fixed: repaired, madeDirect: direct, left: left.slice(0, MAX_DETAILS).map(detailOf) },
  };
}

const placeKey = ({ path, line, url }: Pick<Link, "path" | "line" | "url">) => `${path}:${line} ${url}`;

const pageOf = (url: string) => url.split("#")[0];

type Fix = LinkEdit & { line: number; old: string };

/**
 * Corrections with only one candidate. A link that works through a redirect is made direct only if its anchor exists on the
 * target page: a working link must not get worse.
 */
async function certainFixes(workspace: Workspace, links: readonly Link[]): Promise<Fix[]> {
  const fixes: Fix[] = [];
  for (const link of links) {
    const [suggestion] = link.suggestions;
    if (suggestion === undefined || !CERTAIN.has(suggestion.reason)) continue;
    // A page with the same name that lacks the heading may be a different page.
    const isCertain = link.broken !== null && suggestion.reason !== "moved";
    if (!isCertain && !(await hasAnchor(workspace, link, suggestion.url))) continue;
    const { path, line, start, end } = link;
    fixes.push({ path, line, start, end, old: link.url, url: suggestion.url });
  }
  return fixes;
}

async function hasAnchor(workspace: Workspace, link: Link, url: string): Promise<boolean> {
  const docs = await workspace.docs();
  const href = resolveHref(url, stripContentRoot(link.path, docs.contentRoot) ?? link.path, link.use);
  if (href.kind !== "internal" || href.hash === null) return true;
  const target = targetOfLink(docs, link.path, { ...link, url });
  const parsed = target?.kind === "page" && (await workspace.page(target.path));
  return !!parsed && anchorsOf(parsed.root).some((anchor) => anchor.id.toLowerCase() === href.hash?.toLowerCase());
}

function fixNote({ path, line, old, url }: Fix, isRepair: boolean): string {
  return `${isRepair ? "Fixed" : "Updated"} \`${path}:${line}\`: \`${old}\` is now \`${url}\`.`;
}

async function linksIn(workspace: Workspace, input: Input) {
  const report = await workspace.links();
  const test = await scopeTest(workspace, input.in);
  const isInScope = ({ path }: { path: string }) => test(path);
  return {
    links: report.links.filter(isInScope),
    broken: report.broken.filter(
      (link) => isInScope(link) && (input.only !== "anchors" || link.broken === "no_anchor"),
    ),
    unparsed: report.unparsed.filter(isInScope),
  };
}

function brokenNote(link: Link): string {
  const reason = link.broken === null ? "" : REASONS[link.broken];
  const guess = link.suggestions[0]?.url;
  return `\`${link.path}:${link.line}\`: \`${link.url}\` (${reason}${guess === undefined ? "" : `; perhaps \`${guess}\``})`;
}

function unparsedNote({ path, line, message }: { path: string; line: number | null; message: string }): string {
  return `\`${path}${line === null ? "" : `:${line}`}\` does not parse, so its links are not known: ${message}`;
}

function detailOf({ path, line, url, broken, suggestions }: Link) {
  return { path, line, url, reason: broken, suggestions: suggestions.map((suggestion) => suggestion.url) };
}
