/** What a text must be to be taken, with the words that complain, which follow its name. */
export interface TextRule {
  holds(text: string): boolean;
  message: string;
}

export const MAX_PROMPT_CHARACTERS = 32_000;
export const MAX_TITLE_CHARACTERS = 200;

/** A text that every store can hold: no NUL, no halves of surrogate pairs. */
const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

/** Rules of an instruction, in the order in which they are told. */
export const PROMPT_RULES: readonly TextRule[] = [
  { holds: (text) => text.trim() !== "", message: "must not be blank" },
  {
    holds: (text) => text.length <= MAX_PROMPT_CHARACTERS || countCodePoints(text) <= MAX_PROMPT_CHARACTERS,
    message: `must have at most ${MAX_PROMPT_CHARACTERS} characters`,
  },
  { holds: isStorable, message: "must not contain NUL characters or unpaired surrogates" },
];

/** Rules of one trimmed line of text. */
export function lineRules(max: number): readonly TextRule[] {
  return [
    { holds: (text) => text !== "", message: "must not be empty" },
    { holds: (text) => text.length <= max, message: `must have at most ${max} characters` },
    { holds: (text) => isStorable(text) && !/[\r\n]/.test(text), message: "must be one line of text" },
  ];
}

/** The first complaint about a text; null when there is none. */
export function findComplaint(rules: readonly TextRule[], text: string): string | null {
  return rules.find((rule) => !rule.holds(text))?.message ?? null;
}

// What people take for one character may be several code points; the limit counts code points, as other languages do.
function countCodePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; count++) index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return count;
}
