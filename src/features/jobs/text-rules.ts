import { isStorable, type TextRule } from "#kit/http/text-rules.ts";

export const MAX_PROMPT_CHARACTERS = 32_000;
export const MAX_TITLE_CHARACTERS = 200;

/** Rules of an instruction, in the order in which they are told. */
export const PROMPT_RULES: readonly TextRule[] = [
  { holds: (text) => text.trim() !== "", message: "must not be blank" },
  {
    holds: (text) => text.length <= MAX_PROMPT_CHARACTERS || countCodePoints(text) <= MAX_PROMPT_CHARACTERS,
    message: `must have at most ${MAX_PROMPT_CHARACTERS} characters`,
  },
  { holds: isStorable, message: "must not contain NUL characters or unpaired surrogates" },
];

// What people take for one character may be several code points; the limit counts code points, as other languages do.
function countCodePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; count++) index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return count;
}
