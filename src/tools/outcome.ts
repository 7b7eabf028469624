import type { ToolResult } from "./tool.ts";

/** A tool's success. `summary` is one line in the past tense. */
export function done(summary: string, content: unknown = {}): ToolResult {
  return { ok: true, summary, content };
}

/** A tool's refusal: nothing was changed. `message` says what is wrong and what to do instead. */
export function refused(summary: string, message: string, hint: string | null = null): ToolResult {
  return { ok: false, summary, message, ...(hint !== null && { hint }) };
}

export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}
