import { AppError } from "#lib/app-error.ts";
import { otherNumber } from "./inflections.ts";
import { createTermMatcher, type TermMatcher, type TermOptions } from "./term-matcher.ts";

/** A form of a term other than the term itself: its plural, or another capitalization. */
export interface TermForm {
  /** The name of one occurrence, and of several, in a report. */
  name: readonly [one: string, several: string];
  /** The instruction that would change them; null if the form of the new term is unknown. */
  instruction: string | null;
  matcher: TermMatcher;
}

interface TermReplacement extends TermOptions {
  from: string;
  to: string;
}

/** The part of the docs of a replacement, and the options that a sentence has to repeat. */
interface TermPlace {
  in?: readonly string[] | undefined;
  except?: readonly string[] | undefined;
  only?: "headings" | "titles" | undefined;
  includeCode: boolean;
}

/** The place as the end of a sentence; null if its names cannot be quoted. */
function placeInWords({ in: scope, except, only, includeCode }: TermPlace): string | null {
  const names = [...(scope ?? []), ...(except ?? [])];
  if (names.some((name) => name.includes('"')) || names.length > MAX_NAMED) return null;
  const listed = (all: readonly string[]) => all.map((name) => `"${name}"`).join(" and ");
  return [
    only === undefined ? "" : ` in ${only}`,
    scope === undefined ? "" : ` in ${listed(scope)}`,
    except === undefined || except.length === 0 ? "" : ` except in ${listed(except)}`,
    includeCode ? ", also in code" : "",
  ].join("");
}

// A sentence with more names would be too long to send.
const MAX_NAMED = 20;

/** The forms that a replacement leaves, to be counted, each with a sentence for the same place. Only whole words have forms. */
export function formsLeft(
  { from, to, letterCase, wholeWord, ...place }: TermReplacement & TermPlace,
  isPluralAsked: boolean,
): TermForm[] {
  const options = { letterCase, wholeWord };
  const where = placeInWords(place);
  const sentence = (words: string, end = "") => (where === null ? null : `Replace ${words}${where}${end}`);
  if (!options.wholeWord) return [];
  const forms: TermForm[] = [];
  const other = otherNumber(from);
  if (other !== null && !isPluralAsked) {
    const target = otherNumber(to);
    const isKnown = target !== null && target.number === other.number;
    forms.push({
      name: [`${other.number} form “${other.phrase}”`, `${other.number} forms “${other.phrase}”`],
      instruction: isKnown ? sentence(`"${other.phrase}" with "${target.phrase}"`) : null,
      matcher: createTermMatcher(other.phrase, isKnown ? target.phrase : to, options),
    });
  }
  if (options.letterCase === "as-written" && from.toLowerCase() !== from.toUpperCase()) {
    forms.push({
      name: ["in other capitals", "in other capitals"],
      instruction: sentence(`"${from}" with "${to}"`, `${isPluralAsked ? ", also plurals" : ""}, in any case`),
      matcher: without(
        createTermMatcher(from, to, { ...options, letterCase: "any" }),
        createTermMatcher(from, to, options),
      ),
    });
  }
  return forms;
}

/** The matcher of a term, including its plural or singular on request. Throws `AppError invalid` if that is unknown. */
export function matcherOfTerm({ from, to, ...options }: TermReplacement, isPluralAsked: boolean): TermMatcher {
  const matcher = createTermMatcher(from, to, options);
  if (!isPluralAsked) return matcher;
  const [other, target] = [otherNumber(from), otherNumber(to)];
  if (other === null || target === null || other.number !== target.number) {
    throw new AppError(
      "invalid",
      `The other number of “${from}” and “${to}” is not known: replace each form by a sentence of its own.`,
    );
  }
  const second = createTermMatcher(other.phrase, target.phrase, options);
  return {
    ...matcher,
    mayOccurIn: (text) => matcher.mayOccurIn(text) || second.mayOccurIn(text),
    matches: (...text) => [...matcher.matches(...text), ...second.matches(...text)].sort((a, b) => a.start - b.start),
  };
}

function without(matcher: TermMatcher, other: TermMatcher): TermMatcher {
  return {
    ...matcher,
    matches(...text) {
      const taken = new Set(other.matches(...text).map(({ start }) => start));
      return matcher.matches(...text).filter(({ start }) => !taken.has(start));
    },
  };
}
