import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import path from "node:path";
import { createInflate } from "node:zlib";
import { pipeline } from "node:stream/promises";

/**
 * Whether a file of git's objects has the content that it should, as in gitformat-pack(5) and gitformat-loose(5): a pack ends with
 * the SHA-1 of what precedes it, a loose object is named by that of its inflated bytes. Other files, such as indexes, can be
 * made again and count as intact. Reads the whole file.
 */
export async function isIntactObject(file: string): Promise<boolean> {
  const [, group, rest] = /\/([0-9a-f]{2})\/([0-9a-f]{38})$/.exec(file) ?? [];
  if (group !== undefined) return (await inflatedHash(file)) === `${group}${rest}`;
  return path.extname(file) !== ".pack" || (await isIntactPack(file));
}

const TRAILER_BYTES = 20;

async function isIntactPack(file: string): Promise<boolean> {
  const hash = createHash("sha1");
  let held = Buffer.alloc(0);
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    const whole = Buffer.concat([held, chunk]);
    const end = Math.max(0, whole.length - TRAILER_BYTES);
    hash.update(whole.subarray(0, end));
    held = whole.subarray(end);
  }
  return hash.digest().equals(held);
}

/** Null if it cannot be inflated. */
async function inflatedHash(file: string): Promise<string | null> {
  const hash = createHash("sha1");
  try {
    await pipeline(createReadStream(file), createInflate(), hash);
    return hash.digest("hex");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error; // the file is gone, or the disk cannot read it
    return null;
  }
}
