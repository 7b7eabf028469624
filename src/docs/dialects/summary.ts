import { withoutClosingMarks } from "#lib/trim.ts";

/** An entry of a navigation that is written as Markdown lists: `SUMMARY.md` of GitBook, mdBook and literate-nav. */
export interface SummaryItem {
  title: string;
  /** As written, without quotes and angle brackets; null for a text without a link. */
  target: string | null;
  children: SummaryItem[];
  /** Its line in the text, from 0. */
  line: number;
}

/** The lists below a heading; those before the first heading have none. */
export interface SummaryPart {
  title: string | null;
  items: SummaryItem[];
  /** The line of the heading, from 0; null without one. */
  line: number | null;
}

const MAX_LINES = 50_000;
const MAX_LINE = 2_000;
const ITEM = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/;
const LINK = /^\[((?:\\.|[^\]\\]){0,500})\]\(\s*(?:<([^>]{0,1000})>|([^)\s]{0,1000}))(?:\s+["'][^)]{0,300})?\s*\)/;

/** GitBook keeps the id of a heading that was renamed in the summary: `## Start <a href="#start" id="start"></a>`. */
const ANCHOR = /<a\s[^<>]{0,500}><\/a>[ \t]*$/;

/** Reads the lists and headings of a summary and ignores the rest. */
export function readSummary(text: string): SummaryPart[] {
  const parts: SummaryPart[] = [{ title: null, items: [], line: null }];
  let open: { indent: number; item: SummaryItem }[] = [];
  for (const [number, whole] of text.split(/\r\n|\n|\r/, MAX_LINES).entries()) {
    const line = whole.slice(0, MAX_LINE);
    const heading = /^#{1,6}[ \t]+(.*)$/.exec(line)?.[1];
    if (heading !== undefined) {
      const title = plain(withoutClosingMarks(heading.replace(ANCHOR, "")));
      parts.push({ title, items: [], line: number });
      open = [];
      continue;
    }
    const [, space = "", listed] = ITEM.exec(line) ?? [];
    // A chapter before or after the numbered ones is a link on a line of its own.
    const written = listed ?? (line.startsWith("[") ? line : null);
    if (written === null) continue;
    const item = itemOf(written, number);
    // After the numbered chapters of mdBook, one without a bullet belongs to none of their parts.
    if (listed === undefined && parts.at(-1)!.title !== null && parts.at(-1)!.items.length > 0)
      parts.push({ title: null, items: [], line: null });
    const indent = listed === undefined ? 0 : space.replaceAll("\t", "    ").length;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    (open.at(-1)?.item.children ?? parts.at(-1)!.items).push(item);
    open.push({ indent, item });
  }
  return parts;
}

function itemOf(written: string, line: number): SummaryItem {
  const text = written.trim();
  const [, title, inBrackets, bare] = LINK.exec(text) ?? [];
  const target = inBrackets ?? bare ?? "";
  return { title: plain(title ?? text), target: target === "" ? null : target, children: [], line };
}

const plain = (text: string): string =>
  text
    .replaceAll(/(?<![\w\\])[*_`]{1,3}([^*_`\\]+)[*_`]{1,3}(?!\w)/g, "$1")
    .replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")
    .trim();
