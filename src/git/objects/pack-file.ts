import { createHash } from "node:crypto";
import path from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { makeFolder, sync, writeDurably } from "./durable.ts";
import type { NewObject } from "./new-object.ts";

const TYPE_NUMBERS = { commit: 1, tree: 2, blob: 3 } as const;
const FASTEST = { level: 1 };

interface PackEntry {
  oid: Buffer;
  offset: number;
  checksum: number;
}

/** A pack with its index (gitformat-pack(5), version 2 of both), under the name that git would give it. */
export interface ObjectPack {
  name: string;
  pack: readonly Uint8Array[];
  index: readonly Uint8Array[];
}

export function makePack(objects: readonly NewObject[]): ObjectPack {
  const { pieces, entries } = packPieces(objects);
  const trailer = sha1(pieces);
  return { name: trailer.toString("hex"), pack: [...pieces, trailer], index: indexPieces(entries, trailer) };
}

/** Stores a pack in a repository, durably. */
export async function writePack(directory: string, { name, pack, index }: ObjectPack): Promise<void> {
  const folder = path.join(directory, "objects", "pack");
  const file = path.join(folder, `pack-${name}`);
  await makeFolder(folder);
  // Git finds a pack by its index, so the index comes last.
  await writeDurably(`${file}.pack`, pack);
  await writeDurably(`${file}.idx`, index);
  await sync(folder);
}

const sha1 = (pieces: readonly Uint8Array[]): Buffer =>
  pieces.reduce((hash, piece) => hash.update(piece), createHash("sha1")).digest();

function packPieces(objects: readonly NewObject[]): { pieces: Buffer[]; entries: PackEntry[] } {
  const head = Buffer.alloc(12);
  head.write("PACK");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const pieces = [head];
  const entries: PackEntry[] = [];
  let offset = head.length;
  for (const { oid, type, content } of objects) {
    const piece = Buffer.concat([entryHeader(TYPE_NUMBERS[type], content.length), deflateSync(content, FASTEST)]);
    entries.push({ oid: Buffer.from(oid, "hex"), offset, checksum: crc32(piece) });
    pieces.push(piece);
    offset += piece.length;
  }
  // Larger offsets need the index's table of 64-bit offsets; edits are far smaller.
  if (offset >= 2 ** 31) throw new RangeError("The edits are too large to be stored together.");
  return { pieces, entries: entries.sort((a, b) => Buffer.compare(a.oid, b.oid)) };
}

/** Type and size: the type with the lowest 4 bits of the size, then 7 bits per byte, lowest first. */
function entryHeader(type: number, size: number): Buffer {
  const bytes: number[] = [];
  let byte = (type << 4) | (size & 15);
  for (let rest = Math.floor(size / 16); ; rest = Math.floor(rest / 128)) {
    bytes.push(rest > 0 ? byte | 128 : byte);
    if (rest === 0) return Buffer.from(bytes);
    byte = rest & 127;
  }
}

function indexPieces(entries: readonly PackEntry[], packTrailer: Buffer): Buffer[] {
  const head = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
  const fanout = Buffer.alloc(256 * 4);
  for (let first = 0, count = 0; first < 256; first++) {
    while ((entries[count]?.oid[0] ?? 256) <= first) count += 1;
    fanout.writeUInt32BE(count, first * 4);
  }
  const numbers = (pick: (entry: PackEntry) => number) => {
    const table = Buffer.alloc(entries.length * 4);
    for (const [index, entry] of entries.entries()) table.writeUInt32BE(pick(entry), index * 4);
    return table;
  };
  const pieces = [
    head,
    fanout,
    ...entries.map((entry) => entry.oid),
    numbers((entry) => entry.checksum),
    numbers((entry) => entry.offset),
    packTrailer,
  ];
  return [...pieces, sha1(pieces)];
}
