import { AppError } from "#lib/app-error.ts";

/** A whole number from a command line. `AppError invalid` names the option. */
export function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new AppError("invalid", `${option} takes a whole number from ${min} to ${max}, not "${text}".`);
  }
  return value;
}
