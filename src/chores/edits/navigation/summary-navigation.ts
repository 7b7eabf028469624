import { type TextRange } from "#docs/nodes.ts";
import { posix } from "node:path";
import { readSummary, type SummaryItem } from "#docs/dialects/summary.ts";
import { decodeLoose } from "#docs/hrefs.ts";
import { writeHref } from "#docs/links/href-writer.ts";
import { cannotEdit, type NavItem, type ToolNavigation, rootOf } from "./nav-items.ts";
import { addLine, lineEnd, newlineOf, removeLines } from "./written-lines.ts";

const MARKER = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?/;
const LINK = /^\[((?:\\.|[^\]\\])*)\]\(\s*(<[^>]*>|[^)\s]*)/;
const HEADING = /^#{1,6}[ \t]+/;

/** The lists of a `SUMMARY.md`, of GitBook and mdBook: an item for each page, and a heading for a group. */
export function readSummaryNavigation(file: { path: string; text: string }): ToolNavigation {
  const { path, text } = file;
  const newline = newlineOf(text);
  const lines = linesOf(text);

  function itemOf(item: SummaryItem): NavItem {
    const { start, end } = lines[item.line]!;
    const line = text.slice(start, end);
    const lead = MARKER.exec(line)?.[0].length ?? 0;
    const link = LINK.exec(line.slice(lead));
    const [, label = line.slice(lead).trimEnd(), target = ""] = link ?? [];
    const labelStart = start + lead + (link === null ? 0 : 1);
    const targetStart = start + lead + (link === null ? 0 : link[0].length - target.length);
    const items = item.children.map(itemOf);
    const last = items.at(-1)?.block?.end ?? end;
    return {
      title: item.title,
      page: item.target === null || /^[a-z][a-z0-9+.-]*:/i.test(item.target) ? null : fileOf(item.target, path),
      items,
      offset: start,
      block: { start, end: last },
      label: { start: labelStart, end: labelStart + label.length },
      reference: item.target === null ? null : { start: targetStart, end: targetStart + target.length },
    };
  }

  const items = readSummary(text).flatMap(({ title, line, items: listed }): NavItem[] => {
    const own = listed.map(itemOf);
    if (line === null || title === null || /^(?:table of contents|summary)$/i.test(title)) return own;
    const { start, end } = lines[line]!;
    const lead = HEADING.exec(text.slice(start, end))?.[0].length ?? 0;
    const block = { start, end: own.at(-1)?.block?.end ?? end };
    const label = { start: start + lead, end };
    return [{ title, page: null, items: own, offset: start, block, label, reference: null, isHeading: true }];
  });
  const root = rootOf(items);
  const hrefOf = (page: string, like = "a.md") => writeHref({ like, from: path, target: page, hash: null });
  return {
    path,
    text,
    root,
    unread: [],
    hasTitles: () => true,
    insert({ path: page, title }, { group, after }) {
      const like = after ?? group.items?.findLast(({ isHeading }) => isHeading !== true) ?? null;
      const entry = `[${escaped(title ?? posix.basename(page))}](${hrefOf(page)})`;
      if (like?.block) return addLine(text, like.block.end, leadOf(text, like.offset) + entry);
      const below = group === root ? lines[0]!.end : lineEnd(text, group.offset);
      return addLine(text, below, `${newline}* ${entry}`);
    },
    remove(item) {
      if ((item.items?.length ?? 0) > 0 && item.page !== null)
        throw cannotEdit(file, item.offset, "names this page and has others below it: move those first");
      return removeLines(text, item.block ?? { start: item.offset, end: item.offset });
    },
    writeTitle: escaped,
    writeReference: (page, written) => hrefOf(page, written.replace(/^<(.*)>$/, "$1")),
  };
}

function linesOf(text: string): TextRange[] {
  const lines: TextRange[] = [];
  let start = 0;
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ start, end: index });
    start = index + end.length;
  }
  lines.push({ start, end: text.length });
  return lines;
}

/** The file that an item names: a folder stands for its README. */
function fileOf(target: string, summary: string): string {
  const path = posix.join(posix.dirname(summary), decodeLoose(target.replace(/[?#].*/s, "")));
  return /\.\w+$/.test(path) ? path : posix.join(path, "README.md");
}

const leadOf = (text: string, start: number): string =>
  MARKER.exec(text.slice(start, lineEnd(text, start)))?.[0] ?? "* ";

const escaped = (title: string): string => title.replaceAll(/[[\]\\]/g, "\\$&");
