import { type TextView, type Unit, viewOf } from "./text-view.ts";

// Markup that a renderer removes between two letters: emphasis, code, tags, links; quotes that code concatenates;
// escapes.
const MARK =
  /\\([!-/:-@[-`{-~])|<!--|\{\/\*|<\/?[A-Za-z][^<>]*>|["'`]\s{0,3}\+\s{0,3}["'`]|\{\s{0,3}["'`]|["'`]\s{0,3}\}|["']>|\]\([^()\n]*\)|[*`[\]]|~~/g;
const COMMENTS: Readonly<Record<string, string>> = { "<!--": "-->", "{/*": "*/}" };

/** The text without the markup of Markdown, HTML and MDX, as a reader sees it; null when it has no markup. Linear. */
export function markupView(text: string): TextView | null {
  return viewOf(text, marksIn(text));
}

function* marksIn(text: string): Iterable<Unit> {
  const unclosed = new Set<string>();
  let at = 0;
  for (const match of text.matchAll(MARK)) {
    const { 0: mark, 1: escaped = "", index } = match;
    if (index < at) continue; // inside a comment
    at = index + mark.length;
    const closing = COMMENTS[mark];
    if (closing !== undefined) {
      // `<!-->` is a comment. A missing end is searched for once.
      const close = unclosed.has(mark) ? -1 : text.indexOf(closing, index + 2);
      if (close === -1) {
        unclosed.add(mark);
        continue;
      }
      at = close + closing.length;
    }
    yield { start: index, end: at, text: escaped };
  }
}
