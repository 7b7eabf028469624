import { crc32 } from "node:zlib";
import type { JournalRecord } from "./view-record.ts";

const HEADER_BYTES = 8;
const MAX_RECORD_BYTES = 64 * 1024;

/** A record as it lies in a segment: length and CRC-32 (little endian, 4 bytes each), then JSON. */
export function encodeFrame(record: JournalRecord): Buffer {
  const text = JSON.stringify(record);
  const size = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + size);
  frame.write(text, HEADER_BYTES);
  frame.writeUInt32LE(size, 0);
  frame.writeUInt32LE(crc32(frame.subarray(HEADER_BYTES)), 4);
  return frame;
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
