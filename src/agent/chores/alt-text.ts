import type { Root } from "mdast";
import { z } from "zod";
import { resolveHref } from "#content/hrefs.ts";
import { stripContentRoot } from "#content/routes.ts";
import { AppError } from "#lib/app-error.ts";
import type { Tool } from "#agent/tool.ts";
import { count } from "#agent/tools/outcome.ts";
import { choreTool, type ChoreDeps, type ChoreReport } from "./chore.ts";
import { nodesOf } from "./markdown-text.ts";
import { applyEdits, placeOf, type TextEdit } from "./page-edits.ts";
import { resolvePage } from "./page-reference.ts";
import { ScopeInput, scopeTest } from "./scope.ts";
import { scanTag } from "./tag-scanner.ts";
import { closingBracket } from "./visible-text.ts";
import type { Workspace } from "./workspace.ts";

const SetInput = z.strictObject({
  image: z.string().min(1).max(400).describe('Path of the image, or its end ("console.png")'),
  alt: z.string().max(1_000).describe("What the image shows; empty for an image that only decorates"),
  page: z.string().min(1).max(400).optional().describe("Only on this page"),
});
const ReportInput = z.strictObject({ in: ScopeInput });

export function altTextTools(deps: ChoreDeps): Tool[] {
  return [
    choreTool(deps, {
      name: "set_alt_text",
      description: "Sets the alternative text of an image wherever it is shown; an empty text marks it as decoration.",
      input: SetInput,
      mutates: true,
      run: setAltText,
    }),
    choreTool(deps, {
      name: "report_missing_alt",
      description: "Lists the images without alternative text. Changes nothing: what they show only people know.",
      input: ReportInput,
      mutates: false,
      run: reportMissingAlt,
    }),
  ];
}

/** One image in a page's source. */
export interface PageImage {
  src: string;
  /** Null when there is no place for one yet. */
  alt: string | null;
  offset: number;
  /** Writes another alternative text. */
  edit(alt: string): TextEdit;
}

/** The Markdown images and `<img>` tags of a page. */
export function imagesOf(source: string, root: Root): PageImage[] {
  const images: PageImage[] = [];
  for (const node of nodesOf(root)) {
    const start = node.position?.start.offset;
    const end = node.position?.end.offset;
    if (start === undefined || end === undefined) continue;
    if (node.type === "image") {
      const close = closingBracket(source, start + 1, end);
      if (close === null || !source.startsWith("![", start)) continue;
      const escape = (alt: string) => alt.replaceAll(/[[\]]/g, "\\$&");
      images.push({
        src: node.url,
        alt: node.alt ?? "",
        offset: start,
        edit: (alt) => ({ start: start + 2, end: close, text: escape(alt) }),
      });
    } else if ((node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") && node.name === "img") {
      const image = tagImage(source, start);
      if (image) images.push(image);
    } else if (node.type === "html") {
      for (const match of node.value.matchAll(/<img\b/gi)) {
        const image = tagImage(source, source.indexOf(match[0], start + match.index));
        if (image) images.push(image);
      }
    }
  }
  return images;
}

function tagImage(source: string, start: number): PageImage | null {
  const tag = scanTag(source, start);
  const src = tag?.attributes.find((attribute) => attribute.name === "src")?.value;
  if (!tag || !src) return null;
  const raw = source
    .slice(src.start, src.end)
    .trim()
    .replaceAll(/^["'`]|["'`]$/g, "");
  const alt = tag.attributes.find((attribute) => attribute.name === "alt");
  const written = (text: string) => `alt="${text.replaceAll('"', "&quot;")}"`;
  const value = alt?.value && source.slice(alt.value.start, alt.value.end);
  const last = tag.attributes.at(-1)?.end ?? tag.end;
  return {
    src: raw,
    alt: value ?? null,
    offset: start,
    edit: (text) =>
      alt
        ? { start: alt.start, end: alt.end, text: written(text) }
        : { start: last, end: last, text: ` ${written(text)}` },
  };
}

async function setAltText(input: z.infer<typeof SetInput>, workspace: Workspace): Promise<ChoreReport> {
  const docs = await workspace.docs();
  const only = input.page === undefined ? null : resolvePage(docs, input.page).path;
  const wanted = input.image.replace(/^\.{0,2}\//, "").toLowerCase();
  const name = wanted.replace(/^.*\//, "");
  const files = new Set<string>();
  const places: string[] = [];
  for (const page of await workspace.pageTexts(
    (text, path) => (only === null || path === only) && text.toLowerCase().includes(name),
  )) {
    const root = await workspace.parse(page);
    if (root === null) continue;
    const from = stripContentRoot(page.path, docs.contentRoot) ?? page.path;
    const edits: TextEdit[] = [];
    for (const image of imagesOf(page.text, root)) {
      const href = resolveHref(image.src, from, "source");
      const path = (href.kind === "internal" ? href.path.slice(1) : image.src).toLowerCase();
      if (path !== wanted && !path.endsWith(`/${wanted}`)) continue;
      files.add(path);
      if (image.alt === input.alt) continue;
      edits.push(image.edit(input.alt));
      places.push(placeOf(page.path, page.text, image.offset));
    }
    if (edits.length > 0) await workspace.write(page.path, applyEdits(page.text, edits));
  }
  if (files.size === 0)
    throw new AppError("not_found", `No page${only === null ? "" : ` ${only}`} shows an image “${input.image}”.`);
  if (files.size > 1)
    throw new AppError(
      "invalid",
      `“${input.image}” could be ${[...files].slice(0, 5).join(", ")}. Name the one by its path.`,
    );
  const summary = `Set the alt text of ${[...files].join()} in ${count(places.length, "place")}`;
  return { summary, notes: places.map((at) => `\`${at}\``) };
}

/** Images without alternative text as `path:line: address`. */
export async function missingAltTexts(
  workspace: Workspace,
  scope: readonly string[] | undefined,
): Promise<{ images: number; missing: string[] }> {
  const isInScope = await scopeTest(workspace, scope);
  const missing: string[] = [];
  let images = 0;
  for (const page of await workspace.pageTexts((text, path) => isInScope(path) && /!\[|<img\b/i.test(text))) {
    const root = await workspace.parse(page);
    if (root === null) continue;
    for (const image of imagesOf(page.text, root)) {
      images += 1;
      if ((image.alt ?? "").trim() === "")
        missing.push(`\`${placeOf(page.path, page.text, image.offset)}\`: \`${image.src}\``);
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
