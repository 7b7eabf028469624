import { WHOLE_SITE } from "./labels.ts";

/** Counts of one page by the day before: see `visitor_count`. */
export interface CountRow {
  page: number;
  previous: number;
  human: number;
  ai: number;
  total: number;
}

/**
 * Spans of `visitor_pack`. A closed month is packed as a whole besides its days; its days are then the third kind, so
 * that a query takes each day once. A month's pack leaves out visitors whose day before lies in the month: they
 * never are new to a range that holds the whole month.
 */
export const packSpans = { day: 0, month: 1, dayOfPackedMonth: 2 } as const;

type Column = Uint16Array | Uint32Array;

/** A decoded pack: columns over the same bytes, ascending by `previous`, so that "seen before A" is a prefix. */
export interface Pack {
  rows: number;
  previous: Uint16Array;
  page: Column;
  human: Column;
  ai: Column;
  total: Column;
  sizeBytes: number;
}

const HEADER_BYTES = 16;
const FORMAT = 1;

/**
 * Packs rows into columns: a header (format, rows, column widths), then page, human, ai, total in 16 or 32 bits each,
 * whichever holds the largest value, and `previous` in 16 (until the year 2149). Little endian, as every supported
 * machine is.
 */
export function encodePack(rows: readonly CountRow[]): Uint8Array {
  const sorted = rows.toSorted((a, b) => a.previous - b.previous || a.page - b.page);
  const wide = (["page", "human", "ai", "total"] as const).map((name) => rows.some((row) => row[name] > 0xffff));
  const count = sorted.length;
  const offsets = columnOffsets(count, wide);
  const content = new Uint8Array(offsets.end);
  const header = new Uint32Array(content.buffer, 0, 4);
  header[0] = FORMAT;
  header[1] = count;
  header[2] = wide.reduce((bits, isWide, index) => bits | (isWide ? 1 << index : 0), 0);
  const pack = viewColumns(content, count, wide);
  for (const [index, row] of sorted.entries()) {
    pack.previous[index] = row.previous;
    pack.page[index] = row.page;
    pack.human[index] = row.human;
    pack.ai[index] = row.ai;
    pack.total[index] = row.total;
  }
  return content;
}

export function decodePack(content: Uint8Array): Pack {
  // Columns need an aligned start; the drivers mostly give one.
  const aligned = content.byteOffset % 4 === 0 ? content : content.slice();
  const header = new Uint32Array(aligned.buffer, aligned.byteOffset, 4);
  if (header[0] !== FORMAT) throw new Error(`unknown format ${header[0]} of a pack of visitor counts`);
  const bits = header[2] ?? 0;
  return viewColumns(
    aligned,
    header[1] ?? 0,
    [0, 1, 2, 3].map((index) => (bits & (1 << index)) !== 0),
  );
}

export function packRows(pack: Pack): CountRow[] {
  return Array.from({ length: pack.rows }, (_, index) => ({
    page: pack.page[index] ?? WHOLE_SITE,
    previous: pack.previous[index] ?? 0,
    human: pack.human[index] ?? 0,
    ai: pack.ai[index] ?? 0,
    total: pack.total[index] ?? 0,
  }));
}

/** How many leading rows have `previous` before `day`. */
export function rowsBefore(pack: Pack, day: number): number {
  let low = 0;
  let high = pack.rows;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pack.previous[middle] ?? 0) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

function columnOffsets(rows: number, wide: readonly boolean[]): { starts: number[]; previous: number; end: number } {
  let next = HEADER_BYTES;
  const starts = wide.map((isWide) => {
    const start = next;
    next += Math.ceil((rows * (isWide ? 4 : 2)) / 4) * 4;
    return start;
  });
  return { starts, previous: next, end: next + rows * 2 };
}

function viewColumns(content: Uint8Array, rows: number, wide: readonly boolean[]): Pack {
  const offsets = columnOffsets(rows, wide);
  const column = (index: number): Column => {
    const start = content.byteOffset + (offsets.starts[index] ?? 0);
    return wide[index] ? new Uint32Array(content.buffer, start, rows) : new Uint16Array(content.buffer, start, rows);
  };
  return {
    rows,
    previous: new Uint16Array(content.buffer, content.byteOffset + offsets.previous, rows),
    page: column(0),
    human: column(1),
    ai: column(2),
    total: column(3),
    sizeBytes: content.byteLength,
  };
}
