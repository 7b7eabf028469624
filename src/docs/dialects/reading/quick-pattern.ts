const MAX_LENGTH = 500;
const CLASS = /\[(?:[^\]\\]|\\[^])*\]/g;
/** One character, or a group's or an alternative's sign. Classes are `c` by then. */
const TOKEN = /\(\?:|\\[pPux]\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\[^]|\{\d*,?\d*\}\??|[*+?]\??|[^]/gu;

/**
 * Whether a regular expression takes at most quadratic time, however it is used: a quantifier repeats a single character or
 * class, is outside of groups, and is the only one of its alternative.
 */
export function isQuickPattern(pattern: string): boolean {
  if (pattern.length > MAX_LENGTH) return false;
  let depth = 0;
  let quantifiers = 0;
  let before = "";
  for (const [token] of pattern.replaceAll(CLASS, "c").matchAll(TOKEN)) {
    if (token === "(?:" || token === "(") depth += 1;
    else if (token === ")") depth -= 1;
    // Behind a group's sign it belongs to another kind of group: `(?=`, `(?<name>`.
    else if (/^[*+?{]/.test(token) && (before === "(" || before === ")" || depth > 0)) return false;
    else if (token === "|" && depth === 0) quantifiers = 0;
    else if (/^(?:[*+?]\??|\{\d+(?:,\d*)?\}\??)$/.test(token)) quantifiers += 1;
    if (quantifiers > 1 || /^\\[1-9k]/.test(token)) return false;
    before = token;
  }
  return depth === 0;
}
