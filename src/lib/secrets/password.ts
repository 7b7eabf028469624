import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

export const MIN_PASSWORD = 8;
export const MAX_PASSWORD = 200;

export const isUsablePassword = (text: string): boolean => text.length >= MIN_PASSWORD && text.length <= MAX_PASSWORD;

/** Whether a password is among the 49,000 that leaks show most often. NIST SP 800-63B-4, 3.1.1.2: they are refused. */
export async function isCommonPassword(text: string): Promise<boolean> {
  // On demand: it is read in 40 ms, and few processes set passwords.
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return dictionary["passwords-common"].includes(text.normalize("NFKC").trim().toLowerCase());
}

// RFC 7914; 32 MB and some 60 ms a guess (OWASP's second choice of 2025, N=2^15).
const COST = { N: 2 ** 15, r: 8, p: 1 };
const KEY_BYTES = 32;

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // NFKC: the same password whatever keyboard typed it.
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, { ...COST, maxmem: 64 * 1024 * 1024 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** The hash that is stored instead of a password. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `scrypt$15$8$1$${salt.toString("base64url")}$${(await derive(password, salt)).toString("base64url")}`;
}

/** Whether a password matches a hash. Takes equally long for every password. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, salt, key] = /^scrypt\$15\$8\$1\$([\w-]+)\$([\w-]+)$/.exec(hash) ?? [];
  if (salt === undefined || key === undefined) return false;
  const wanted = Buffer.from(key, "base64url");
  const given = await derive(password, Buffer.from(salt, "base64url"));
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}
