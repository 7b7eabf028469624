import { Tokenizer } from "parse5";
import type { MarkupElement } from "./unsafe-element.ts";

/** Raw HTML as a browser reads it. */
export interface HtmlTags {
  tags: (MarkupElement & { isComponent: boolean })[];
  /** Where a browser and another parser could disagree about what is a tag: a name of the HTML standard, or of ours. */
  unclear: string | null;
}

// The tokenizer compares each attribute of a tag with those before it. The chunk bounds what it reads before we count.
const MAX_ATTRIBUTES = 100;
const CHUNK = 2_048;

// Read alike by all: a slash in a tag is white space, `a < b` is text, and a character reference is resolved or stays.
const CLEAR =
  /solidus-in-tag|invalid-first-character-of-tag-name|character-reference|control-character|noncharacter|null-character/;

class CountingTokenizer extends Tokenizer {
  get attributeCount(): number {
    return this.currentToken && "attrs" in this.currentToken ? this.currentToken.attrs.length : 0;
  }
}

/**
 * The start tags in a piece of raw HTML, by the tokenizer of the HTML standard, in linear time. It never goes over to
 * the text of a script or title: elements that hold such text are refused as a whole, by their names.
 */
export function readHtmlTags(html: string): HtmlTags {
  const tags: HtmlTags["tags"] = [];
  let unclear: string | null = null;
  const nothing = () => undefined;
  const tokenizer = new CountingTokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag({ tagName, attrs, location }) {
        const at = location?.startOffset ?? 0;
        tags.push({
          name: tagName,
          isComponent: /^<[A-Z][\w.]*$/.test(html.slice(at, at + 1 + tagName.length)),
          attributes: attrs.map(({ name, value }) => ({ name, text: value, code: null, codeReason: null })),
        });
      },
      onParseError({ code }) {
        if (!CLEAR.test(code)) unclear ??= code;
      },
      onEndTag: nothing,
      onComment: nothing,
      onDoctype: () => (unclear ??= "doctype"),
      onEof: nothing,
      onCharacter: nothing,
      onNullCharacter: nothing,
      onWhitespaceCharacter: nothing,
    },
  );
  for (let at = 0; at < html.length; at += CHUNK) {
    tokenizer.write(html.slice(at, at + CHUNK), at + CHUNK >= html.length);
    if (tokenizer.attributeCount > MAX_ATTRIBUTES) return { tags, unclear: "too-many-attributes" };
  }
  return { tags, unclear };
}
