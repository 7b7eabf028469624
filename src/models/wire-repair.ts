import { ModelCallError } from "./failure.ts";

export type WireJson = Record<string, unknown>;

/** How the answers of one protocol are repaired before the SDK reads them. */
export interface WireProtocol {
  /** A repair for one stream. */
  stream(): StreamRepair;
  /** Repairs an answer that is not streamed. */
  answer(json: WireJson): WireJson;
}

export interface StreamRepair {
  /** Repairs one event; null drops it. */
  event(json: WireJson): WireJson | null;
  /** An event to insert before the end of the stream if the server left it out. */
  beforeEnd?(): WireJson | null;
}

// Real models send up to a hundred; the SDK takes seconds and a gigabyte for ten thousand.
const MAX_PARTS = 1_000;

export function refuseTooMany(count: number): void {
  if (count <= MAX_PARTS) return;
  const message = `the answer had more than ${MAX_PARTS} parts`;
  throw new ModelCallError("model_error", message, { retryable: false });
}

export function jsonObject(text: string): WireJson | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as WireJson) : null;
  } catch {
    return null;
  }
}

export const objectOf = (value: unknown): WireJson =>
  typeof value === "object" && value !== null ? (value as WireJson) : {};
