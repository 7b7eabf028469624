import type { Json, JsonObject } from "#docs/json-document.ts";
import type { ProblemList } from "#docs/problems.ts";
import { Computed } from "./computed.ts";

/** Per file: a list that is referenced repeatedly, by YAML aliases or names of a program, counts each time. */
const MAX_VALUES = 200_000;
const MAX_DEPTH = 40;

interface Reading {
  problems: ProblemList;
  left: number;
  /** Computed values that were reported, so that each is reported once. */
  reported: Set<Computed>;
}

/**
 * A value of a tool's configuration, in whatever language that is written. Reads are lenient: a value of another type is
 * absent. Reading a value that only a program can compute reports a problem with its place.
 */
export class Data {
  readonly #value: unknown;
  readonly #reading: Reading;
  readonly #name: string;
  readonly #depth: number;

  private constructor(value: unknown, reading: Reading, at: { name: string; depth: number }) {
    this.#value = at.depth > MAX_DEPTH ? undefined : value;
    this.#reading = reading;
    this.#name = at.name;
    this.#depth = at.depth;
  }

  static of(value: unknown, problems: ProblemList): Data {
    return new Data(value, { problems, left: MAX_VALUES, reported: new Set() }, { name: "", depth: 0 });
  }

  /** The same configuration with another value: the argument of a wrapper. */
  with(value: unknown): Data {
    return new Data(value, this.#reading, { name: this.#name, depth: this.#depth + 1 });
  }

  /** The value itself; undefined, with a problem, if it is computed. */
  get value(): unknown {
    if (!(this.#value instanceof Computed)) return this.#value;
    const { problems, reported } = this.#reading;
    if (reported.has(this.#value)) return undefined;
    reported.add(this.#value);
    const what = this.#name === "" ? "The configuration" : `"${this.#name}"`;
    problems.warning(this.#value.place, `${what} is computed by a program, which Docent does not run. It is left out.`);
    return undefined;
  }

  /** Reports a computed value as a problem without reading it. */
  report(): void {
    void this.value;
  }

  /** The value, without a problem if it is computed. */
  get raw(): unknown {
    return this.#value;
  }

  get(key: string): Data {
    const value = this.value;
    const name = this.#name === "" ? key : `${this.#name}.${key}`;
    const child = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    return new Data(child, this.#reading, { name, depth: this.#depth + 1 });
  }

  at(...keys: readonly string[]): Data {
    return keys.reduce<Data>((data, key) => data.get(key), this);
  }

  has(key: string): boolean {
    return isRecord(this.#value) && this.#value[key] !== undefined && this.#value[key] !== null;
  }

  text(): string | null {
    const value = this.value;
    return typeof value === "string" || typeof value === "number" ? String(value) : null;
  }

  /** The value if it is a string; an object or a computed value is null without a problem. */
  plainText(): string | null {
    return typeof this.#value === "string" ? this.#value : null;
  }

  flag(): boolean | null {
    const value = this.value;
    return typeof value === "boolean" ? value : null;
  }

  /** In a YAML file, a number such as `1.0` is kept as text. */
  number(): number | null {
    const value = this.value;
    if (typeof value === "string" && /^[-+]?\d{1,15}(?:\.\d{0,15})?$/.test(value)) return Number(value);
    return typeof value === "number" ? value : null;
  }

  get isObject(): boolean {
    return isRecord(this.#value);
  }

  get isList(): boolean {
    return Array.isArray(this.#value);
  }

  /** The elements of a list, without computed ones, which are reported; empty if it is not a list. */
  list(): Data[] {
    const value = this.value;
    if (!Array.isArray(value) || !this.#take(value.length)) return [];
    return (value as unknown[])
      .map((each) => new Data(each, this.#reading, { name: this.#name, depth: this.#depth + 1 }))
      .filter((each) => !(each.raw instanceof Computed) || each.value !== undefined);
  }

  texts(): string[] {
    return this.list().flatMap((each) => each.text() ?? []);
  }

  entries(): [string, Data][] {
    const value = this.value;
    if (!isRecord(value)) return [];
    const keys = Object.keys(value);
    return this.#take(keys.length) ? keys.map((key) => [key, this.get(key)]) : [];
  }

  #take(count: number): boolean {
    this.#reading.left -= count;
    return this.#reading.left >= 0;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Computed);
}

/** Settings as those of a `docs.json`, without absent entries. */
export function present(values: Readonly<Record<string, Json | null | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, Json] => entry[1] !== null && entry[1] !== undefined),
  );
}
