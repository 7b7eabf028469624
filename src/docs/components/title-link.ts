import { attributes } from "#docs/markup/html.ts";
import type { Words } from "#docs/words/site-language.ts";

/** A component's title, already HTML, with a link to the component where it has an id. */
export function titleWithLink(title: string, id: string | null, words: Words): string {
  return id === null
    ? title
    : `${title}<a class="heading-anchor"${attributes({ href: `#${encodeURIComponent(id)}`, "aria-label": words.linkToPart })}></a>`;
}
