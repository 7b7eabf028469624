import { createHash } from "node:crypto";
import { encodedRuns } from "./encoded-runs.ts";
import { markupView } from "./markup-view.ts";
import { passwordPatterns } from "./password-patterns.ts";
import { isPlaceholder, secretPatterns } from "./secret-patterns.ts";
import type { Secret } from "./secret.ts";
import { resolvedView, squeezedView, type TextView } from "./text-view.ts";

/** The position of a credential in a text. */
export interface SecretSpan {
  kind: string;
  start: number;
  end: number;
  /** Digest of the credential itself: equal digests mean the same credential in any encoding. */
  digest: string;
}

/** A secret that was passed to the scanner. */
interface KnownSecret {
  text: string;
  bytes: Buffer;
  /** Its letters and digits, forwards and backwards; empty when they are too few to distinguish it from prose. */
  squeezed: string[];
  digest: string;
}

// Shorter ones are passwords like "admin": masking each occurrence would destroy ordinary text.
const SHORTEST_KNOWN = 8;
const SHORTEST_SQUEEZED = 16;
/** Bytes of the shortest credential that the patterns find. */
const SHORTEST_PATTERN = 16;
// Base64 inside base64, and escapes inside escapes, counted separately: an ampersand in a page must not hide a text
// that is encoded twice.
const MAX_DEPTH = 2;
const MAX_ESCAPES = 2;
const PATTERNS = [...secretPatterns, ...passwordPatterns];
const READABLE = /[\x20-\x7e]{16}/;

export type SpanFinder = (text: string, options: { isThorough: boolean }) => SecretSpan[];

/**
 * Finds credentials in plain text, behind escapes, character references, percent encoding and invisible characters, and
 * in base64 and hexadecimal. `isThorough` also looks behind markup, and for the known secrets split by other characters
 * or reversed. Spans may overlap. Linear in the length of the text.
 */
export function createSpanFinder(secrets: Iterable<Secret>): SpanFinder {
  const known = [...new Set([...secrets].map((secret) => secret.reveal()))]
    .filter((text) => text.length >= SHORTEST_KNOWN)
    .map(knownSecret);
  const shortest = Math.min(SHORTEST_PATTERN, ...known.map(({ bytes }) => bytes.length));
  return (text, { isThorough }) => {
    const search = { known, shortest, depth: MAX_DEPTH, escapes: MAX_ESCAPES };
    const spans = spansIn(text, search);
    return isThorough ? [...spans, ...markedSpans(text, search), ...splitSpans(text, known)] : spans;
  };
}

function markedSpans(text: string, search: Search): SecretSpan[] {
  const view = markupView(text);
  return view ? spansIn(view.text, search).map((span) => inOriginal(view, span)) : [];
}

function knownSecret(text: string): KnownSecret {
  const squeezed = text.replace(/[^A-Za-z0-9]/g, "");
  return {
    text,
    bytes: Buffer.from(text),
    squeezed: squeezed.length < SHORTEST_SQUEEZED ? [] : [squeezed, Array.from(squeezed).reverse().join("")],
    digest: digestOf(text),
  };
}

interface Search {
  known: readonly KnownSecret[];
  shortest: number;
  /** How many more levels of base64 and hexadecimal are decoded. */
  depth: number;
  /** How many more levels of escapes are resolved. */
  escapes: number;
}

function spansIn(text: string, search: Search): SecretSpan[] {
  const spans = plainSpans(text, search.known);
  const view = search.escapes === 0 ? null : resolvedView(text);
  if (view) {
    const resolved = spansIn(view.text, { ...search, escapes: search.escapes - 1 });
    return [...spans, ...resolved.map((span) => inOriginal(view, span))];
  }
  if (search.depth === 0) return spans;
  const inner = { ...search, depth: search.depth - 1 };
  for (const { start, end, readings } of encodedRuns(text, search.shortest)) {
    for (const reading of readings) {
      for (const { kind, digest } of spansInBytes(reading, inner)) spans.push({ kind, digest, start, end });
    }
  }
  return spans;
}

function spansInBytes(bytes: Buffer, search: Search): { kind: string; digest: string }[] {
  const found = search.known
    .filter((secret) => bytes.includes(secret.bytes))
    .map(({ digest }) => ({ kind: CONFIGURED, digest }));
  const text = bytes.toString("latin1");
  return READABLE.test(text) ? [...found, ...spansIn(text, search)] : found;
}

const CONFIGURED = "configured secret";

function plainSpans(text: string, known: readonly KnownSecret[]): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const { text: secret, digest } of known) {
    for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + secret.length)) {
      spans.push({ kind: CONFIGURED, start: at, end: at + secret.length, digest });
    }
  }
  for (const { kind, expression, isShown } of PATTERNS) {
    for (const match of text.matchAll(expression)) {
      const secret = match.groups?.["secret"] ?? match[1] ?? match[0];
      if (isShown ? isShown(match) : isPlaceholder(secret)) continue;
      const start = match.index + match[0].lastIndexOf(secret);
      spans.push({ kind, start, end: start + secret.length, digest: digestOf(secret) });
    }
  }
  return spans;
}

function splitSpans(text: string, known: readonly KnownSecret[]): SecretSpan[] {
  const needles = known.flatMap(({ squeezed, digest }) => squeezed.map((needle) => ({ needle, digest })));
  if (needles.length === 0) return [];
  const view = squeezedView(text);
  const spans: SecretSpan[] = [];
  for (const { needle, digest } of needles) {
    for (let at = view.text.indexOf(needle); at !== -1; at = view.text.indexOf(needle, at + needle.length)) {
      spans.push(inOriginal(view, { kind: CONFIGURED, start: at, end: at + needle.length, digest }));
    }
  }
  return spans;
}

const inOriginal = (view: TextView, span: SecretSpan): SecretSpan => ({
  ...span,
  ...view.original(span.start, span.end),
});

const digestOf = (secret: string) => createHash("sha256").update(secret).digest("base64url");
