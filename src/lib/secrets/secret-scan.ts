import { createSpanFinder, type SecretSpan } from "./secret-spans.ts";
import type { Secret } from "./secret.ts";

export interface SecretFinding {
  /** A label for people: `GitHub token`, `private key`, `configured secret` … */
  kind: string;
  /** From 1. */
  line: number;
  /** The line with every secret in it masked, at most 160 characters. */
  excerptRedacted: string;
  /**
   * Digests of the credentials in it (several, where they overlap). Equal digests mean the same credential in any
   * encoding.
   */
  digests: readonly string[];
}

export interface SecretScanner {
  /** Every secret in the text, in order. A match of several kinds is reported once. */
  findSecrets(text: string): SecretFinding[];
  /**
   * The text with every secret replaced by `[redacted]`, its lines kept. A text without secrets is returned as the same
   * string.
   */
  redact: Redact;
}

/** `instead` returns the replacement of a secret (its line ends included) where that is not `[redacted]`. */
export type Redact = (text: string, instead?: (secret: string, start: number) => string) => string;

interface Place extends Omit<SecretSpan, "digest"> {
  digests: string[];
}

/** The replacement for a secret. */
export const SECRET_MASK = "[redacted]";
const EXCERPT_CHARACTERS = 160;

/**
 * Finds the given secrets and credentials of well-known shape: in plain text, escaped, in base64 and hexadecimal, and
 * between invisible characters. Linear in the length of the text.
 */
export function createSecretScanner(known: Iterable<Secret> = []): SecretScanner {
  const spansOf = createSpanFinder(known);
  return {
    redact(text, instead) {
      const places = merge(spansOf(text, { isThorough: false }));
      return places.length === 0 ? text : mask(text, places, instead);
    },
    findSecrets: (text) => findings(text, merge(spansOf(text, { isThorough: true }))),
  };
}

const byPattern = createSecretScanner();
/** `createSecretScanner` without known secrets: by shape alone. */
export const findSecrets = (text: string): SecretFinding[] => byPattern.findSecrets(text);
export const redact: Redact = (text, instead) => byPattern.redact(text, instead);

/** In order and without overlap; the earlier, then the longer span names the kind. */
function merge(spans: SecretSpan[]): Place[] {
  const merged: Place[] = [];
  for (const { digest, ...span } of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last && span.start < last.end) {
      last.end = Math.max(last.end, span.end);
      if (!last.digests.includes(digest)) last.digests.push(digest);
    } else merged.push({ ...span, digests: [digest] });
  }
  return merged;
}

const maskOf = (secret: string) => SECRET_MASK + (secret.match(/\r?\n/g) ?? []).join("");

/** Secrets over several lines keep their line ends, so that later lines keep their numbers. */
function mask(
  text: string,
  places: readonly Pick<Place, "start" | "end">[],
  instead: (secret: string, start: number) => string = maskOf,
): string {
  let masked = "";
  let at = 0;
  for (const { start, end } of places) {
    masked += text.slice(at, start) + instead(text.slice(start, end), start);
    at = end;
  }
  return masked + text.slice(at);
}

/** One pass over text and places: a text may contain a hundred thousand of them, even on one line. */
function findings(text: string, places: readonly Place[]): SecretFinding[] {
  const found: SecretFinding[] = [];
  let line = 1;
  let lineStart = 0;
  let lineEnd = endOfLine(text, 0);
  let excerpt: string | null = null;
  for (const [index, { kind, start, digests }] of places.entries()) {
    while (start > lineEnd) {
      line += 1;
      lineStart = lineEnd + 1;
      lineEnd = endOfLine(text, lineStart);
      excerpt = null;
    }
    excerpt ??= maskedLine(text, { lineStart, lineEnd }, places.slice(index, index + EXCERPT_CHARACTERS));
    found.push({ kind, line, excerptRedacted: excerpt, digests });
  }
  return found;
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  return newline === -1 ? text.length : newline;
}

function maskedLine(
  text: string,
  { lineStart, lineEnd }: { lineStart: number; lineEnd: number },
  places: readonly Place[],
): string {
  const inside = places
    .filter(({ end, start }) => end > lineStart && start < lineEnd)
    .map(({ start, end }) => ({
      start: Math.max(start, lineStart) - lineStart,
      end: Math.min(end, lineEnd) - lineStart,
    }));
  const line = mask(text.slice(lineStart, lineEnd), inside).trim();
  return line.length > EXCERPT_CHARACTERS ? `${line.slice(0, EXCERPT_CHARACTERS - 1)}…` : line;
}
