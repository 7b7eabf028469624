import { trimEndOf } from "#lib/trim.ts";

/** One image of a `srcset`. */
export interface SourceCandidate {
  address: string;
  /** ` 2x` or ` 640w`, empty if absent; null if HTML does not define it. */
  condition: string | null;
  /** Offset of the address in the attribute's text. */
  start: number;
}

/**
 * The images of a `srcset`, split as in the HTML standard: an address extends to the next white space, and a comma at its end
 * ends the candidate.
 */
export function sourceCandidates(text: string): SourceCandidate[] {
  const found: SourceCandidate[] = [];
  const candidate = /[\s,]*([^\s,]\S*)([^,]*)/gy;
  for (let match = candidate.exec(text); match !== null; match = candidate.exec(text)) {
    const [whole, written = "", behind = ""] = match;
    const address = trimEndOf(written, ",");
    const start = match.index + whole.length - behind.length - written.length;
    // A comma after the address: the next candidate follows.
    if (address !== written) candidate.lastIndex = start + written.length;
    const condition = address === written ? behind.trim() : "";
    const isKnown = /^(?:[\d.]{1,8}[wx])?$/.test(condition);
    found.push({ address, condition: !isKnown ? null : condition === "" ? "" : ` ${condition}`, start });
  }
  return found;
}
