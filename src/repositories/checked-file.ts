import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

/** Bytes of the checksum that ends packs and their indexes (gitformat-pack(5)). */
const CHECKSUM_BYTES = 20;

/** A new file of a known size that ends with the SHA-1 of what comes before. */
export async function openChecked(file: string, sizeBytes: number) {
  const handle = await open(file, "wx", 0o444);
  const hash = createHash("sha1");
  let size = 0;
  let end = Buffer.alloc(0);
  return {
    /** Writes what belongs into the file, and answers with what comes after it. */
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
    /** Flushes it. */
    async close() {
      await handle.sync();
      await handle.close();
    },
    isWhole: () => size === sizeBytes,
    /** What it ends with, once it is whole; null where that is not its checksum. */
    checksum(): string | null {
      const told = end.toString("hex");
      return hash.digest("hex") === told ? told : null;
    },
  };
}
