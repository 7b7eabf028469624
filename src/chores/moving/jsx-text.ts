import { htmlTokens } from "#docs/markup/html-tokens.ts";
import { isDroppedTag, isVoidTag } from "#docs/markup/allowed-html.ts";
import { type Tag, scanTag } from "#docs/markup/jsx-tag.ts";

const ATTRIBUTE = /^[A-Za-z_$][\w$.:-]*$/;
/** Text in which white space counts, or which is no Markdown: in MDX it is an expression. */
const VERBATIM = new Set(["pre", "style", "textarea"]);

/** HTML of a Markdown page as JSX: the same tags, closed and quoted. Attributes that JSX cannot name are in `dropped`. */
export function jsxOfHtml(html: string): { text: string; dropped: string[] } {
  const dropped: string[] = [];
  let text = "";
  let done = 0;
  let verbatim: string | null = null;
  let isDropping: string | null = null;
  for (const token of htmlTokens(html)) {
    if (isDropping === null) text += commentsIn(html.slice(done, token.start));
    done = token.end;
    const name = token.kind === "text" ? "" : token.name.toLowerCase();
    if (isDropping !== null) {
      if (token.kind === "close" && name === isDropping) isDropping = null;
      continue;
    }
    if (token.kind === "open" && isDroppedTag(token.name)) {
      dropped.push(`<${name}>`);
      if (!token.selfClosing && !isVoidTag(name)) isDropping = name;
    } else if (token.kind === "text")
      text += verbatim === null ? escapedText(html.slice(token.start, token.end)) : expressionOf(token.text);
    else if (token.kind === "close") {
      if (verbatim === name) verbatim = null;
      if (!isVoidTag(name)) text += `</${token.name}>`;
    } else {
      const written = html.slice(token.start, token.end);
      const attributes = token.attributes.filter((each) => {
        if (ATTRIBUTE.test(each.name)) return true;
        dropped.push(each.name);
        return false;
      });
      const words = attributes.map(({ name: key, value }) =>
        value === null ? key : `${key}=${quotedAttribute(value)}`,
      );
      const isClosed = token.selfClosing || isVoidTag(name);
      const isValid = attributes.length === token.attributes.length && isJsxTag(written, isClosed);
      text += isValid ? written : `<${[token.name, ...words].join(" ")}${isClosed ? " /" : ""}>`;
      if (VERBATIM.has(name) && !isClosed) verbatim = name;
    }
  }
  if (isDropping === null) text += commentsIn(html.slice(done));
  return { text, dropped };
}

/** An attribute value in quotes, so that it is read back as the same text. */
export function quotedAttribute(value: string): string {
  const text = value.replaceAll("&", "&amp;");
  if (!text.includes('"')) return `"${text}"`;
  return text.includes("'") ? `"${text.replaceAll('"', "&quot;")}"` : `'${text}'`;
}

const expressionOf = (text: string): string => (text === "" ? "" : `{${JSON.stringify(text)}}`);

/** Between tags, the tokenizer leaves out only comments and declarations. */
const commentsIn = (between: string): string =>
  [...between.matchAll(/<!--([^]*?)-->/g)].map(([, comment = ""]) => commentOf(comment)).join("");

export const commentOf = (text: string): string => `{/*${text.replaceAll("*/", "* /")}*/}`;

/** Text inside of HTML is no Markdown. */
const escapedText = (text: string): string => text.replaceAll(/[\\`*_{}[\]<~$]/g, String.raw`\$&`);

function isJsxTag(written: string, isClosed: boolean): boolean {
  if (isClosed !== written.endsWith("/>")) return false;
  return scanTag(written, 0)?.attributes.every(({ value }) => value === null || value.kind === "string") ?? false;
}

/** Escapes the braces and angle brackets in a range of Markdown text that MDX would read as code. */
export function* unescapedIn(source: string, start: number, end: number): Generator<number> {
  for (let at = start; at < end; at += 1) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === "{" || source[at] === "<" || source[at] === "}") yield at;
  }
}

/** The range of an element's closing tag that ends at `end`; null if the element closes itself. */
export function closingTag(source: string, { end }: Tag, elementEnd: number): { start: number; end: number } | null {
  if (elementEnd <= end) return null;
  const start = source.lastIndexOf("</", elementEnd - 1);
  return start < end ? null : { start, end: elementEnd };
}
