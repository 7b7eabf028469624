import { newlineOf } from "./edits/navigation/written-lines.ts";
import type { Root } from "mdast";
import { z } from "zod";
import { readFrontMatter } from "#docs/front-matter.ts";
import { markdownFormat } from "#docs/parser.ts";
import { AppError } from "#lib/app-error.ts";
import { choreTool, type ChoreReport } from "./chore.ts";
import { refuseBrokenLinks, retargetLinks } from "./edits/reference-edits.ts";
import { editText, type TextEdit } from "./edits/page-edits.ts";
import { resolvePage, PageName, Title } from "./edits/names.ts";
import { refuseChangedRest } from "./edits/rest-of-page.ts";
import { findSection, sectionsOf, type Section } from "./edits/sections.ts";
import type { Workspace } from "./edits/workspace.ts";

const SectionTitle = Title.describe("Title of the section");
const text = z.string().trim().min(1).max(200_000).describe("Markdown, used unchanged");

const AddSection = z
  .strictObject({
    page: PageName,
    title: SectionTitle,
    text,
    after: Title.optional().describe("Title of the section that it follows; the end of the page when absent"),
    before: Title.optional().describe("Title of the section after it"),
    depth: z.int().min(1).max(6).optional().describe("Heading level; that of its neighbour when absent"),
  })
  .refine((input) => input.after === undefined || input.before === undefined, {
    error: 'give "after" or "before", not both',
  });
const ReplaceSection = z.strictObject({ page: PageName, title: SectionTitle, text });
const RemoveSection = z.strictObject({ page: PageName, title: SectionTitle });
const AddCallout = z.strictObject({
  page: PageName,
  kind: z.enum(["note", "warning", "tip", "info", "check", "danger"]).describe("Kind of box"),
  text,
  section: Title.optional().describe("Heading that the callout follows; the top of the page when absent"),
});

export const sectionTools = [
  choreTool({
    name: "add_section",
    description:
      "Adds a section with a heading and the given Markdown to a page, after or before another or at the end.",
    input: AddSection,
    mutates: true,
    run: addSection,
  }),
  choreTool({
    name: "replace_section",
    description:
      "Replaces the content below a heading, including its sub-sections, with the given Markdown. The heading stays.",
    input: ReplaceSection,
    mutates: true,
    run: replaceSection,
  }),
  choreTool({
    name: "remove_section",
    description:
      "Removes a heading and all content below it. Links from other pages to the heading then lead to the page.",
    input: RemoveSection,
    mutates: true,
    run: removeSection,
  }),
  choreTool({
    name: "add_callout",
    description: "Adds a note, warning, tip, info, check or danger box with the given text to a page.",
    input: AddCallout,
    mutates: true,
    run: addCallout,
  }),
];

interface OpenPage {
  path: string;
  source: string;
  root: Root;
  sections: Section[];
  newline: string;
}

async function openPage(workspace: Workspace, reference: string): Promise<OpenPage> {
  const { path } = resolvePage(await workspace.docs(), reference);
  const page = await workspace.page(path);
  if (page === null) throw new AppError("invalid", `${path} does not parse, so its sections are not known.`);
  const { text: source, root } = page;
  return { path, source, root, sections: sectionsOf(root), newline: newlineOf(source) };
}

async function writeEdit(workspace: Workspace, opened: OpenPage, edit: TextEdit): Promise<void> {
  const { path, source, newline } = opened;
  const apart = { ...edit, text: endingInBlankLine(source, edit) };
  const native = { ...apart, text: apart.text.replaceAll("\r\n", "\n").replaceAll("\n", newline) };
  const text = editText(source, [native]);
  await workspace.write(path, text);
  const root = await workspace.parse({ path, text });
  if (root !== null) refuseChangedRest(opened, { source: text, root }, native);
  await refuseBrokenLinks(workspace, path, source);
}

/** Like `findSection`. Throws `AppError invalid` for a section inside a quote or a list, whose marks begin its lines. */
function editableSection(sections: readonly Section[], requested: string): Section {
  const section = findSection(sections, requested);
  if (!section.isHeld) return section;
  throw new AppError("invalid", `The section “${section.title}” is in a quote or a list. Edit it by hand.`);
}

/** The text of an edit, ending in a blank line if the next line would continue it: text, a list, an underlined heading. */
function endingInBlankLine(source: string, { start, end, text }: TextEdit): string {
  const [here = "", below = ""] = source.slice(end).split("\n", 2);
  const next = (here.trim() === "" ? below : here).trim();
  if (next === "") return text;
  if (text.trim() !== "")
    return text.endsWith("\n") || next.startsWith("# ") || /^#{2,6} |^<\//.test(next) ? text : `${text}\n`;
  if (next.startsWith("#") || next.startsWith("<")) return text;
  const isApart = start === 0 || /\n[ \t]*\r?\n$/.test(source.slice(0, start));
  return isApart || !source.slice(0, start).endsWith("\n") ? text : `${text}\n`;
}

async function addSection(input: z.infer<typeof AddSection>, workspace: Workspace): Promise<ChoreReport> {
  const opened = await openPage(workspace, input.page);
  const { path, source, sections } = opened;
  if (sections.some((section) => section.title.toLowerCase() === input.title.toLowerCase())) {
    throw new AppError("conflict", `${path} has a section “${input.title}” already.`);
  }
  const neighbour = input.after ?? input.before;
  const section = neighbour === undefined ? null : editableSection(sections, neighbour);
  const depth = input.depth ?? section?.depth ?? Math.max(2, ...sections.slice(0, 1).map((each) => each.depth));
  const heading = `${"#".repeat(depth)} ${input.title}\n\n${input.text}`;
  if (section && input.before !== undefined) {
    await writeEdit(workspace, opened, { start: section.start, end: section.start, text: `${heading}\n\n` });
  } else {
    const at = section?.end ?? source.trimEnd().length;
    const end = section === null ? source.length : at;
    await writeEdit(workspace, opened, { start: at, end, text: `\n\n${heading}${section === null ? "\n" : ""}` });
  }
  return { summary: `Added the section “${input.title}” to ${path}`, notes: [] };
}

