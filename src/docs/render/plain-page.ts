import { readFrontMatter } from "#docs/front-matter.ts";
import { escapeHtml } from "#docs/markup/html.ts";
import type { RenderedPage } from "./page.ts";

const MAX_SHOWN_CHARACTERS = 1_000_000;

/** A page that no parser may or can read, shown as written. Linear, so that the server may do it itself. */
export function plainPage(source: string, message: string): RenderedPage {
  const { attributes, bodyStart } = readFrontMatter(source);
  const body = source.slice(bodyStart);
  const shown = body.slice(0, MAX_SHOWN_CHARACTERS);
  const title = attributes.title;
  const description = attributes.description;
  const how = shown.length < body.length ? "It is shown as plain text, cut after 1 MB." : "It is shown as plain text.";
  return {
    html: `<pre class="plain-page" tabindex="0">${escapeHtml(shown)}</pre>\n`,
    css: "",
    title: typeof title === "string" && title.trim() !== "" ? title.trim().slice(0, 1_000) : null,
    description: typeof description === "string" ? description.trim().slice(0, 1_000) : null,
    frontMatter: attributes,
    headings: [],
    anchors: [],
    links: [],
    images: [],
    text: shown,
    // A single message for both: the page shows its first warning to readers.
    warnings: [{ path: null, line: null, code: "not_rendered", message: `${message} ${how}` }],
    includes: [],
    written: null,
    operation: null,
    degraded: "plain",
  };
}
