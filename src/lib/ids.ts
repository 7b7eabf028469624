import { createHash, randomUUID } from "node:crypto";

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type ProjectId = Branded<"ProjectId">;
export type JobId = Branded<"JobId">;
export type SourceId = Branded<"SourceId">;
export type PersonId = Branded<"PersonId">;

type Prefix =
  | "prj"
  | "job"
  | "key"
  | "evt"
  | "req"
  | "whk"
  | "dlv"
  | "aut"
  | "ses"
  | "wrk"
  | "node"
  | "pr"
  | "app"
  | "src"
  | "fbk"
  | "dep"
  | "upd"
  | "usr"
  | "inv"
  | "aud"
  | "mail"
  | "cmt"
  | "thr";

// Crockford's base32 in lower case: no i, l, o, u, and its order is the byte order, so ids sort by time.
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A new sortable identifier: `prefix_` and a UUIDv7 (RFC 9562) in 26 characters of base32.
 * Callers outside treat it as opaque.
 */
export function newId(prefix: Prefix, now: Date = new Date()): string {
  // Each answer has one: Node draws random bytes for many UUIDs at once, and big integers would take most of the time.
  const bytes = Buffer.from(randomUUID().replaceAll("-", ""), "hex"); // version 4 has its variant where 7 has it
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  let text = "";
  let bits = 0;
  let count = 2; // 26 characters are 130 bits: two zeros are in front
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    count += 8;
    for (; count >= 5; count -= 5) text += ALPHABET[(bits >> (count - 5)) & 31]!;
    bits &= 31;
  }
  return `${prefix}_${text}`;
}

const TIME_CHARACTERS = 10;

/**
 * An identifier derived from a text and another identifier, with the same timestamp: always the same for the same pair.
 */
export function derivedId(id: string, text: string): string {
  const split = id.indexOf("_") + 1 + TIME_CHARACTERS;
  const hash = createHash("sha256").update(`${id}\0${text}`).digest();
  return id.slice(0, split) + [...hash.subarray(0, 16)].map((byte) => ALPHABET[byte & 31]).join("");
}

export const newProjectId = (now?: Date): ProjectId => newId("prj", now) as ProjectId;
export const newSourceId = (now?: Date): SourceId => newId("src", now) as SourceId;
export const newPersonId = (now?: Date): PersonId => newId("usr", now) as PersonId;
export const newJobId = (now?: Date): JobId => newId("job", now) as JobId;
