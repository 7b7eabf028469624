import type { ProblemCode } from "#docs/problems.ts";
import type { RenderWarning } from "./page.ts";

/** `line` is in the page's file, or in the space of lines of all files of the page (`source-lines.ts`). */
export type Warn = (line: number | null, message: string, code: ProblemCode) => void;

const MAX_WARNINGS = 100;
/** Then only the first of each message, so that one cause in a page made by a program does not hide the others. */
const MAX_WITH_OTHER_CAUSES = 200;
const MAX_SEEN = 10_000;

/** Collects a page's warnings, without repeats; beyond a bound only their number. */
export class Warnings {
  readonly #list: RenderWarning[] = [];
  readonly #seen = new Set<string>();
  readonly #messages = new Set<string>();
  #more = 0;

  add(at: Pick<RenderWarning, "path" | "line">, message: string, code: ProblemCode): void {
    const key = `${at.path} ${at.line} ${message}`;
    if (this.#seen.has(key)) return;
    if (this.#seen.size < MAX_SEEN) this.#seen.add(key);
    if (this.#list.length >= (this.#messages.has(message) ? MAX_WARNINGS : MAX_WITH_OTHER_CAUSES)) {
      this.#more += 1;
      return;
    }
    this.#messages.add(message);
    this.#list.push({ ...at, code, message: message.slice(0, 500) });
  }

  all(): RenderWarning[] {
    if (this.#more === 0) return this.#list;
    const message = `The page has at least ${this.#more} more warnings.`;
    return [...this.#list, { path: null, line: null, code: "more", message }];
  }
}