async function replaceSection(input: z.infer<typeof ReplaceSection>, workspace: Workspace): Promise<ChoreReport> {
  const opened = await openPage(workspace, input.page);
  const section = editableSection(opened.sections, input.title);
  const lost = section.anchors.slice(1);
  const notes = await releaseAnchors(workspace, opened.path, lost);
  const current = await openPage(workspace, opened.path);
  const { bodyStart, end } = editableSection(current.sections, input.title);
  const spaces = /^[ \t]*/.exec(current.source.slice(end))?.[0].length ?? 0;
  await writeEdit(workspace, current, { start: bodyStart, end: end + spaces, text: `\n\n${input.text}` });
  return { summary: `Replaced the section “${section.title}” of ${opened.path}`, notes };
}

async function removeSection(input: z.infer<typeof RemoveSection>, workspace: Workspace): Promise<ChoreReport> {
  const opened = await openPage(workspace, input.page);
  const section = editableSection(opened.sections, input.title);
  const notes = await releaseAnchors(workspace, opened.path, section.anchors);
  const current = await openPage(workspace, opened.path);
  const { start, end } = editableSection(current.sections, input.title);
  const after = /^\s*/.exec(current.source.slice(end))?.[0].length ?? 0;
  const isLast = end + after === current.source.length;
  const from = isLast ? current.source.slice(0, start).trimEnd().length : start;
  await writeEdit(workspace, current, { start: from, end: end + after, text: isLast ? "\n" : "" });
  return { summary: `Removed the section “${section.title}” from ${opened.path}`, notes };
}

/** Points links from other pages to removed anchors at the page itself. Links inside the page prevent the removal. */
async function releaseAnchors(workspace: Workspace, path: string, anchors: readonly string[]): Promise<string[]> {
  if (anchors.length === 0) return [];
  const inbound = (await workspace.links()).links.filter(
    ({ target }) =>
      target?.kind === "page" && target.path === path && target.anchor !== null && anchors.includes(target.anchor),
  );
  const own = inbound.filter((link) => link.path === path && link.url.startsWith("#"));
  const opened = own.length === 0 ? null : await openPage(workspace, path);
  const outside = own.filter(({ start }) => !isInsideOf(opened?.sections ?? [], anchors, start));
  const [first] = outside;
  if (first) {
    throw new AppError("invalid", `The page itself links to it on line ${first.line}. Remove that link first.`);
  }
  const others = inbound.filter((link) => !own.includes(link));
  const { links, places } = await retargetLinks(workspace, others, (url) => url.replace(/#.*/s, ""));
  return links === 0 ? [] : [`Links that lead to the page itself now: ${places}.`];
}

function isInsideOf(sections: readonly Section[], anchors: readonly string[], offset: number): boolean {
  return sections.some(
    (section) => anchors.includes(section.anchors[0] ?? "") && offset >= section.start && offset < section.end,
  );
}

/** A quote that begins with the callout's name; lists, tables and code have to begin on a new line. */
function quoted(name: string, lines: readonly string[]): string {
  const isBlock = /^[ \t]*(?:[-*+][ \t]|#{1,6}[ \t]|[>|<]|\d+[.)][ \t]|```|~~~| {4})/.test(lines[0] ?? "");
  const [first = "", ...rest] = isBlock
    ? [`**${name}:**`, "", ...lines]
    : [`**${name}:** ${lines[0] ?? ""}`, ...lines.slice(1)];
  return [first, ...rest].map((line) => `> ${line}`.trimEnd()).join("\n");
}

async function addCallout(input: z.infer<typeof AddCallout>, workspace: Workspace): Promise<ChoreReport> {
  const opened = await openPage(workspace, input.page);
  const { path, source, sections } = opened;
  const name = input.kind.charAt(0).toUpperCase() + input.kind.slice(1);
  const lines = input.text.replaceAll("\r\n", "\n").split("\n");
  const box =
    markdownFormat(path) === "mdx"
      ? `<${name}>\n${lines.map((line) => (line === "" ? "" : `  ${line}`)).join("\n")}\n</${name}>`
      : quoted(name, lines);
  const first = sections[0];
  const isTitle = first?.depth === 1 && source.slice(readFrontMatter(source).bodyStart, first.start).trim() === "";
  const below = input.section === undefined ? (isTitle ? first : null) : editableSection(sections, input.section);
  const { bodyStart } = readFrontMatter(source);
  const at = below?.bodyStart ?? bodyStart + (/^(?:[ \t]*\r?\n)*/.exec(source.slice(bodyStart))?.[0].length ?? 0);
  if (source.slice(at).trimStart().startsWith(box.replaceAll("\n", opened.newline)))
    return { summary: `${path} has this ${input.kind} already`, notes: [] };
  const lead = bodyStart > 1 && at === bodyStart ? "\n" : "";
  const written = below ? `\n\n${box}` : `${lead}${box}\n\n`;
  await writeEdit(workspace, opened, { start: at, end: at, text: written });
  return { summary: `Added a ${input.kind} to ${path}`, notes: [] };
}
