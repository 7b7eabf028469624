import { createHash, createHmac, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX = "docent_";
const RANDOM_LENGTH = 32; // 32 × log2(62) = 190 bits
const CHECKSUM_LENGTH = 6; // 62^6 > 2^32, so the whole CRC-32 fits

/** Matches the shape of a key; for secret scanners. The checksum is what tells a real key from a look-alike. */
export const API_KEY_PATTERN = /docent_[0-9A-Za-z]{38}(?![0-9A-Za-z])/;

/**
 * A new API key: `docent_`, 32 random base62 characters and the CRC-32 of all that in 6 base62 characters,
 * the layout of GitHub's token format of 2021.
 */
export function generateApiKey(source: (length: number) => Uint8Array = randomBytes): string {
  let random = "";
  while (random.length < RANDOM_LENGTH) {
    // 248 = 4 × 62: bytes above it would favour the first characters.
    for (const byte of source(RANDOM_LENGTH))
      if (byte < 248 && random.length < RANDOM_LENGTH) random += ALPHABET[byte % 62];
  }
  return PREFIX + random + checksum(PREFIX + random);
}

/**
 * The key that a secret of this server makes of a nonce, the same each time: a request that is repeated can be answered with
 * it though only its hash is stored. `nonce` is as unguessable as the key.
 */
export function derivedApiKey(secret: Uint8Array, nonce: string): string {
  let block = 0;
  return generateApiKey(() =>
    createHmac("sha256", secret)
      .update(`${nonce} ${(block += 1)}`)
      .digest(),
  );
}

/** Whether `key` can be one of ours at all; a typo is told without asking the store. */
export function isWellFormedApiKey(key: string): boolean {
  if (key.length !== PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH || !key.startsWith(PREFIX)) return false;
  return checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);
}

/** What is stored in place of the key. Plain SHA-256 is enough: 190 random bits cannot be guessed. */
export function hashApiKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

function checksum(text: string): string {
  let value = crc32(text);
  let digits = "";
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    digits = ALPHABET[value % 62]! + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}
