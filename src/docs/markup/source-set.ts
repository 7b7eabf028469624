import { trimEndOf } from "#lib/trim.ts";

/** One picture of a `srcset`. */
export interface SourceCandidate {
  address: string;
  /** ` 2x` or ` 640w`, empty where there is none; null for what HTML does not know. */
  condition: string | null;
  /** Offset of the address in the attribute's text. */
  start: number;
}

const MAX_CANDIDATES = 50;

/**
 * The pictures of a `srcset`, as the HTML standard splits it: an address runs to the next white space, and a comma at its
 * end ends the candidate.
 */
export function sourceCandidates(text: string): SourceCandidate[] {
  const found: SourceCandidate[] = [];
  const candidate = /[\s,]*([^\s,]\S*)([^,]*)/gy;
  for (
    let match = candidate.exec(text);
    match !== null && found.length < MAX_CANDIDATES;
    match = candidate.exec(text)
  ) {
    const [whole, written = "", behind = ""] = match;
    const address = trimEndOf(written, ",");
    const start = match.index + whole.length - behind.length - written.length;
    // A comma behind the address: what follows is the next candidate.
    if (address !== written) candidate.lastIndex = start + written.length;
    const condition = address === written ? behind.trim() : "";
    const isKnown = /^(?:[\d.]{1,8}[wx])?$/.test(condition);
    found.push({ address, condition: !isKnown ? null : condition === "" ? "" : ` ${condition}`, start });
  }
  return found;
}
