/** A fence of code behind the markers of quotes and lists. */
const FENCE = /^((?:[ \t>]|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*)(`{3,}(?![^\n]*`)|~{3,})/;

/** Tracks fences of code from line to line. */
export class Fences {
  #open: { marker: string; indent: number } | null = null;

  /** Whether the next line is inside a fence. */
  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Ends the fence, as the end of a container around it does. Returns its marker; null if no fence is open. */
  end(): string | null {
    const marker = this.#open?.marker ?? null;
    this.#open = null;
    return marker;
  }

  /** Whether the line belongs to a fence, including its first and last line. */
  covers(text: string): boolean {
    const [, prefix = "", marker] = FENCE.exec(text.slice(0, 1_000)) ?? [];
    if (this.#open === null) {
      if (marker === undefined) return false;
      // The column of the fence: its last line is indented by the width of the list markers before the first.
      this.#open = { marker, indent: indentOf(`${prefix.replaceAll(/[^\t]/g, " ")}|`) };
      return true;
    }
    const isNear = indentOf(text) <= this.#open.indent + 3;
    const isBare = /^[ \t>]*[`~]+\s*$/.test(text);
    if (isNear && isBare && marker?.startsWith(this.#open.marker)) this.#open = null;
    return true;
  }
}

/** Columns of white space at the start of a line; a tab extends to the next multiple of four. */
export function indentOf(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (character === " ") columns += 1;
    else if (character === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}
