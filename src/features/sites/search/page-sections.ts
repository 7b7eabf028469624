import { escapeHtml } from "#docs/markup/html.ts";
import { htmlText, withoutControls } from "#docs/render/plain-text.ts";
import type { Page } from "#docs/tree/page-tree.ts";
import type { SearchPage, SearchSection } from "#search/search-page.ts";
import type { PageContent } from "#features/sites/page-content.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { indexedPart } from "./site-parts.ts";

const MAX_SECTIONS = 1_000;
/** A longer text is split into several sections of one heading, so that none is ranked by text far from the match. */
const MAX_CHARACTERS = 4_000;
/** Where a section of an API's page changes from prose to parameters and responses. */
const API_PART =
  /<(?:div|details|p|ul) class="(?:field|api-(?:content-type|direction|fields|list|message|part|response|type|variants))\b/;
const CODE = /<pre\b[^]*?<\/pre>/g;

/** What the author of a page needs to know if its end is not in the index; null if all of it is. */
export function sectionsProblem(content: Pick<PageContent, "html" | "headings">): string | null {
  // Each section has a heading, or is a part of a longer text.
  const isShort = content.headings.length + content.html.length / MAX_CHARACTERS < MAX_SECTIONS / 2;
  if (isShort || firstSections(content, null, MAX_SECTIONS + 1).length <= MAX_SECTIONS) return null;
  return `The search finds only the first ${MAX_SECTIONS.toLocaleString("en")} sections of the page.`;
}

/** The index entry of a page. */
export function searchPage(
  { docs }: Pick<SiteVersion, "docs">,
  page: Page,
  content: PageContent,
): Omit<SearchPage, "key"> {
  const { route, title, description } = page;
  const { keywords } = content.frontMatter;
  const listed = [keywords].flat().filter((each) => typeof each === "string");
  return {
    route,
    title,
    keywords: listed.join(" "),
    isReference: page.operation !== null,
    ...indexedPart(docs, route),
    includes: content.includes,
    sections: pageSections(content, description),
  };
}

/**
 * Splits a rendered page at its headings, each with the text down to the next one. The description precedes the first.
 */
export const pageSections = (
  content: Pick<PageContent, "html" | "headings">,
  description: string | null,
): SearchSection[] => firstSections(content, description, MAX_SECTIONS);

function firstSections(
  { html, headings }: Pick<PageContent, "html" | "headings">,
  description: string | null,
  most: number,
): SearchSection[] {
  const isOfApi = html.includes('<div class="api-main">');
  const sections: SearchSection[] = [];
  let anchor: string | null = null;
  let heading = "";
  let from = 0;
  const end = (to: number) => {
    const { text, reference } = splitProse(withoutControls(html.slice(from, to)), isOfApi);
    const whole = anchor === null && description !== null ? `${description}\n${text}` : text;
    const [texts, references] = [splitText(whole), splitText(reference)];
    for (let at = 0; at < Math.max(texts.length, references.length); at += 1)
      sections.push({ anchor, heading, text: texts[at] ?? "", reference: references[at] ?? "" });
  };
  for (const { depth, id, text } of headings) {
    if (depth === 1) continue; // repeats the title
    const start = html.indexOf(`<h${depth} id="${escapeHtml(id)}"`, from);
    if (start === -1) continue;
    end(start);
    if (sections.length >= most) return sections.slice(0, most);
    const close = html.indexOf(`</h${depth}>`, start);
    from = close === -1 ? start : close;
    anchor = id;
    heading = text;
  }
  end(html.length);
  return sections.slice(0, most);
}

/** Splits a part of a page into prose and reference. Code without prose counts as prose. */
function splitProse(html: string, isOfApi: boolean): { text: string; reference: string } {
  const at = isOfApi ? html.search(API_PART) : -1;
  const [words, api] = at === -1 ? [html, ""] : [html.slice(0, at), html.slice(at)];
  const code = [...words.matchAll(CODE)].map(([each]) => each).join("\n");
  const text = linesOf(words.replace(CODE, "\n"));
  if (text === "" && api === "") return { text: linesOf(code), reference: "" };
  return { text, reference: linesOf(code + api) };
}

/** Drops a line that only repeats the end of the one before: a response's summary is the first line of its text. */
const linesOf = (html: string): string =>
  htmlText(html)
    .split("\n")
    .filter((line, at, lines) => !lines[at - 1]?.endsWith(line))
    .join("\n");

/** Splits a text between words into at least one part. */
function splitText(text: string): string[] {
  const parts: string[] = [];
  let at = 0;
  do {
    const most = text.slice(at, at + MAX_CHARACTERS);
    const isLast = at + MAX_CHARACTERS >= text.length;
    const space = isLast ? -1 : most.search(/\s\S*$/);
    const part = space > 0 ? most.slice(0, space) : most;
    parts.push(part.trim());
    at += Math.max(1, part.length);
  } while (at < text.length && parts.length <= MAX_SECTIONS);
  return parts;
}
