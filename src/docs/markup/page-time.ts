/** The CPU time that a page may take for one of its parts, such as colors. Once it is over, it is over for the rest of the page. */
export interface PageTime {
  /** Resets the time limit for a new page. */
  startPage(): void;
  /** Whether parts of this page were skipped at the time limit; the next attempt gets further. */
  ranOut(): boolean;
}

/** `now` returns milliseconds of CPU time: on a busy machine a page must not look different. */
export function createPageTime(now: () => number, limitMs: number): PageTime & { hasTime(): boolean } {
  let deadline = 0;
  let isOver = false;
  return {
    startPage() {
      deadline = now() + limitMs;
      isOver = false;
    },
    hasTime() {
      isOver ||= now() > deadline;
      return !isOver;
    },
    ranOut: () => isOver,
  };
}
