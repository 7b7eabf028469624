/**
 * Backticks to begin and end code in Markdown with: more than `text` has in a row, and at least 1 for code in a line or 3
 * for a block.
 */
export function backticksAround(text: string, least: 1 | 3): string {
  let longest = least - 1;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return "`".repeat(longest + 1);
}
