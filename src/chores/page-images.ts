import type { Image, Root } from "mdast";
import type { MarkdownFormat } from "#docs/parser.ts";
import { nodesOf } from "./edits/markdown-text.ts";
import type { TextEdit } from "./edits/page-edits.ts";
import { htmlTokens } from "#docs/markup/html-tokens.ts";
import { tagName } from "#docs/markup/nest-html.ts";
import { scanTag } from "#docs/markup/jsx-tag.ts";
import { closingBracket } from "./edits/terms/visible-text.ts";

/** One image in a page's source. */
export interface SourceImage {
  src: string;
  /** Null when nobody said what it shows; empty when somebody said that it only decorates. */
  alt: string | null;
  offset: number;
  /** Writes another alternative text. */
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
    const start = node.position?.start.offset;
    const end = node.position?.end.offset;
    if (start === undefined || end === undefined) continue;
    if (node.type === "image") {
      const close = closingBracket(source, start + 1, end);
      if (close === null || !source.startsWith("![", start)) continue;
      const escape = (alt: string) => alt.replaceAll(/[[\]]/g, "\\$&");
      images.push({
        src: node.url,
        // Markdown cannot tell an empty text from a forgotten one.
        alt: node.alt?.trim() ? node.alt : null,
        offset: start,
        edit: (alt) =>
          alt === ""
            ? { start, end, text: decoration(node) + guard({ source, format }, end) }
            : { start: start + 2, end: close, text: escape(alt) },
      });
    } else if ((node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") && node.name === "img") {
      const image = tagImage(source, start);
      if (image) images.push(image);
    } else if (node.type === "html") {
      for (const token of htmlTokens(source.slice(start, end))) {
        const isImage = token.kind === "open" && tagName(token.name) === "img";
        const image = isImage ? tagImage(source, start + token.start) : null;
        if (image) images.push(image);
      }
    }
  }
  return images;
}

/** A Markdown image as the tag that says what Markdown cannot: it only decorates. */
function decoration({ url, title }: Image): string {
  const attribute = (name: string, value: string) => ` ${name}="${escapeAttribute(value)}"`;
  return `<img${attribute("src", url)}${attribute("alt", "")}${title ? attribute("title", title) : ""} />`;
}

/**
 * In Markdown (not MDX) a tag alone on a line begins a block of HTML, and the lines after it would no longer be read
 * as Markdown; a comment behind it keeps the paragraph one.
 */
function guard({ source, format }: Pick<PageSource, "source" | "format">, end: number): string {
  return format === "md" && /^[ \t]*\r?\n[ \t>]*[^\s>]/.test(source.slice(end, end + 1_000)) ? "<!-- -->" : "";
}

// A bar would end the cell of a table.
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
