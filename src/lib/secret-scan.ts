import { isPlaceholder, secretPatterns } from "./secret-patterns.ts";
import type { Secret } from "./secret.ts";

export interface SecretFinding {
  /** For a person: `GitHub token`, `private key`, `configured secret` … */
  kind: string;
  /** From 1. */
  line: number;
  /** The line with every secret in it masked, at most 160 characters. */
  excerptRedacted: string;
}

export interface SecretScanner {
  /** The first 100 secrets in the text, in its order. A match of several kinds is reported once. */
  findSecrets(text: string): SecretFinding[];
  /** The text with every secret replaced by `[redacted]`. Text without one comes back as the same string. */
  redact(text: string): string;
}

interface Span {
  kind: string;
  start: number;
  end: number;
}

const MASK = "[redacted]";
const EXCERPT_CHARACTERS = 160;
const MOST_FINDINGS = 100;
// Shorter ones are passwords like "admin": masking each occurrence would destroy ordinary text.
const SHORTEST_KNOWN = 8;

/**
 * Looks for the given secrets (verbatim, percent-encoded, JSON-escaped, hexadecimal, and in base64 at any offset) and
 * for credentials of well-known shape. Linear in the length of the text.
 */
export function createSecretScanner(known: Iterable<Secret> = []): SecretScanner {
  const needles = new Set<string>();
  for (const secret of known) for (const form of formsOf(secret.reveal())) needles.add(form);
  const spansOf = (text: string) => merge([...knownSpans(text, needles), ...patternSpans(text)]);
  return {
    redact: (text) => mask(text, spansOf(text)),
    findSecrets(text) {
      const spans = spansOf(text);
      return spans.slice(0, MOST_FINDINGS).map((span) => ({
        kind: span.kind,
        line: text.slice(0, span.start).split("\n").length,
        excerptRedacted: maskedLine(text, span.start, spans),
      }));
    },
  };
}

const byPattern = createSecretScanner();
/** `createSecretScanner` without secrets of our own: by shape alone. */
export const findSecrets = (text: string): SecretFinding[] => byPattern.findSecrets(text);
export const redact = (text: string): string => byPattern.redact(text);

function formsOf(secret: string): string[] {
  if (secret.length < SHORTEST_KNOWN) return [];
  const forms = [
    secret,
    encodeURIComponent(secret),
    encodeURI(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString("hex"),
  ];
  // In base64 a secret looks different at each of three offsets; the outer characters depend on the neighbours.
  for (const offset of [0, 1, 2]) {
    const padded = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const whole = padded.length - (padded.length % 3);
    const from = offset === 0 ? 0 : 4;
    const inner = padded.subarray(0, whole).toString("base64").slice(from);
    if (inner.length >= SHORTEST_KNOWN) forms.push(inner, inner.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return forms;
}

function* knownSpans(text: string, needles: Iterable<string>): Iterable<Span> {
  for (const needle of needles) {
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
      yield { kind: "configured secret", start: at, end: at + needle.length };
    }
  }
}

function* patternSpans(text: string): Iterable<Span> {
  for (const { kind, expression } of secretPatterns) {
    for (const match of text.matchAll(expression)) {
      const secret = match[1] ?? match[0];
      if (isPlaceholder(secret)) continue;
      const start = match.index + match[0].lastIndexOf(secret);
      yield { kind, start, end: start + secret.length };
    }
  }
}

/** In order and without overlap; the earlier, then the longer one names the kind. */
function merge(spans: Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}

function mask(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let masked = "";
  let at = 0;
  for (const span of spans) {
    masked += text.slice(at, span.start) + MASK;
    at = span.end;
  }
  return masked + text.slice(at);
}

function maskedLine(text: string, at: number, spans: readonly Span[]): string {
  const lineStart = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
  const newline = text.indexOf("\n", lineStart);
  const lineEnd = newline === -1 ? text.length : newline;
  const inside = spans
    .filter((span) => span.end > lineStart && span.start < lineEnd)
    .map((span) => ({
      ...span,
      start: Math.max(span.start, lineStart) - lineStart,
      end: Math.min(span.end, lineEnd) - lineStart,
    }));
  const line = mask(text.slice(lineStart, lineEnd), inside).trim();
  return line.length > EXCERPT_CHARACTERS ? `${line.slice(0, EXCERPT_CHARACTERS - 1)}…` : line;
}
