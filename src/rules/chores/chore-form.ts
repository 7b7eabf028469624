import { combined } from "#rules/grammar/modifiers.ts";
import type { Reading } from "#rules/grammar/matcher.ts";
import { type KnownNames, NO_NAMES } from "#rules/grammar/names.ts";

/** One call of a chore tool. The rules know tools only by name and JSON input. */
export interface ChoreCall {
  tool: string;
  input: Record<string, unknown>;
}

/**
 * Options of a chore in addition to its slots, by the keys of its input. `callsOf` removes `everywhere`, `areLinksFollowed`
 * and `namesSpared` first.
 */
type Option = "in" | "except" | "only" | "includeCode" | "letterCase" | "wholeWord" | "plural" | "redirect";
type Options = Readonly<Record<string, unknown>>;

type Slots = Reading["slots"];

/** The sentences for a chore. A new sentence form is one row: another line of `forms`. */
export interface ChoreForm {
  tool: string;
  /** Templates (see `template.ts`), each of a whole instruction without its restrictions and options. */
  forms: readonly string[];
  /** Restrictions and options that the chore supports, if any. Any other refuses the instruction. */
  honours?: readonly Option[];
  /** Sentence to suggest for a similar request. */
  example?: string;
  /** Its example changes pages in all of the docs, so it is only suggested for a nearly identical request. */
  isForAllDocs?: true;
  /**
   * The inputs of its calls, in order; null when the slots do not go together. Options are added to each. It must read every slot
   * of its forms: otherwise words of the person would be dropped.
   */
  inputs(slots: Slots, options: Options, names: KnownNames): Record<string, unknown>[] | null;
}

export function one(slots: Slots, name: string): string | undefined {
  return slots[name]?.[0];
}

export function all(slots: Slots, name: string): readonly string[] {
  return slots[name] ?? [];
}

/** Removes absent values. */
export function given(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/** The calls of a reading; null when it contains an option that the chore does not support, or contradicts itself. */
export function callsOf(
  form: ChoreForm,
  { slots, modifiers }: Reading,
  names: KnownNames = NO_NAMES,
): ChoreCall[] | null {
  const options = combined(modifiers);
  if (options === null) return null;
  const { everywhere, areLinksFollowed, namesSpared, ...rest } = options;
  const honours: readonly string[] = form.honours ?? [];
  if (honours.includes("wholeWord") && mayBeWords(namesSpared, slots["from"])) return null;
  const said = Object.keys(rest).filter((key) => !(key === "redirect" && rest[key] === true && honours.includes("redirect"))); // oxfmt-ignore
  if (!said.every((key) => honours.includes(key))) return null;
  if (areLinksFollowed === true && !honours.includes("redirect")) return null;
  if (everywhere === true && !honours.includes("in") && form.isForAllDocs !== true) return null;
  const { redirect, ...kept } = rest;
  const inputs = form.inputs(slots, { ...options, ...rest }, names);
  const withOptions = { ...kept, ...(redirect === false && { redirect }) };
  return inputs && inputs.map((input) => ({ tool: form.tool, input: { ...input, ...withOptions, ...ownOf(input) } }));
}

/** “Replace "monitor" …, but not Monitoring”: a name that contains the term may mean the word or the page. */
function mayBeWords(names: unknown, terms: readonly string[] = []): boolean {
  return (
    Array.isArray(names) &&
    names.some((name) => terms.some((term) => String(name).toLowerCase().includes(term.toLowerCase())))
  );
}

/** Values that a chore derived from its options stay: `in` of a page that was named in two ways. */
function ownOf(input: Record<string, unknown>): Record<string, unknown> {
  return "in" in input ? { in: input["in"] } : {};
}
