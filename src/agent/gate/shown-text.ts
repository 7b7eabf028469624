import type { Root } from "mdast";
import { type HtmlToken, htmlTokens } from "#docs/markup/html-tokens.ts";
import { withoutCode } from "./markup/build-code.ts";

// What MDX takes for a comment. Not across blank lines of other braces: the first end counts, as in JavaScript.
const MDX_COMMENTS = /\{\s{0,20}\/\*[\s\S]*?\*\/\s{0,20}\}/g;
// The ways in which authors and utility classes hide an element. A sheet of the repository's own can hide more.
const HIDING_STYLE =
  /(?:display\s*:\s*["']?none|visibility\s*:\s*["']?(?:hidden|collapse)|(?:font-?size|opacity|max-?height)\s*:\s*["']?0(?![.\d]*[1-9])|[\s"';{]color\s*:\s*["']?transparent)/i;
const HIDING_CLASS = /(?:^|[\s"'`{])(?:hidden|sr-only|invisible|opacity-0|text-transparent|collapse)(?=[\s"'`}]|$)/;
const SHOWN_ELSEWHERE = /:(?:block|flex|grid|inline|table|contents|visible|not-sr-only)/;
const NEVER_SHOWN = new Set(["template", "dialog", "noscript", "script", "style"]);
const VOID = new Set("area br col hr img input link meta source track wbr path circle rect".split(" "));

/**
 * The text of a page as a reader can see it: without tags, comments, and elements that are not shown. Code stays as it
 * is, whatever it says. Linear in the page.
 */
export function shownText(root: Root, source: string): string {
  const blank = (text: string) => text.replaceAll(/[^\n]/g, " ");
  // Offsets stay those of the source.
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

/** The tokens of some HTML without what stands in the elements that are hidden, by their opening tags. */
export function* visibleTokens(html: string, isHidden: (tag: OpenTag) => boolean): Generator<HtmlToken> {
  /** The hidden element that is open, and how many of its name are. */
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

// JavaScript between braces is cut at its blanks by a reader of HTML, so all from there to the end of the tag is read.
const classesOf = (tag: string) => tag.slice(/\bclass(?:Name)?\s*=/.exec(tag)?.index ?? tag.length);
