import { mediaRanges } from "#lib/network/accept-header.ts";
import { memoize } from "#lib/memoize.ts";
import type { PlainRequest } from "#lib/network/plain-http.ts";

const MARKDOWN = ["text/markdown", "text/x-markdown", "text/plain"];
const HTML = ["text/html", "application/xhtml+xml"];

// Assistants that fetch a page for a person and save tokens with Markdown; from their makers' documentation, 2026-11.
const ASSISTANTS =
  /\b(?:Claude-User|ChatGPT-User|OAI-SearchBot|PerplexityBot|Perplexity-User|Google-Agent|MistralAI-User|DuckAssistBot|cohere-ai)\b/i;

/** Whether to respond with Markdown: the request asks for it, or comes from an assistant that does not ask for HTML. */
export function prefersMarkdown(headers: PlainRequest["headers"]): boolean {
  const order = preferenceOrder(headers.get("accept") ?? "");
  const markdown = rank(order, MARKDOWN);
  const html = rank(order, HTML);
  if (markdown < html) return true;
  return html === Number.POSITIVE_INFINITY && ASSISTANTS.test(headers.get("user-agent") ?? "");
}

/**
 * The headers that decided between HTML and Markdown, for `Vary`. A client that names a format gets it whatever its
 * user agent, like everyone with the same `Accept`, so that a shared cache need not store a page per user agent.
 */
export function pageVary(headers: PlainRequest["headers"]): string {
  const order = preferenceOrder(headers.get("accept") ?? "");
  const isNamed = rank(order, MARKDOWN) !== rank(order, HTML);
  return isNamed ? "Accept" : "Accept, User-Agent";
}

/** Whether a client accepts HTML explicitly, as browsers do for pages. */
export function acceptsHtml(headers: PlainRequest["headers"]): boolean {
  return rank(preferenceOrder(headers.get("accept") ?? ""), HTML) !== Number.POSITIVE_INFINITY;
}

/** The media type for Markdown: browsers show `text/plain` and download `text/markdown`. */
export function markdownType(headers: PlainRequest["headers"]): string {
  const order = preferenceOrder(headers.get("accept") ?? "");
  const asksForPlain = rank(order, ["text/plain"]) < rank(order, MARKDOWN.slice(0, 2));
  const isBrowser = rank(order, HTML) < rank(order, MARKDOWN.slice(0, 2));
  return asksForPlain || isBrowser ? "text/plain; charset=utf-8" : "text/markdown; charset=utf-8";
}

/** Media types that a client names, best first. Wildcards express no preference. */
const preferenceOrder = memoize((accept: string): readonly string[] =>
  mediaRanges(accept)
    .filter(({ type, quality }) => quality > 0 && !type.includes("*"))
    .map(({ type }) => type),
);

function rank(order: readonly string[], types: readonly string[]): number {
  const index = order.findIndex((type) => types.includes(type));
  return index === -1 ? Number.POSITIVE_INFINITY : index;
}
