import { combined } from "#rules/grammar/modifiers.ts";
import type { Reading } from "#rules/grammar/matcher.ts";
import { type KnownNames, NO_NAMES } from "#rules/grammar/names.ts";

/** One call of a chore tool. Tools are known here by name and JSON input alone. */
export interface ChoreCall {
  tool: string;
  input: Record<string, unknown>;
}

/** What a chore can be told besides its slots; the keys are those of its input. `callsOf` takes `everywhere`, `areLinksFollowed` and `namesSpared` out before. */
type Option = "in" | "except" | "only" | "includeCode" | "letterCase" | "wholeWord" | "plural" | "redirect";
type Options = Readonly<Record<string, unknown>>;

type Slots = Reading["slots"];

/** A chore as people ask for it. A sentence form is added in one row: a further line of `forms`. */
export interface ChoreForm {
  tool: string;
  /** Templates (see `template.ts`), each of a whole instruction without its restrictions and options. */
  forms: readonly string[];
  /** Restrictions and options that the chore carries out. Any other refuses the instruction. */
  honours: readonly Option[];
  /** Sentence to show to somebody whose request came near. */
  example?: string;
  /** Its example changes pages all over the docs, so it is proposed only to somebody who said nearly the same. */
  isForAllDocs?: true;
  /**
   * The inputs of its calls, one after another; null when the slots do not go together. Options are added to each. It has to read
   * every slot of its forms: a word that no call holds would be dropped.
   */
  inputs(slots: Slots, options: Options, names: KnownNames): Record<string, unknown>[] | null;
}

export function one(slots: Slots, name: string): string | undefined {
  return slots[name]?.[0];
}

export function all(slots: Slots, name: string): readonly string[] {
  return slots[name] ?? [];
}

/** Without what was not said. */
export function given(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/** The calls that a reading comes to; null when it says what the chore does not carry out, or contradicts itself. */
export function callsOf(
  form: ChoreForm,
  { slots, modifiers }: Reading,
  names: KnownNames = NO_NAMES,
): ChoreCall[] | null {
  const options = combined(modifiers);
  if (options === null) return null;
  const { everywhere, areLinksFollowed, namesSpared, ...rest } = options;
  if (form.honours.includes("wholeWord") && mayBeWords(namesSpared, slots["from"])) return null;
  const said = Object.keys(rest).filter((key) => !(key === "redirect" && rest[key] === true && form.honours.includes("redirect"))); // oxfmt-ignore
  if (!said.every((key) => form.honours.includes(key as Option))) return null;
  if (areLinksFollowed === true && !form.honours.includes("redirect")) return null;
  if (everywhere === true && !form.honours.includes("in") && form.isForAllDocs !== true) return null;
  const { redirect, ...kept } = rest;
  const inputs = form.inputs(slots, { ...options, ...rest }, names);
  const withOptions = { ...kept, ...(redirect === false && { redirect }) };
  return inputs && inputs.map((input) => ({ tool: form.tool, input: { ...input, ...withOptions, ...ownOf(input) } }));
}

/** “Replace "monitor" …, but not Monitoring”: a name that holds the term may be the word as well as the page. */
function mayBeWords(names: unknown, terms: readonly string[] = []): boolean {
  return (
    Array.isArray(names) &&
    names.some((name) => terms.some((term) => String(name).toLowerCase().includes(term.toLowerCase())))
  );
}

/** Values that a chore made of its options itself stay: `in` of a page that was named in two ways. */
function ownOf(input: Record<string, unknown>): Record<string, unknown> {
  return "in" in input ? { in: input["in"] } : {};
}
