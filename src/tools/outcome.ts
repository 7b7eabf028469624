import type { ToolResult } from "./tool.ts";

/** The success of a tool. `summary` is one line in the past tense. */
export function done(summary: string, content: unknown = {}): ToolResult {
  return { ok: true, summary, content };
}

/** The refusal of a tool: nothing was changed. `message` says what is wrong and what to do instead. */
export function refused(summary: string, message: string, hint: string | null = null): ToolResult {
  return { ok: false, summary, message, ...(hint !== null && { hint }) };
}

/** The first items, and how many more there are. */
export const listed = (items: readonly string[], limit: number): string =>
  items.slice(0, limit).join(", ") + (items.length > limit ? ` and ${items.length - limit} more` : "");

export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}
