import type { RenderWarning } from "./page.ts";

export type Warn = (line: number | null, message: string) => void;

const MAX_WARNINGS = 100;

/** Collects a page's warnings, without repeats. */
export class Warnings {
  readonly list: RenderWarning[] = [];
  readonly #seen = new Set<string>();

  readonly add: Warn = (line, message) => {
    const key = `${line} ${message}`;
    if (this.#seen.has(key) || this.list.length >= MAX_WARNINGS) return;
    this.#seen.add(key);
    this.list.push({ line, message: message.slice(0, 500) });
  };
}
