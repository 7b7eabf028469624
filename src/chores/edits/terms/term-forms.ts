import { AppError } from "#lib/app-error.ts";
import { otherNumber } from "./inflections.ts";
import { createTermMatcher, type TermMatcher, type TermOptions } from "./term-matcher.ts";

/** A form of a term that is not the term itself: its plural, or other capitals. */
export interface TermForm {
  /** How a report names one occurrence, and several. */
  name: readonly [one: string, several: string];
  /** The instruction that would change them; null where the new term's form is not known. */
  instruction: string | null;
  matcher: TermMatcher;
}

interface TermReplacement extends TermOptions {
  from: string;
  to: string;
}

/** Where a replacement was asked for, and what else of it a sentence has to repeat. */
interface TermPlace {
  in?: readonly string[] | undefined;
  except?: readonly string[] | undefined;
  only?: "headings" | "titles" | undefined;
  includeCode: boolean;
}

/** The place as a sentence's end; null where its names cannot stand in quotation marks. */
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

// A sentence that nobody would read to its end is none to send.
const MAX_NAMED = 20;

/** The forms that a replacement leaves, to be counted, each with a sentence for the same place. Whole words alone have forms. */
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

/** The matcher of a term, with its other number where that is asked for. Throws `AppError invalid` where it is not known. */
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
