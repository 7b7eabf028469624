import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

/** Bytes of the checksum that ends packs and their indexes (gitformat-pack(5)). */
const CHECKSUM_BYTES = 20;

/** Creates a file of a known size that ends with the SHA-1 of its preceding bytes. */
export async function openChecked(file: string, sizeBytes: number) {
  const handle = await open(file, "wx", 0o444);
  const hash = createHash("sha1");
  let size = 0;
  let end = Buffer.alloc(0);
  return {
    /** Writes up to the file's size and returns the bytes that remain. */
    async write(bytes: Uint8Array): Promise<Uint8Array> {
      const own = bytes.subarray(0, sizeBytes - size);
      size += own.length;
      const joined = Buffer.concat([end, own]);
      const hashed = Math.max(0, joined.length - CHECKSUM_BYTES);
      hash.update(joined.subarray(0, hashed));
      end = joined.subarray(hashed);
      await handle.writeFile(own);
      return bytes.subarray(own.length);
    },
    /** Flushes and closes the file. */
    async close() {
      await handle.sync();
      await handle.close();
    },
    isWhole: () => size === sizeBytes,
    /** The trailing checksum of a complete file; null if it does not match the content. */
    checksum(): string | null {
      const recorded = end.toString("hex");
      return hash.digest("hex") === recorded ? recorded : null;
    },
  };
}
