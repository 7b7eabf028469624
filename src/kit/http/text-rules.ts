/** What a text must be to be taken, with the words that complain, which follow its name. */
export interface TextRule {
  holds(text: string): boolean;
  message: string;
}

/** A text that every store can hold: no NUL, no halves of surrogate pairs. */
export const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

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
