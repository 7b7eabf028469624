import type { Root, Image } from "mdast";
import { z } from "zod";
import { resolveHref } from "#docs/hrefs.ts";
import { markdownFormat, type MarkdownFormat } from "#docs/parser.ts";
import { stripContentRoot } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { count } from "#tools/outcome.ts";
import { htmlTokens } from "#docs/markup/html-tokens.ts";
import { tagName } from "#docs/markup/nest-html.ts";
import { scanTag } from "#docs/markup/jsx-tag.ts";
import { choreTool, type ChoreReport } from "./chore.ts";
import { editText, placesIn, type TextEdit } from "./edits/page-edits.ts";
import { resolvePage, ScopeInput, scopeTest, Name } from "./edits/names.ts";
import type { PageText, Workspace } from "./edits/workspace.ts";
import { nodesOf, nodeRange } from "#docs/nodes.ts";
import { closingBracket } from "./edits/terms/visible-text.ts";

const SetInput = z.strictObject({
  image: Name.describe('Path of the image, or its end ("console.png")'),
  alt: z.string().max(1_000).describe("What the image shows; empty for an image that only decorates"),
  page: Name.optional().describe("Only on this page"),
});
const ReportInput = z.strictObject({ in: ScopeInput });

export const altTextTools = [
  choreTool({
    name: "set_alt_text",
    description: "Sets the alternative text of an image wherever it is shown; an empty text marks it as decoration.",
    input: SetInput,
    mutates: true,
    run: setAltText,
  }),
  choreTool({
    name: "report_missing_alt",
    description: "Lists the images without alternative text. Changes nothing: what they show only people know.",
    input: ReportInput,
    mutates: false,
    run: reportMissingAlt,
  }),
];

