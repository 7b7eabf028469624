import { AppError } from "#lib/app-error.ts";
import { type Redact, SECRET_MASK } from "#lib/secrets/secret-scan.ts";

/**
 * Texts to be edited by somebody who must not touch the credentials in them: each is a run of private characters, which
 * nobody can match, and which is as long as the credential, its line ends in place: offsets and lines stay.
 */
export interface Seals {
  seal(text: string): string;
  /** The text with its credentials again; null when one would be shown, was cut, or stands there twice. */
  open(sealed: string): string | null;
  /** The text with every seal as the model sees it. Takes JSON as well. */
  mask(sealed: string): string;
}

// The end of the last plane of private characters: one of them names the credential, fillers make up its length.
const FIRST_SEAL = 0x10_8000;
const MAX_SEALS = 0x7ff0;
const FILLER = "\uF8FF";
const SEAL = /[\u{108000}-\u{10FFEF}]/u;
const SEALS = /[\u{108000}-\u{10FFEF}](?:(?:[\r\n]|\\[rn])*\uF8FF)*/gu;

export const SHOWN_CREDENTIAL =
  `The credential at a "${SECRET_MASK}" would show, or be cut. Leave the text beside it as it is, ` +
  "or replace the whole line above and below it.";

/** Whether a text begins or ends with a seal. */
export const endsInSeal = (text: string): boolean => /[\u{108000}-\u{10FFEF}]\uF8FF*$/u.test(text.slice(-2_000));
export const startsWithSeal = (text: string): boolean => SEAL.test(String.fromCodePoint(text.codePointAt(0) ?? 0));

/** Seals for a few texts. One credential has one seal in all of them, a second one where it stands twice in one text. */
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
        throw new AppError("invalid", "The file holds private characters beside a credential: only people change it.");
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

/** Whether everything that has to be hidden is, one place of the scanner's around each. */
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
