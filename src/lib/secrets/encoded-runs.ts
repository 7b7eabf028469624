/** A piece of text that may hold other text in base64 or hexadecimal. */
export interface EncodedRun {
  start: number;
  end: number;
  /** Its possible decodings: one for each offset at which its groups of characters may begin. */
  readings: Buffer[];
}

const BASE64 = /[A-Za-z0-9+/_-]{8,}={0,2}/g;
const HEXADECIMAL = /[0-9A-Fa-f]{16,}/g;
// Excludes words and paths: sixteen bytes in base64 lack a capital once in a hundred million times.
const HAS_CAPITAL = /[A-Z]/;

/** The runs of a text that could encode at least `bytes` bytes in base64 (either alphabet) or hexadecimal. Linear. */
export function* encodedRuns(text: string, bytes: number): Iterable<EncodedRun> {
  for (const match of text.matchAll(HEXADECIMAL)) {
    if (match[0].length < bytes * 2) continue;
    yield runOf(match, [0, 1].map((skip) => Buffer.from(even(match[0].slice(skip)), "hex"))); // oxfmt-ignore
  }
  for (const match of text.matchAll(BASE64)) {
    if (match[0].length < Math.ceil((bytes * 4) / 3) || !HAS_CAPITAL.test(match[0])) continue;
    yield runOf(match, [0, 1, 2, 3].map((skip) => Buffer.from(match[0].slice(skip), "base64"))); // oxfmt-ignore
  }
}

const even = (digits: string) => digits.slice(0, digits.length - (digits.length % 2));

const runOf = (match: RegExpExecArray, readings: Buffer[]): EncodedRun => ({
  start: match.index,
  end: match.index + match[0].length,
  readings,
});