async function setAltText(input: z.infer<typeof SetInput>, workspace: Workspace): Promise<ChoreReport> {
  const docs = await workspace.docs();
  const only = input.page === undefined ? null : resolvePage(docs, input.page).path;
  const requested = input.image.replace(/^\.{0,2}\//, "").toLowerCase();
  const name = requested.replace(/^.*\//, "");
  const files = new Set<string>();
  const notes: string[] = [];
  for (const page of await workspace.scopedTexts(
    (path) => only === null || path === only,
    (text) => text.toLowerCase().includes(name),
  )) {
    const root = await workspace.parse(page);
    if (root === null) continue;
    const from = stripContentRoot(page.path, docs.contentRoot) ?? page.path;
    const edits: TextEdit[] = [];
    const changes: string[] = [];
    const at = placesIn(page.path, page.text);
    for (const image of imagesIn(page, root)) {
      const href = resolveHref(image.src, from, "source");
      const path = (href.kind === "internal" ? href.path.slice(1) : image.src).toLowerCase();
      const isMeant = [path, path.replace(/\.[a-z0-9]+$/, "")].some((each) => `/${each}`.endsWith(`/${requested}`));
      if (!isMeant) continue;
      files.add(path);
      if (image.alt === input.alt) continue;
      edits.push(image.edit(input.alt));
      const place = at(image.offset);
      changes.push(
        image.alt ? `\`${place}\`. It was: “${image.alt.replaceAll(/\s+/g, " ").slice(0, 300)}”` : `\`${place}\``,
      );
    }
    if (edits.length > 0 && (await workspace.writeOrSkip(page.path, editText(page.text, edits))))
      notes.push(...changes);
  }
  if (files.size === 0)
    throw new AppError("not_found", `No page${only === null ? "" : ` ${only}`} shows an image “${input.image}”.`);
  if (files.size > 1)
    throw new AppError(
      "invalid",
      `“${input.image}” could be ${[...files].slice(0, 5).join(", ")}. Name the one by its path.`,
    );
  const where = `${[...files].join()} in ${count(notes.length, "place")}`;
  const summary = input.alt === "" ? `Marked ${where} as decoration` : `Set the alt text of ${where}`;
  return { summary, notes };
}

const imagesIn = ({ path, text }: PageText, root: Root): SourceImage[] =>
  imagesOf({ source: text, root, format: markdownFormat(path) ?? "md" });

/** Images without alternative text, except those marked as decorative, as `path:line: address`. */
export async function missingAltTexts(
  workspace: Workspace,
  scope: readonly string[] | undefined,
): Promise<{ images: number; missing: string[] }> {
  const isInScope = await scopeTest(workspace, scope);
  const missing: string[] = [];
  let images = 0;
  for (const page of await workspace.scopedTexts(isInScope, (text) => /!\[|<img\b/i.test(text))) {
    const root = await workspace.parse(page);
    if (root === null) continue;
    const at = placesIn(page.path, page.text);
    for (const image of imagesIn(page, root)) {
      images += 1;
      if (image.alt === null) missing.push(`\`${at(image.offset)}\`: \`${image.src}\``);
    }
  }
  return { images, missing };
}

async function reportMissingAlt(input: z.infer<typeof ReportInput>, workspace: Workspace): Promise<ChoreReport> {
  const { images, missing } = await missingAltTexts(workspace, input.in);
  return {
    summary: `${missing.length} of ${count(images, "image")} have no alt text`,
    notes: missing,
    details: { missing: missing.slice(0, 200) },
  };
}

/** One image in a page's source. */
export interface SourceImage {
  src: string;
  /** Null when there is no alternative text; empty when the image is marked as decorative. */
  alt: string | null;
  offset: number;
  /** Replaces the alternative text. */
  edit(alt: string): TextEdit;
}

interface PageSource {
  source: string;
  root: Root;
  format: MarkdownFormat;
}

/** The Markdown images and `<img>` tags of a page. */
export function imagesOf({ source, root, format }: PageSource): SourceImage[] {
  const images: SourceImage[] = [];
  for (const node of nodesOf(root)) {
    const range = nodeRange(node);
    if (range === null) continue;
    const { start, end } = range;
    if (node.type === "image") {
      const close = closingBracket(source, start + 1, end);
      if (close === null || !source.startsWith("![", start)) continue;
      const escape = (alt: string) => alt.replaceAll(/[[\]]/g, "\\$&");
      images.push({
        src: node.url,
        // In Markdown an empty text and a missing one look the same.
        alt: node.alt?.trim() ? node.alt : null,
        offset: start,
        edit: (alt) =>
          alt === ""
            ? { start, end, text: decorativeTag(node) + keepParagraph({ source, format }, end) }
            : { start: start + 2, end: close, text: escape(alt) },
      });
      continue;
    }
    const isTag = (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") && node.name === "img";
    const tags = node.type === "html" ? htmlTokens(source.slice(start, end)) : [];
    const places = tags.filter((token) => token.kind === "open" && tagName(token.name) === "img");
    for (const at of isTag ? [start] : places.map((token) => start + token.start)) {
      const image = tagImage(source, at);
      if (image) images.push(image);
    }
  }
  return images;
}

/** A Markdown image as an HTML tag, because Markdown cannot mark an image as decorative. */
function decorativeTag({ url, title }: Image): string {
  const attribute = (name: string, value: string) => ` ${name}="${escapeAttribute(value)}"`;
  return `<img${attribute("src", url)}${attribute("alt", "")}${title ? attribute("title", title) : ""} />`;
}

/**
 * In Markdown (not MDX) a tag on its own line starts an HTML block, so that the following lines would no longer be read as
 * Markdown; a comment after it keeps the paragraph.
 */
function keepParagraph({ source, format }: Pick<PageSource, "source" | "format">, end: number): string {
  return format === "md" && /^[ \t]*\r?\n[ \t>]*[^\s>]/.test(source.slice(end, end + 1_000)) ? "<!-- -->" : "";
}

// A pipe would end the cell of a table.
const escapeAttribute = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll("|", "&#124;");

function tagImage(source: string, start: number): SourceImage | null {
  const tag = scanTag(source, start);
  const src = tag?.attributes.find((attribute) => attribute.name === "src")?.value;
  if (!tag || !src) return null;
  const raw = source
    .slice(src.start, src.end)
    .trim()
    .replaceAll(/^["'`]|["'`]$/g, "");
  const alt = tag.attributes.find((attribute) => attribute.name === "alt");
  const written = (text: string) => `alt="${text.replaceAll('"', "&quot;")}"`;
  const value = alt?.value ? source.slice(alt.value.start, alt.value.end) : null;
  const last = tag.attributes.at(-1)?.end ?? tag.end;
  return {
    src: raw,
    alt: value === "" || value?.trim() ? value : null,
    offset: start,
    edit: (text) =>
      alt
        ? { start: alt.start, end: alt.end, text: written(text) }
        : { start: last, end: last, text: ` ${written(text)}` },
  };
}
