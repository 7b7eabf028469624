import { crc32 } from "node:zlib";
import type { JournalRecord } from "./view-record.ts";

const HEADER_BYTES = 8;
const MAX_RECORD_BYTES = 64 * 1024;

/** Records as they lie in a segment, each: length and CRC-32 (little endian, 4 bytes each), then JSON. */
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
 * The records of `bytes` from their start. `ends[n]` is where record n ends and `end` where the last whole one does;
 * `isDamaged` says that what follows is not merely cut off but wrong.
 */
export function decodeFrames(bytes: Buffer, maxRecords: number) {
  const records: JournalRecord[] = [];
  const ends: number[] = [];
  let end = 0;
  let isDamaged = false;
  while (records.length < maxRecords && end + HEADER_BYTES <= bytes.length) {
    const size = bytes.readUInt32LE(end);
    if (size === 0 || size > MAX_RECORD_BYTES) {
      isDamaged = true;
      break;
    }
    const next = end + HEADER_BYTES + size;
    if (next > bytes.length) break;
    const content = bytes.subarray(end + HEADER_BYTES, next);
    if (crc32(content) !== bytes.readUInt32LE(end + 4)) {
      isDamaged = true;
      break;
    }
    records.push(JSON.parse(content.toString("utf8")) as JournalRecord); // our own writing, checked by its sum
    end = next;
    ends.push(end);
  }
  return { records, ends, end, isDamaged };
}
