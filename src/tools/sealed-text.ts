import { AppError } from "#lib/app-error.ts";
import { type Redact, SECRET_MASK } from "#lib/secrets/secret-scan.ts";

/**
 * Replaces the credentials in texts by placeholders (seals) for editors that must not touch them. A seal is a run of private use
 * characters, which nothing matches, as long as the credential and with its line ends, so that offsets and lines stay the same.
 */
export interface Seals {
  seal(text: string): string;
  /** Restores the credentials; null when one would be exposed, was cut, or is duplicated. */
  open(sealed: string): string | null;
  /** Replaces every seal by the mask that the model sees. Also works on JSON. */
  mask(sealed: string): string;
}

// The end of the last private use plane: one character identifies the credential, fillers make up its length.
const FIRST_SEAL = 0x10_8000;
const MAX_SEALS = 0x7ff0;
const FILLER = "\uF8FF";
const SEAL = /[\u{108000}-\u{10FFEF}]/u;
const SEALS = /[\u{108000}-\u{10FFEF}](?:(?:[\r\n]|\\[rn])*\uF8FF)*/gu;

export const SHOWN_CREDENTIAL =
  `The credential at a "${SECRET_MASK}" would show, or be cut. Leave the text next to it unchanged, ` +
  "or replace the whole line above and below it.";

/** Whether a text begins or ends with a seal. */
export const endsInSeal = (text: string): boolean => /[\u{108000}-\u{10FFEF}]\uF8FF*$/u.test(text.slice(-2_000));
export const startsWithSeal = (text: string): boolean => SEAL.test(String.fromCodePoint(text.codePointAt(0) ?? 0));

/** Seals for a few texts. A credential has one seal in all of them, and another one for a repetition within a text. */
export function createSeals(redact: Redact): Seals {
  const sealOf = new Map<string, string>();
  const secretOf = new Map<string, { secret: string; seal: string }>();

  function sealFor(secret: string, copy: number): string {
    const key = `${copy} ${secret}`;
    const known = sealOf.get(key);
    if (known !== undefined) return known;
    if (sealOf.size >= MAX_SEALS) throw new AppError("invalid", `The files hold more than ${MAX_SEALS} credentials.`);
    const name = String.fromCodePoint(FIRST_SEAL + sealOf.size);
    const seal = name + secret.slice(name.length).replaceAll(/[^\r\n]/g, FILLER);
    sealOf.set(key, seal);
    secretOf.set(name, { secret, seal });
    return seal;
  }

  return {
    seal(text) {
      const copies = new Map<string, number>();
      const sealed = redact(text, (secret) => {
        const copy = copies.get(secret) ?? 0;
        copies.set(secret, copy + 1);
        return sealFor(secret, copy);
      });
      if (sealed !== text && copies.size === 0) throw new Error("A text was redacted and not sealed.");
      if (sealed !== text && SEAL.test(text)) {
        throw new AppError(
          "invalid",
          "The file contains private use characters next to a credential: only people can change it.",
        );
      }
      return sealed;
    },
    open(sealed) {
      if (!SEAL.test(sealed)) return sealed;
      const hidden: { start: number; end: number }[] = [];
      const used = new Set<string>();
      let opened = "";
      for (let at = 0; at < sealed.length;) {
        const character = String.fromCodePoint(sealed.codePointAt(at) ?? 0);
        const found = secretOf.get(character);
        if (found === undefined) {
          opened += character;
          at += character.length;
          continue;
        }
        if (used.has(character) || !sealed.startsWith(found.seal, at)) return null;
        used.add(character);
        hidden.push({ start: opened.length, end: opened.length + found.secret.length });
        opened += found.secret;
        at += found.seal.length;
      }
      return isHidden(opened, hidden, redact) ? opened : null;
    },
    mask: (sealed) => sealed.replaceAll(SEALS, SECRET_MASK),
  };
}

/** Whether every range to hide is inside a match of the scanner. */
function isHidden(text: string, hidden: readonly { start: number; end: number }[], redact: Redact): boolean {
  const places: { start: number; end: number }[] = [];
  redact(text, (secret, start) => {
    places.push({ start, end: start + secret.length });
    return "";
  });
  let at = 0;
  return hidden.every(({ start, end }) => {
    while (at < places.length && places[at]!.end < end) at += 1;
    const place = places[at];
    return place !== undefined && place.start <= start && end <= place.end;
  });
}
