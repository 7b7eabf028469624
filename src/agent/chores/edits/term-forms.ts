import { AppError } from "#lib/app-error.ts";
import { otherNumber } from "./inflections.ts";
import { createTermMatcher, type TermMatcher, type TermOptions } from "./term-matcher.ts";

/** A form of a term that is not the term itself: its plural, or other capitals. */
export interface TermForm {
  /** How a report names its occurrences. */
  name: string;
  /** The instruction that would change them; null where the new term's form is not known. */
  instruction: string | null;
  matcher: TermMatcher;
}

interface TermReplacement extends TermOptions {
  from: string;
  to: string;
}

/** The forms that a replacement leaves, to be counted. Whole words alone have forms. */
export function formsLeft({ from, to, ...options }: TermReplacement, isPluralAsked: boolean): TermForm[] {
  if (!options.wholeWord) return [];
  const forms: TermForm[] = [];
  const other = otherNumber(from);
  if (other !== null && !isPluralAsked) {
    const target = otherNumber(to);
    const isKnown = target !== null && target.number === other.number;
    forms.push({
      name: `${other.number} forms “${other.phrase}”`,
      instruction: isKnown ? `Replace "${other.phrase}" with "${target.phrase}"` : null,
      matcher: createTermMatcher(other.phrase, isKnown ? target.phrase : to, options),
    });
  }
  if (options.letterCase === "as-written" && from.toLowerCase() !== from.toUpperCase()) {
    forms.push({
      name: "in other capitals",
      instruction: `Replace "${from}" with "${to}", in any case`,
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
    matches: (text) => [...matcher.matches(text), ...second.matches(text)].sort((a, b) => a.start - b.start),
  };
}

function without(matcher: TermMatcher, other: TermMatcher): TermMatcher {
  return {
    ...matcher,
    matches(text) {
      const taken = new Set(other.matches(text).map(({ start }) => start));
      return matcher.matches(text).filter(({ start }) => !taken.has(start));
    },
  };
}
