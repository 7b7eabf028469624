import { crc32 } from "node:zlib";
import type { JournalRecord } from "#features/visitors/view-record.ts";

const HEADER_BYTES = 8;
const MAX_RECORD_BYTES = 64 * 1024;
const OPENING = "{".charCodeAt(0);

/** The format of a segment. Each record has length and CRC-32 (little endian, 4 bytes each), then JSON. */
export function encodeFrames(records: readonly JournalRecord[]): Buffer {
  const texts = records.map((record) => JSON.stringify(record));
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + HEADER_BYTES + size, 0));
  let start = 0;
  for (const [index, text] of texts.entries()) {
    const size = sizes[index]!;
    const end = start + HEADER_BYTES + size;
    bytes.write(text, start + HEADER_BYTES);
    bytes.writeUInt32LE(size, start);
    bytes.writeUInt32LE(crc32(bytes.subarray(start + HEADER_BYTES, end)), start + 4);
    start = end;
  }
  return bytes;
}

/**
 * Bytes between records. A crash leaves `zeros` (unwritten space) and `torn` (a truncated record) at the end of a
 * segment. `damaged` was once valid.
 */
export interface Gap {
  kind: "zeros" | "torn" | "damaged";
  start: number;
  end: number;
}

export interface Frames {
  records: JournalRecord[];
  /** `starts[n]` and `ends[n]` are the bounds of record n. */
  starts: number[];
  ends: number[];
  gaps: Gap[];
  /** Everything before this is decoded: after it, an incomplete record begins. */
  end: number;
}

/**
 * Decodes the records of `bytes` from the start. After a damaged record it continues with the next valid one. No record
 * can contain bytes that look like another: JSON has no zero byte, and the length of each record does. `isEnd`: nothing
 * follows `bytes`.
 */
export function decodeFrames(bytes: Buffer, { maxRecords, isEnd }: { maxRecords: number; isEnd: boolean }): Frames {
  const frames: Frames = { records: [], starts: [], ends: [], gaps: [], end: 0 };
  while (frames.records.length < maxRecords && frames.end < bytes.length) {
    const frame = readFrame(bytes, frames.end);
    if (frame === "cut off" && !isEnd) break;
    if (typeof frame === "object") {
      frames.records.push(frame.record);
      frames.starts.push(frames.end);
      frames.ends.push(frame.end);
      frames.end = frame.end;
      continue;
    }
    const next = findFrame(bytes, frames.end + 1, isEnd);
    const isLast = next === bytes.length && isEnd;
    frames.gaps.push({ kind: isLast ? kindOfEnd(bytes, frames.end, frame) : "damaged", start: frames.end, end: next });
    frames.end = next;
  }
  return frames;
}

type Frame = { record: JournalRecord; end: number } | "bad" | "cut off";

function readFrame(bytes: Buffer, start: number): Frame {
  if (start + HEADER_BYTES > bytes.length) return "cut off";
  const size = bytes.readUInt32LE(start);
  if (size === 0 || size > MAX_RECORD_BYTES) return "bad";
  const end = start + HEADER_BYTES + size;
  if (end > bytes.length) return "cut off";
  const content = bytes.subarray(start + HEADER_BYTES, end);
  if (crc32(content) !== bytes.readUInt32LE(start + 4)) return "bad";
  try {
    return { record: JSON.parse(content.toString("utf8")) as JournalRecord, end }; // written by us, and verified by its checksum
  } catch {
    return "bad";
  }
}

/**
 * Finds the start of the next valid record, or of one that may be valid once the rest is read. Checksums are computed
 * only for a plausible length followed by a brace, so that the search is one pass over the bytes.
 */
function findFrame(bytes: Buffer, from: number, isEnd: boolean): number {
  for (let at = from + HEADER_BYTES; ; at++) {
    at = bytes.indexOf(OPENING, at);
    if (at < 0) break;
    const frame = readFrame(bytes, at - HEADER_BYTES);
    if (typeof frame === "object" || (frame === "cut off" && !isEnd)) return at - HEADER_BYTES;
  }
  // The last bytes may contain the header of a record without its brace.
  return isEnd ? bytes.length : Math.max(from, bytes.length - HEADER_BYTES);
}

function kindOfEnd(bytes: Buffer, start: number, frame: "bad" | "cut off"): Gap["kind"] {
  const rest = bytes.subarray(start);
  if (rest.every((byte) => byte === 0)) return "zeros";
  return frame === "cut off" ? "torn" : "damaged";
}
