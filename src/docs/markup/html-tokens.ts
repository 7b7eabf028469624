import { ErrorCodes, Tokenizer, TokenizerMode } from "parse5";

/** An attribute as written; its value has character references decoded. Offsets are those of the value. */
export interface HtmlAttribute {
  name: string;
  /** Null for an attribute without a value: `<details open>`. */
  value: string | null;
  start: number;
  end: number;
}

/** A piece of raw HTML, with offsets. Names keep their case, which matters for components. */
export type HtmlToken =
  /** `isTag`: a tag that does not end, or has too many attributes, and the text after it. */
  | { kind: "text"; text: string; start: number; end: number; isTag?: boolean }
  | { kind: "open"; name: string; attributes: HtmlAttribute[]; selfClosing: boolean; start: number; end: number }
  | { kind: "close"; name: string; start: number; end: number };

// The tokenizer compares each attribute of a tag with the previous ones. The chunk bounds what it reads before we count.
const MAX_ATTRIBUTES = 100;
const MAX_NAME = 60;
const CHUNK = 2_048;
/** Elements in which `<` starts no tag: everything up to the end tag is their text. */
const TEXT_MODES: Record<string, number> = {
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
};

interface Span {
  startOffset: number;
  endOffset: number;
}

class CountingTokenizer extends Tokenizer {
  get attributeCount(): number {
    return this.currentToken && "attrs" in this.currentToken ? this.currentToken.attrs.length : 0;
  }

  /** Where the current tag starts. */
  get tagStart(): number | null {
    return this.currentToken && "attrs" in this.currentToken ? (this.currentToken.location?.startOffset ?? null) : null;
  }
}

/**
 * Splits raw HTML into tags and text as browsers do, with the tokenizer of the HTML standard, in linear time. Comments,
 * declarations and processing instructions are dropped. This does not decide what is allowed.
 */
export const htmlTokens = (html: string): HtmlToken[] => readHtml(html).tokens;

/**
 * The same, with the standard's names of the parse errors. `readsAll`: tags inside scripts, titles and similar elements
 * count as tags, too.
 */
export function readHtml(html: string, { readsAll = false } = {}): { tokens: HtmlToken[]; faults: Set<string> } {
  const tokens: HtmlToken[] = [];
  const faults = new Set<string>();
  let done = 0;
  let unfinished: number | null = null;
  const add = (token: HtmlToken) => {
    tokens.push(token);
    done = token.end;
  };
  // The tokenizer separates white space from other text; here they are one text.
  const addText = ({ chars, location }: { chars: string; location: Span | null }) => {
    const start = location?.startOffset ?? done;
    const end = Math.min(location?.endOffset ?? done, unfinished ?? Infinity);
    const last = tokens.at(-1);
    if (last?.kind !== "text" || last.end !== start) return add({ kind: "text", text: chars, start, end });
    last.text += chars;
    last.end = done = end;
  };
  const tokenizer = new CountingTokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag({ tagName, attrs, selfClosing, location }) {
        const start = location?.startOffset ?? done;
        const attributes = attrs.map(({ name, value }) => {
          const place = location?.attrs?.[name];
          return readAttribute(html, { name, value, from: place?.startOffset ?? start, to: place?.endOffset ?? start });
        });
        const name = html.slice(start + 1, start + 1 + tagName.length).slice(0, MAX_NAME);
        add({ kind: "open", name, attributes, selfClosing, start, end: location?.endOffset ?? start });
        const mode = Object.hasOwn(TEXT_MODES, tagName) ? TEXT_MODES[tagName] : undefined;
        if (mode !== undefined && !selfClosing && !readsAll) tokenizer.state = mode;
      },
      onEndTag({ tagName, location }) {
        const start = location?.startOffset ?? done;
        const name = html.slice(start + 2, start + 2 + tagName.length).slice(0, MAX_NAME);
        add({ kind: "close", name, start, end: location?.endOffset ?? start });
      },
      onComment: ({ location }) => (done = location?.endOffset ?? done),
      onDoctype({ location }) {
        faults.add("doctype");
        done = location?.endOffset ?? done;
      },
      onEof: () => undefined,
      onParseError({ code }) {
        faults.add(code);
        // The tokenizer reports the last text as reaching to the end of such a tag.
        if (code === ErrorCodes.eofInTag) unfinished = tokenizer.tagStart;
      },
      onCharacter: addText,
      onNullCharacter: addText,
      onWhitespaceCharacter: addText,
    },
  );
  for (let at = 0; at < html.length && tokenizer.attributeCount <= MAX_ATTRIBUTES; at += CHUNK)
    tokenizer.write(html.slice(at, at + CHUNK), at + CHUNK >= html.length);
  if (done < html.length)
    tokens.push({ kind: "text", text: html.slice(done), start: done, end: html.length, isTag: true });
  if (tokenizer.attributeCount > MAX_ATTRIBUTES) faults.add("too-many-attributes");
  return { tokens, faults };
}

function readAttribute(
  html: string,
  { name, value, from, to }: { name: string; value: string; from: number; to: number },
): HtmlAttribute {
  const written = html.slice(from, from + name.length);
  const equals = /^\s*=\s*/.exec(html.slice(from + name.length, to));
  if (equals === null) return { name: written, value: null, start: to, end: to };
  const start = from + name.length + equals[0].length;
  const isQuoted = html[start] === '"' || html[start] === "'";
  return { name: written, value, start: isQuoted ? start + 1 : start, end: isQuoted ? to - 1 : to };
}
