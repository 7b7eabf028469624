/** Code in fences and in lines, and the tags of the component; a `>` within a value of an attribute is not looked for. */
const TOKENS = /^[ \t]*(?:>[ \t]*)*(`{3,}|~{3,})[^\n]*|(`+)|<(\/?)Visibility(\s[^<>]{0,500})?>/gm;
const FOR_HUMANS = /\sfor\s{0,9}=\s{0,9}(?:\{\s{0,9})?["'`]humans["'`]/;
/** Of code within a line: what is longer is no code. */
const MAX_CODE = 2_000;

/**
 * Markdown without what is for humans only: `<Visibility for="humans">` with all that stands in it. A tag that is never
 * closed hides nothing, and one in code is none.
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

/** Where that stands: offsets from the start of its tag to the end of the one that closes it. */
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
      else if (marker.startsWith(fence) && whole.trimEnd().endsWith(marker)) fence = null;
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

/** Where code within a line ends; where its mark stands when nothing closes it before the paragraph ends. */
function endOfCode(text: string, from: number, run: string): number {
  const near = text.slice(from, from + MAX_CODE);
  const paragraph = near.split(/\n[ \t]*\n/, 1)[0] ?? "";
  for (const { index, 0: other } of paragraph.matchAll(/`+/g)) if (other === run) return from + index + run.length;
  return from;
}

/** Empty lines of both sides of a gap become one. */
function joined(before: string, after: string): string {
  if (before === "" || !/\n[ \t]*$/.test(before) || !/^[ \t]*\n/.test(after)) return before + after;
  return `${before.trimEnd()}\n\n${after.trimStart()}`;
}
