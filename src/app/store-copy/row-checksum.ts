import { createHash, hash } from "node:crypto";
import type { StoredRow, StoredValue } from "./table-store.ts";

/** A checksum over rows in any order, as two engines sort text differently: the sum of the rows' SHA-256, cut to 128 bits. */
export interface RowChecksum {
  add(row: StoredRow): void;
  /** 32 hexadecimal digits. */
  text(): string;
}

const MODULUS = 1n << 128n;

export function createRowChecksum(): RowChecksum {
  let sum = 0n;
  return {
    add(row) {
      const digest = digestOf(row);
      sum += (digest.readBigUInt64BE(0) << 64n) | digest.readBigUInt64BE(8);
    },
    text: () => (sum % MODULUS).toString(16).padStart(32, "0"),
  };
}

/** One call for a row without bytes, which nearly all are: a third of the time. */
function digestOf(row: StoredRow): Buffer {
  if (!row.some((value) => value instanceof Uint8Array)) return hash("sha256", row.map(encoded).join(""), "buffer");
  const whole = createHash("sha256");
  for (const value of row) {
    if (value instanceof Uint8Array) whole.update(`b${value.length}:`).update(value);
    else whole.update(encoded(value));
  }
  return whole.digest();
}

/** Kind, length and content, so that no two rows are written alike. */
function encoded(value: StoredValue): string {
  if (value === null) return "n";
  const text = String(value);
  return `${typeof value === "string" ? "s" : "i"}${text.length}:${text}`;
}
