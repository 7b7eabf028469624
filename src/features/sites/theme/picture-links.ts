import type { Words } from "#docs/words/site-language.ts";
import { attributes } from "#docs/markup/html.ts";

/** For rendered pages: attribute values have their `<`, `>` and `"` escaped. */
const TAG = /<(?:(\/?)(?:a|button|summary|label)\b|img\b|\/?picture\b)[^<>]*>/g;
/** Classes that choose between images for light and dark pages. */
const SHOWN_IN_ONE = /^(?:hidden|block|(?:dark|light):(?:hidden|block))$/;

/**
 * Wraps each image of a rendered page that is not in a link or button in a link to its file. A script enlarges it in
 * place; without one the file opens. Icons and images with `noZoom` stay unchanged.
 */
export function linkPictures(html: string, words: Words): string {
  if (!html.includes("<img")) return html;
  let inside = 0;
  // A link between <picture> and its <img> would disable the other sources, so it wraps the whole.
  let picture: "linked" | "plain" | null = null;

  function linkStart(tag: string): string | null {
    const source = valueOf(tag, "src");
    const classes = valueOf(tag, "class").split(" ");
    const isPart = inside > 0 || classes.includes("content-icon") || tag.includes(" data-no-zoom");
    if (isPart || source === "" || source.startsWith("data:")) return null;
    const alt = valueOf(tag, "alt");
    const label = alt === "" ? words.enlarge : `${words.enlarge}: `;
    const shown = ["site-zoom", ...classes.filter((name) => SHOWN_IN_ONE.test(name))].join(" ");
    // The image's values are escaped already.
    return `<a class="${shown}" href="${source}"${attributes({ "aria-label": label }).slice(0, -1)}${alt}">`;
  }

  return html.replaceAll(TAG, (tag, closing: string | undefined, offset: number) => {
    if (tag.startsWith("<picture")) {
      const end = html.indexOf("</picture>", offset);
      const image = /<img\b[^<>]*>/.exec(html.slice(offset, end === -1 ? undefined : end))?.[0];
      const start = image === undefined ? null : linkStart(image);
      picture = start === null ? "plain" : "linked";
      return `${start ?? ""}${tag}`;
    }
    if (tag.startsWith("</picture")) {
      const closed = picture === "linked" ? `${tag}</a>` : tag;
      picture = null;
      return closed;
    }
    if (!tag.startsWith("<img")) {
      inside = Math.max(0, inside + (closing === "/" ? -1 : 1));
      return tag;
    }
    const start = picture === null ? linkStart(tag) : null;
    return start === null ? tag : `${start}${tag}</a>`;
  });
}

function valueOf(tag: string, name: string): string {
  const start = tag.indexOf(` ${name}="`);
  return start === -1 ? "" : tag.slice(start + name.length + 3, tag.indexOf('"', start + name.length + 3));
}
