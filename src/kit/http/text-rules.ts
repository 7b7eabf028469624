/** A rule for a text, with the message for a violation, which follows the name of the text. */
export interface TextRule {
  holds(text: string): boolean;
  message: string;
}

/** A text that every store can hold: no NUL, no lone surrogates. */
export const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

/** Rules for one trimmed line of text. */
export function lineRules(max: number): readonly TextRule[] {
  return [
    { holds: (text) => text !== "", message: "must not be empty" },
    { holds: (text) => text.length <= max, message: `must have at most ${max} characters` },
    { holds: (text) => isStorable(text) && !/[\r\n]/.test(text), message: "must be one line of text" },
  ];
}

/** The message of the first rule that a text breaks; null when there is none. */
export function findComplaint(rules: readonly TextRule[], text: string): string | null {
  return rules.find((rule) => !rule.holds(text))?.message ?? null;
}
