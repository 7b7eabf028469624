/** Fenced and inline code, and the tags of the component. A `>` inside an attribute value is not supported. */
const TOKENS =
  /^(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*(`{3,}|~{3,})[^\n]*|(`+)|<(\/?)Visibility(\s[^<>]{0,500})?>/gm;
const FOR_HUMANS = /\sfor\s{0,9}=\s{0,9}(?:\{\s{0,9})?["'`]humans["'`]/;
/** Maximum length of inline code: anything longer is treated as text. */
const MAX_CODE = 2_000;

/**
 * Removes content for humans only from Markdown: `<Visibility for="humans">` with everything inside. A tag that is never
 * closed hides nothing, and a tag in code is ignored.
 */
export function withoutHumansOnly(text: string): string {
  let kept = "";
  let from = 0;
  for (const [begin, end] of humansOnly(text)) {
    kept = joined(kept, text.slice(from, begin));
    from = end;
  }
  return joined(kept, text.slice(from));
}

/** Ranges of that content: offsets from the start of each tag to the end of its closing tag. */
export function humansOnly(text: string): [start: number, end: number][] {
  if (!text.includes("<Visibility")) return [];
  const hidden: [start: number, end: number][] = [];
  let fence: string | null = null;
  let codeEnd = 0;
  let depth = 0;
  let start = 0;
  for (const token of text.matchAll(TOKENS)) {
    const [whole, marker, run, slash, attributes = ""] = token;
    if (token.index < codeEnd) continue;
    if (marker !== undefined) {
      if (fence === null) fence = marker;
      else if (marker.startsWith(fence) && /^[ \t>]*[`~]+\s*$/.test(whole)) fence = null;
      continue;
    }
    if (fence !== null) continue;
    if (run !== undefined) {
      codeEnd = endOfCode(text, token.index + run.length, run);
      continue;
    }
    if (slash === "/") {
      if (depth === 0) continue;
      depth -= 1;
      if (depth === 0) hidden.push([start, token.index + whole.length]);
    } else if (!attributes.endsWith("/")) {
      if (depth === 0 && !FOR_HUMANS.test(attributes)) continue;
      if (depth === 0) start = token.index;
      depth += 1;
    }
  }
  return hidden;
}

/** Where inline code ends; the end of its opening mark if the paragraph ends before it is closed. */
function endOfCode(text: string, from: number, run: string): number {
  const near = text.slice(from, from + MAX_CODE);
  const paragraph = near.split(/\n[ \t]*\n/, 1)[0] ?? "";
  for (const { index, 0: other } of paragraph.matchAll(/`+/g)) if (other === run) return from + index + run.length;
  return from;
}

/** Joins both sides of a gap and merges the empty lines. */
function joined(before: string, after: string): string {
  if (before === "" || !/\n[ \t]*$/.test(before) || !/^[ \t]*\n/.test(after)) return before + after;
  return `${before.trimEnd()}\n\n${after.trimStart()}`;
}
