import { createHash, createHmac, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX = "docent_";
const RANDOM_LENGTH = 32; // 32 × log2(62) = 190 bits
const CHECKSUM_LENGTH = 6; // 62^6 > 2^32, so the whole CRC-32 fits

/** Matches the format of a key, for secret scanners. Only the checksum tells a key from a similar text. */
export const API_KEY_PATTERN = /docent_[0-9A-Za-z]{38}(?![0-9A-Za-z])/;

/**
 * Generates an API key: `docent_`, 32 random base62 characters and the CRC-32 of both as 6 base62 characters. This is
 * the layout of GitHub's token format of 2021.
 */
export function generateApiKey(source: (length: number) => Uint8Array = randomBytes): string {
  let random = "";
  while (random.length < RANDOM_LENGTH) {
    // 248 = 4 × 62: larger bytes would make the first characters more likely.
    for (const byte of source(RANDOM_LENGTH))
      if (byte < 248 && random.length < RANDOM_LENGTH) random += ALPHABET[byte % 62];
  }
  return PREFIX + random + checksum(PREFIX + random);
}

/**
 * Derives a key from a secret of this server and a nonce. Deterministic, so that a repeated request can be answered
 * although only the hash is stored. `nonce` must be as hard to guess as the key.
 */
export function derivedApiKey(secret: Uint8Array, nonce: string): string {
  let block = 0;
  return generateApiKey(() =>
    createHmac("sha256", secret)
      .update(`${nonce} ${(block += 1)}`)
      .digest(),
  );
}

/** Checks the format and the checksum, which finds a typing error without a query. */
export function isWellFormedApiKey(key: string): boolean {
  if (key.length !== PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH || !key.startsWith(PREFIX)) return false;
  return checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);
}

/** The stored hash. Plain SHA-256 is enough: 190 random bits cannot be guessed. */
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
