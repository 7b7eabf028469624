import type { Root } from "mdast";
import { type HtmlToken, htmlTokens } from "#docs/markup/html-tokens.ts";
import { withoutCode } from "./markup/build-code.ts";

// MDX comments. The first end counts, as in JavaScript.
const MDX_COMMENTS = /\{\s{0,20}\/\*[\s\S]*?\*\/\s{0,20}\}/g;
// Common ways to hide an element by style or utility class. A style sheet of the repository can hide more.
const HIDING_STYLE =
  /(?:display\s*:\s*["']?none|visibility\s*:\s*["']?(?:hidden|collapse)|(?:font-?size|opacity|max-?height)\s*:\s*["']?0(?![.\d]*[1-9])|[\s"';{]color\s*:\s*["']?transparent)/i;
const HIDING_CLASS = /(?:^|[\s"'`{])(?:hidden|sr-only|invisible|opacity-0|text-transparent|collapse)(?=[\s"'`}]|$)/;
const SHOWN_ELSEWHERE = /:(?:block|flex|grid|inline|table|contents|visible|not-sr-only)/;
const NEVER_SHOWN = new Set(["template", "dialog", "noscript", "script", "style"]);
const VOID = new Set("area br col hr img input link meta source track wbr path circle rect".split(" "));

/**
 * The visible text of a page: without tags, comments and hidden elements. Code is kept unchanged. Runs in linear time.
 */
export function shownText(root: Root, source: string): string {
  const blank = (text: string) => text.replaceAll(/[^\n]/g, " ");
  // Keeps the offsets of the source.
  let shown = "";
  const markup = withoutCode(root, source).replaceAll(MDX_COMMENTS, (comment, index: number) => {
    shown += source.slice(shown.length, index) + blank(comment);
    return blank(comment);
  });
  shown += source.slice(shown.length);
  let text = "";
  for (const token of visibleTokens(markup, (tag) => isHidden(tag, markup.slice(tag.start, tag.end))))
    if (token.kind === "text") text += shown.slice(token.start, token.end);
  return text;
}

type OpenTag = Extract<HtmlToken, { kind: "open" }>;

/** The tokens of HTML without the content of hidden elements, which `isHidden` recognizes by the opening tag. */
export function* visibleTokens(html: string, isHidden: (tag: OpenTag) => boolean): Generator<HtmlToken> {
  /** The open hidden element, and the nesting depth of elements with its name. */
  let hidden: { name: string; depth: number } | null = null;
  for (const token of htmlTokens(html)) {
    const name = token.kind === "text" ? null : token.name.toLowerCase();
    if (hidden === null) {
      yield token;
      if (token.kind === "open" && name !== null && !token.selfClosing && !VOID.has(name) && isHidden(token))
        hidden = { name, depth: 1 };
    } else if (name === hidden.name) {
      if (token.kind === "close") hidden.depth -= 1;
      else if (token.kind === "open" && !token.selfClosing) hidden.depth += 1;
      if (hidden.depth === 0) hidden = null;
    }
  }
}

function isHidden({ name, attributes }: OpenTag, tag: string): boolean {
  const isOpen = attributes.some((attribute) => attribute.name === "open");
  if (NEVER_SHOWN.has(name.toLowerCase()) && !isOpen) return true;
  if (attributes.some((attribute) => attribute.name === "hidden" && attribute.value !== "{false}")) return true;
  return HIDING_STYLE.test(tag) || (HIDING_CLASS.test(classesOf(tag)) && !SHOWN_ELSEWHERE.test(tag));
}

// An HTML tokenizer splits JavaScript in braces at blanks, so this reads everything up to the end of the tag.
const classesOf = (tag: string) => tag.slice(/\bclass(?:Name)?\s*=/.exec(tag)?.index ?? tag.length);
