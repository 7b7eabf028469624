import { namedWords } from "./words.ts";

/** A piece of text, and whether it matches the query. */
export interface ExcerptPart {
  text: string;
  isMatch: boolean;
}

export const partsText = (parts: readonly ExcerptPart[]): string => parts.map(({ text }) => text).join("");

const LENGTH = 180;
const LEAD = 40;

/** The part of a text that contains the most query words, in pieces. The beginning of a text that contains none. */
export function excerptOf(text: string, searchWords: readonly string[]): ExcerptPart[] {
  const matches = namedWords(text).flatMap(({ text: word, start, end }) => {
    const index = searchWords.findIndex((each) => word.startsWith(each));
    return index === -1 ? [] : [{ index, start, end }];
  });
  let best = { from: matches[0]?.start ?? 0, count: 0 };
  for (const [at, { start }] of matches.entries()) {
    const inside = new Set<number>();
    for (let next = at; next < matches.length && matches[next]!.end <= start + LENGTH - LEAD; next += 1)
      inside.add(matches[next]!.index);
    if (inside.size > best.count) best = { from: start, count: inside.size };
  }
  const from = wordStart(text, Math.max(0, best.from - LEAD));
  const to = wordEnd(text, Math.min(text.length, from + LENGTH));
  const cut = markedText(text.slice(from, to), searchWords);
  if (from > 0) cut.unshift({ text: "… ", isMatch: false });
  if (to < text.length) cut.push({ text: " …", isMatch: false });
  return cut;
}

/** The excerpt of a section: of its text, or of its reference part if only that matches. */
export function sectionExcerpt(
  { text, reference }: { text: string; reference: string },
  searchWords: readonly string[],
) {
  const ofText = excerptOf(text, searchWords);
  if (reference === "" || ofText.some(({ isMatch }) => isMatch)) return ofText;
  const ofReference = excerptOf(reference, searchWords);
  return text === "" || ofReference.some(({ isMatch }) => isMatch) ? ofReference : ofText;
}

/** A text in pieces, with matches separated from the rest. A word that begins with a query word matches as a whole. */
export function markedText(text: string, searchWords: readonly string[]): ExcerptPart[] {
  const parts: ExcerptPart[] = [];
  let done = 0;
  for (const { text: word, start, end } of namedWords(text)) {
    if (!searchWords.some((each) => word.startsWith(each)) || end <= done) continue;
    if (start > done) parts.push({ text: text.slice(done, start), isMatch: false });
    parts.push({ text: text.slice(Math.max(start, done), end), isMatch: true });
    done = end;
  }
  if (done < text.length) parts.push({ text: text.slice(done), isMatch: false });
  return parts.map((part) => ({ ...part, text: part.text.replaceAll(/\s+/g, " ") }));
}

function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.slice(at, at + LEAD).search(/\s/);
  return space === -1 ? at : at + space + 1;
}

function wordEnd(text: string, at: number): number {
  if (at === text.length) return at;
  const space = text.slice(0, at).search(/\s\S*$/);
  return space > at - LEAD ? space : at;
}
