import type { Config } from "#app/instance/config.ts";
import type { Database } from "#db/database.ts";

/** The result of one check. `advice` says what to do about a warning or a problem. */
export interface Diagnosis {
  /** Name of the check: `repositories`, `disk`. */
  check: string;
  state: "ok" | "warning" | "problem";
  words: string;
  advice: string | null;
}

/** Input of the checks. They change nothing and print no secrets. */
export interface DoctorInput {
  config: Config;
  database: Database;
  /** Address of the running server; null when none runs. */
  server: string | null;
  now: Date;
  /** Reads all objects and indexes, which takes minutes in a large store. */
  full: boolean;
  signal: AbortSignal;
  progress(words: string): void;
}

export const diagnose = {
  ok: (check: string, words: string): Diagnosis => ({ check, state: "ok", words, advice: null }),
  warning: (check: string, words: string, advice: string | null): Diagnosis => ({
    check,
    state: "warning",
    words,
    advice,
  }),
  problem: (check: string, words: string, advice: string | null): Diagnosis => ({
    check,
    state: "problem",
    words,
    advice,
  }),
};

const SHOWN = 10;

/** The first findings of a list; the last one says how many more there are. */
export function firstOf(findings: readonly Diagnosis[]): Diagnosis[] {
  const [shown, rest] = [findings.slice(0, SHOWN), findings.slice(SHOWN)];
  const [next] = rest;
  return next ? [...shown, { ...next, words: `${next.words} (and ${rest.length - 1} more)` }] : shown;
}

/** `3 projects`, `1 project`. */
export const countOf = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** `41 MB`, `1.5 GB`. */
export const sizeOf = (bytes: number): string =>
  bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

export function age(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return countOf(minutes, "minute");
  return minutes < 48 * 60 ? countOf(Math.round(minutes / 60), "hour") : countOf(Math.round(minutes / 1_440), "day");
}
