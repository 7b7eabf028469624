import { escapeHtml } from "#content/markup/html.ts";
import { htmlText } from "#content/render/plain-text.ts";
import type { SearchSection } from "#search/search-page.ts";
import type { PageContent } from "#sites/page-content.ts";

const MAX_SECTIONS = 300;
/** A longer text is several sections of one heading, so that none is weighed by what stands far from the match. */
const MAX_CHARACTERS = 4_000;

/** A rendered page cut at its headings, each with the text down to the next one. The description stands before the first. */
export function pageSections(
  { html, headings }: Pick<PageContent, "html" | "headings">,
  description: string | null,
): SearchSection[] {
  const sections: SearchSection[] = [];
  let anchor: string | null = null;
  let heading = "";
  let from = 0;
  const end = (to: number) => {
    const text = htmlText(html.slice(from, to));
    const whole = anchor === null && description !== null ? `${description}\n${text}` : text;
    for (const part of inParts(whole)) sections.push({ anchor, heading, text: part });
  };
  for (const { depth, id, text } of headings) {
    if (depth === 1) continue; // says what the title says
    const start = html.indexOf(`<h${depth} id="${escapeHtml(id)}"`, from);
    if (start === -1) continue;
    end(start);
    if (sections.length >= MAX_SECTIONS) return sections.slice(0, MAX_SECTIONS);
    const close = html.indexOf(`</h${depth}>`, start);
    from = close === -1 ? start : close;
    anchor = id;
    heading = text;
  }
  end(html.length);
  return sections.slice(0, MAX_SECTIONS);
}

/** Pieces of a text, cut between words; at least one. */
function inParts(text: string): string[] {
  const parts: string[] = [];
  let at = 0;
  do {
    const most = text.slice(at, at + MAX_CHARACTERS);
    const isLast = at + MAX_CHARACTERS >= text.length;
    const space = isLast ? -1 : most.search(/\s\S*$/);
    const part = space > 0 ? most.slice(0, space) : most;
    parts.push(part.trim());
    at += Math.max(1, part.length);
  } while (at < text.length && parts.length < MAX_SECTIONS);
  return parts;
}
