import { decodeNamedCharacterReference } from "decode-named-character-reference";
import type { Value } from "./page-tree.ts";

/** A piece of raw HTML in a Markdown page. */
export type HtmlToken =
  | { kind: "text"; text: string }
  | { kind: "open"; name: string; props: Map<string, Value>; selfClosing: boolean }
  | { kind: "close"; name: string };

const MAX_ATTRIBUTES = 100;
const RAW_TEXT = new Set("script style textarea title xmp noembed iframe".split(" "));

/**
 * Cuts raw HTML into tags and text in one pass. Comments, declarations and processing instructions fall away; what
 * does not look like a tag is text. Nothing here decides what is allowed: the printer prints from an allowlist and
 * escapes every text and value again, so a wrong cut can only look wrong.
 */
export function tokenizeHtml(html: string): HtmlToken[] {
  const tokens: HtmlToken[] = [];
  let position = 0;
  let text = "";
  const neverClosed = new Set<string>();
  const flush = () => {
    if (text !== "") tokens.push({ kind: "text", text: decodeReferences(text) });
    text = "";
  };
  while (position < html.length) {
    const start = html.indexOf("<", position);
    text += html.slice(position, start === -1 ? html.length : start);
    if (start === -1) break;
    const skipped = commentEnd(html, start);
    if (skipped !== null) {
      flush();
      position = skipped;
      continue;
    }
    const tag = readTag(html, start);
    if (tag === null) {
      text += "<";
      position = start + 1;
      continue;
    }
    flush();
    tokens.push(tag.token);
    position = tag.end;
    const name = tag.token.kind === "open" ? tag.token.name.toLowerCase() : "";
    // Inside these, `<` starts no tag: everything up to the end tag belongs to them.
    if (RAW_TEXT.has(name) && !neverClosed.has(name)) {
      const end = new RegExp(`</${name}(?=[\\s/>])`, "ig");
      end.lastIndex = position;
      const found = end.exec(html);
      if (found) position = found.index;
      else neverClosed.add(name);
    }
  }
  flush();
  return tokens;
}

function commentEnd(html: string, start: number): number | null {
  if (html.startsWith("<!--", start)) {
    if (/^<!---?>/.test(html.slice(start, start + 6))) return html.indexOf(">", start) + 1;
    const end = html.indexOf("-->", start + 4);
    return end === -1 ? html.length : end + 3;
  }
  if (html[start + 1] !== "!" && html[start + 1] !== "?") return null;
  const end = html.indexOf(">", start);
  return end === -1 ? html.length : end + 1;
}

function readTag(html: string, start: number): { token: HtmlToken; end: number } | null {
  const close = html[start + 1] === "/";
  const name = stick(/[A-Za-z][A-Za-z0-9_.:-]{0,60}/y, html, start + (close ? 2 : 1));
  if (name === null) return null;
  let position = start + (close ? 2 : 1) + name.length;
  const props = new Map<string, Value>();
  for (let count = 0; count <= MAX_ATTRIBUTES; count += 1) {
    position += stick(/[\s/]*/y, html, position)?.length ?? 0;
    if (position >= html.length) return null;
    if (html[position] === ">") {
      const selfClosing = html[position - 1] === "/";
      return { token: close ? { kind: "close", name } : { kind: "open", name, props, selfClosing }, end: position + 1 };
    }
    const attribute = stick(/[^\s/>=<"'`]{1,200}/y, html, position);
    if (attribute === null) return null;
    position += attribute.length;
    const equals = stick(/\s*=\s*/y, html, position);
    let value: Value = true;
    if (equals !== null) {
      position += equals.length;
      const quoted = stick(/"[^"]*"|'[^']*'/y, html, position);
      const written = quoted ?? stick(/[^\s"'=<>`]+/y, html, position);
      if (written === null) return null;
      position += written.length;
      value = decodeReferences(quoted === null ? written : written.slice(1, -1));
    }
    if (!props.has(attribute)) props.set(attribute, value);
  }
  return null;
}

function stick(pattern: RegExp, text: string, position: number): string | null {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0] ?? null;
}

/** HTML's character references, also without a semicolon where browsers accept that for numbers. */
function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#\d{1,7};?|#[xX][0-9a-fA-F]{1,6};?|[A-Za-z][A-Za-z0-9]{1,31};)/g, (written) => {
    const body = written.slice(1).replace(/;$/, "");
    if (!body.startsWith("#")) return decodeNamedCharacterReference(body) || written;
    const code = /^#x/i.test(body) ? Number.parseInt(body.slice(2), 16) : Number(body.slice(1));
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : "\uFFFD";
  });
}
