import { UsageError } from "./command.ts";

/** A whole number from a command line. `UsageError` names the option. */
export function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new UsageError(`${option} takes a whole number from ${min} to ${max}, not "${text}".`);
  }
  return value;
}
