import { resolveHref } from "#docs/hrefs.ts";
import { html, type Html } from "#kit/pages/markup.ts";

const INLINE = /\[([^\]\n]{1,200})\]\(([^()\s]{1,500})\)|\*\*([^*\n]{1,200})\*\*|`([^`\n]{1,200})`/g;

/** Links, bold text and code in one line of a configuration; everything else is text. */
export function inlineMarkdown(text: string): Html {
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, label, written = "", bold, code] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + whole.length;
    if (bold !== undefined) parts.push(html`<strong>${bold}</strong>`);
    else if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else {
      const href = resolveHref(written, "");
      parts.push(
        href.kind === "internal" || href.kind === "external" ? html`<a href="${href.href}">${label}</a>` : whole,
      );
    }
  }
  return html`${parts}${text.slice(end)}`;
}
