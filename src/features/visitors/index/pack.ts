import { WHOLE_SITE } from "#features/visitors/labels.ts";

/** Counts of one page by the previous day: see `visitor_count`. */
export interface CountRow {
  page: number;
  previous: number;
  human: number;
  ai: number;
  total: number;
}

/**
 * Spans of `visitor_pack`. A closed month is packed as a whole in addition to its days; its days then have the third
 * kind, so that a query reads each day once. A month's pack omits visitors whose previous day is in the same month:
 * they are never new in a range that contains the whole month.
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
  /** The largest page label in it. */
  maxPage: number;
}

const HEADER_BYTES = 16;
const FORMAT = 1;

const COLUMNS = ["page", "human", "ai", "total"] as const;

type WideColumns = Record<(typeof COLUMNS)[number], Uint32Array> & { previous: Uint16Array };

function wideColumns(rows: number): WideColumns {
  const [page, human, ai, total] = COLUMNS.map(() => new Uint32Array(rows)) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  return { page, human, ai, total, previous: new Uint16Array(rows) };
}

/** Packs rows, in any order; rows of the same page and previous day are added. */
export function encodePack(rows: readonly CountRow[]): Uint8Array {
  return mergePack(null, rows);
}

/**
 * A pack with changes added; rows that become all zero are dropped. Linear in the pack (10 ns a row), so that a day's
 * pack can be rewritten many times during the day.
 */
export function mergePack(pack: Pack | null, changes: readonly CountRow[]): Uint8Array {
  const sorted = changes.toSorted((a, b) => a.previous - b.previous || a.page - b.page);
  const known = pack?.rows ?? 0;
  const merged = wideColumns(known + sorted.length);
  let written = 0;
  let row = 0;
  let change = 0;
  while (row < known || change < sorted.length) {
    const next = sorted[change];
    const order = row >= known ? 1 : !next ? -1 : pack!.previous[row]! - next.previous || pack!.page[row]! - next.page;
    const isOfPack = order <= 0;
    const previous = isOfPack ? pack!.previous[row]! : next!.previous;
    const page = isOfPack ? pack!.page[row]! : next!.page;
    let human = isOfPack ? pack!.human[row]! : 0;
    let ai = isOfPack ? pack!.ai[row]! : 0;
    let total = isOfPack ? pack!.total[row]! : 0;
    if (isOfPack) row++;
    for (let same = sorted[change]; same?.previous === previous && same.page === page; same = sorted[++change]) {
      human += same.human;
      ai += same.ai;
      total += same.total;
    }
    if (human === 0 && ai === 0 && total === 0) continue;
    merged.previous[written] = previous;
    merged.page[written] = page;
    merged.human[written] = human;
    merged.ai[written] = ai;
    merged.total[written] = total;
    written++;
  }
  return encodeColumns(merged, written);
}

/**
 * The stored form: a header (format, rows, column widths), then page, human, ai, total in 16 or 32 bits each, depending
 * on the largest value, and `previous` in 16 (until the year 2149). Little endian, like every supported machine.
 */
function encodeColumns(columns: WideColumns, rows: number): Uint8Array {
  const wide = COLUMNS.map((name) => columns[name].subarray(0, rows).some((value) => value > 0xffff));
  const content = new Uint8Array(columnOffsets(rows, wide).end);
  const header = new Uint32Array(content.buffer, 0, 4);
  header[0] = FORMAT;
  header[1] = rows;
  header[2] = wide.reduce((bits, isWide, index) => bits | (isWide ? 1 << index : 0), 0);
  const pack = viewColumns(content, rows, wide);
  for (const name of COLUMNS) pack[name].set(columns[name].subarray(0, rows));
  pack.previous.set(columns.previous.subarray(0, rows));
  return content;
}

export function decodePack(content: Uint8Array): Pack {
  // Columns need an aligned start, which most drivers provide.
  const aligned = content.byteOffset % 4 === 0 ? content : content.slice();
  const header = new Uint32Array(aligned.buffer, aligned.byteOffset, 4);
  if (header[0] !== FORMAT) throw new Error(`unknown format ${header[0]} of a pack of visitor counts`);
  const bits = header[2] ?? 0;
  const wide = [0, 1, 2, 3].map((index) => (bits & (1 << index)) !== 0);
  const pack = viewColumns(aligned, header[1] ?? 0, wide);
  let maxPage = 0;
  for (let row = 0; row < pack.rows; row++) if (pack.page[row]! > maxPage) maxPage = pack.page[row]!;
  return { ...pack, maxPage };
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

function viewColumns(content: Uint8Array, rows: number, wide: readonly boolean[]): Omit<Pack, "maxPage"> {
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
