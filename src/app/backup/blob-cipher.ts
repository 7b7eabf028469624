import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import type { Secret } from "#lib/secrets/secret.ts";

/** Names and encrypts the files of a backup folder. */
export interface BlobCipher {
  /** The name of a blob, derived from its content, so that equal blobs are stored once. */
  nameOf(content: Uint8Array): string;
  /** `place` is authenticated: a file that was moved elsewhere cannot be opened. */
  seal(content: Uint8Array, place: string): Uint8Array;
  /** Null if the bytes are damaged, moved, or sealed with another passphrase. */
  open(bytes: Uint8Array, place: string): Buffer | null;
}

export const plainCipher: BlobCipher = {
  nameOf: (content) => createHash("sha256").update(content).digest("hex"),
  seal: (content) => content,
  open: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
};

/** RFC 7914: each guess of a passphrase takes 128 MiB and about half a second. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const newSalt = (): Buffer => randomBytes(KEY_BYTES);

/**
 * AES-256-GCM. Names are an HMAC, because a plain hash would let an attacker test whether the backup has a known
 * content.
 */
export async function createPassphraseCipher(passphrase: Secret, salt: Uint8Array): Promise<BlobCipher> {
  const derive = promisify<string, Uint8Array, number, typeof SCRYPT, Buffer>(scrypt);
  const keys = await derive(passphrase.reveal(), salt, 2 * KEY_BYTES, SCRYPT);
  const [sealing, naming] = [keys.subarray(0, KEY_BYTES), keys.subarray(KEY_BYTES)];
  return {
    nameOf: (content) => createHmac("sha256", naming).update(content).digest("hex"),
    seal(content, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", sealing, nonce).setAAD(Buffer.from(place));
      return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
    },
    open(bytes, place) {
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv("aes-256-gcm", sealing, bytes.subarray(0, NONCE_BYTES));
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      } catch {
        return null;
      }
    },
  };
}
