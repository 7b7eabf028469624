/** The form in which the content was read; the number is stored. */
export const surfaces = { html: 1, markdown: 2, llms: 3 } as const;
export type Surface = keyof typeof surfaces;

/**
 * How a view became known; the number is stored. `served`: this server sent the page. `confirmed`: a browser ran the
 * script. `reported`: a server-side sender or an access log, which cannot confirm views and is believed.
 */
export const sources = { served: 0, confirmed: 1, reported: 2 } as const;
export type Source = keyof typeof sources;

/** The format that the request preferred; the number is stored. */
export const preferences = { none: 0, html: 1, markdown: 2 } as const;
export type Preference = keyof typeof preferences;

/**
 * Whether the agent is who it claims to be; the number is stored. `unverified`: its address is missing from its
 * operator's list, which was too old to be certain. `unverifiable`: there is no list.
 */
export const verifications = { unknown: 0, verified: 1, spoofed: 2, unverifiable: 3, unverified: 4 } as const;
export type Verification = keyof typeof verifications;

/** One stored view. It contains no address and no user agent. */
export interface Fact {
  /** Milliseconds since the start of the day, UTC. */
  timeOfDay: number;
  /** Label of the page, or of the missing path when not `found`. */
  page: number;
  visitor: number;
  /** Label of the client. */
  client: number;
  /** Label of the referring host; 0 without a referrer. */
  referrer: number;
  source: number;
  surface: number;
  preference: number;
  verification: number;
  /** Number of the class that it was assigned: labels come and go, a count stays. */
  viewClass: number;
  found: boolean;
  /** The reader asked not to be tracked (GPC or DNT). */
  isPrivate: boolean;
  /** For a view that may be judged again: whether its address was IPv6. */
  isIpv6: boolean;
  /** Number of the event, which identifies repeats; 0 when the view came without one. */
  event: number;
}

const HEADER_BYTES = 8;
/** Format 1, until November 2026, had no class; a migration added it. */
const FORMAT = 2;
const ROW_BYTES = 8 + 8 + 4 + 4 + 4 + 4 + 2;
const CLASS_SHIFT = 10;
const VERIFICATION_SHIFT = 6;
/** The third bit of a verification follows the class: until November 2026 there were two. */
const UNVERIFIED_SHIFT = 14;
const IPV6_BIT = 1 << 15;
const JUDGED_BITS = (3 << VERIFICATION_SHIFT) | (15 << CLASS_SHIFT) | (1 << UNVERIFIED_SHIFT) | IPV6_BIT;

interface Columns {
  visitor: Float64Array;
  event: Float64Array;
  timeOfDay: Uint32Array;
  page: Uint32Array;
  client: Uint32Array;
  referrer: Uint32Array;
  flags: Uint16Array;
}

function viewColumns(buffer: ArrayBufferLike, start: number, rows: number): Columns {
  const at = start + HEADER_BYTES;
  return {
    visitor: new Float64Array(buffer, at, rows),
    event: new Float64Array(buffer, at + rows * 8, rows),
    timeOfDay: new Uint32Array(buffer, at + rows * 16, rows),
    page: new Uint32Array(buffer, at + rows * 20, rows),
    client: new Uint32Array(buffer, at + rows * 24, rows),
    referrer: new Uint32Array(buffer, at + rows * 28, rows),
    flags: new Uint16Array(buffer, at + rows * 32, rows),
  };
}

/** Encodes views of one day as columns: 34 bytes each. */
export function encodeFacts(facts: readonly Fact[]): Uint8Array {
  const content = new Uint8Array(HEADER_BYTES + facts.length * ROW_BYTES);
  new Uint32Array(content.buffer, 0, 2).set([FORMAT, facts.length]);
  const columns = viewColumns(content.buffer, 0, facts.length);
  for (let index = 0; index < facts.length; index++) {
    const fact = facts[index]!;
    columns.visitor[index] = fact.visitor;
    columns.event[index] = fact.event;
    columns.timeOfDay[index] = fact.timeOfDay;
    columns.page[index] = fact.page;
    columns.client[index] = fact.client;
    columns.referrer[index] = fact.referrer;
    columns.flags[index] =
      fact.source |
      (fact.surface << 2) |
      (fact.preference << 4) |
      (fact.found ? 1 << 8 : 0) |
      (fact.isPrivate ? 1 << 9 : 0) |
      judgementBits(fact);
  }
  return content;
}

export interface FactColumns extends Columns {
  rows: number;
}

export function decodeFacts(content: Uint8Array): FactColumns {
  const aligned = content.byteOffset % 8 === 0 ? content : content.slice();
  const header = new Uint32Array(aligned.buffer, aligned.byteOffset, 2);
  if (header[0] !== FORMAT) throw new Error(`unknown format ${header[0]} of a segment of views`);
  const rows = header[1] ?? 0;
  return { rows, ...viewColumns(aligned.buffer, aligned.byteOffset, rows) };
}

/** One row of decoded columns. */
export function factAt(columns: FactColumns, index: number): Fact {
  const flags = columns.flags[index] ?? 0;
  return {
    timeOfDay: columns.timeOfDay[index] ?? 0,
    page: columns.page[index] ?? 0,
    visitor: columns.visitor[index] ?? 0,
    client: columns.client[index] ?? 0,
    referrer: columns.referrer[index] ?? 0,
    source: flags & 3,
    surface: (flags >> 2) & 3,
    preference: (flags >> 4) & 3,
    verification: storedVerification(flags),
    found: (flags & (1 << 8)) !== 0,
    isPrivate: (flags & (1 << 9)) !== 0,
    isIpv6: (flags & IPV6_BIT) !== 0,
    viewClass: classAt(columns, index),
    event: columns.event[index] ?? 0,
  };
}

/**
 * Rewrites a segment with some of its views judged differently: `judge` returns the new fact, null for those that stay.
 * null when all stay.
 */
export function rewriteFacts(
  content: Uint8Array,
  judge: (fact: Fact) => Pick<Fact, "verification" | "viewClass" | "isIpv6"> | null,
): Uint8Array | null {
  const copy = new Uint8Array(content); // `slice` of a Buffer does not copy
  const columns = decodeFacts(copy);
  let isChanged = false;
  for (let index = 0; index < columns.rows; index++) {
    const judged = judge(factAt(columns, index));
    if (judged === null) continue;
    isChanged = true;
    const rest = (columns.flags[index] ?? 0) & ~JUDGED_BITS;
    columns.flags[index] = rest | judgementBits(judged);
  }
  return isChanged ? copy : null;
}

/** The number of a row's class, without decoding the rest. */
export const classAt = ({ flags }: FactColumns, index: number): number => ((flags[index] ?? 0) >> CLASS_SHIFT) & 15;

const judgementBits = ({ verification, viewClass, isIpv6 }: Pick<Fact, "verification" | "viewClass" | "isIpv6">) =>
  ((verification & 3) << VERIFICATION_SHIFT) |
  ((verification >> 2) << UNVERIFIED_SHIFT) |
  (isIpv6 ? IPV6_BIT : 0) |
  (viewClass << CLASS_SHIFT);

const storedVerification = (flags: number) =>
  ((flags >> VERIFICATION_SHIFT) & 3) | (((flags >> UNVERIFIED_SHIFT) & 1) << 2);

/** Merges several segments of one day. */
export function joinFacts(contents: readonly Uint8Array[]): Uint8Array {
  const parts = contents.map(decodeFacts);
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const content = new Uint8Array(HEADER_BYTES + rows * ROW_BYTES);
  new Uint32Array(content.buffer, 0, 2).set([FORMAT, rows]);
  const columns = viewColumns(content.buffer, 0, rows);
  let at = 0;
  for (const part of parts) {
    columns.visitor.set(part.visitor, at);
    columns.event.set(part.event, at);
    columns.timeOfDay.set(part.timeOfDay, at);
    columns.page.set(part.page, at);
    columns.client.set(part.client, at);
    columns.referrer.set(part.referrer, at);
    columns.flags.set(part.flags, at);
    at += part.rows;
  }
  return content;
}
