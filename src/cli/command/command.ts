import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import type { CommandIo } from "./io.ts";
import { UsageError } from "#cli/places/usage-error.ts";

export { UsageError } from "#cli/places/usage-error.ts";

/** A command of `docent`. */
export interface Command {
  /** The help text, with every action and option. */
  usage: string;
  /** The help text in its place, where `usage` is too long to be read at once. */
  shortUsage?: string;
  /** The help for one of its actions; null if the action has none. */
  usageOf?(action: string): string | null;
  run(args: readonly string[], io: CommandIo): Promise<void>;
}

const COMMON = {
  data: { type: "string" },
  server: { type: "string" },
  project: { type: "string" },
  json: { type: "boolean" },
  quiet: { type: "boolean", short: "q" },
  help: { type: "boolean", short: "h" },
} as const;

/** Parses options and positionals; `UsageError` for unknown ones. */
export function readArguments<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  positionals: { min: number; max: number; names: string },
) {
  try {
    const parsed = parseArgs({
      args: [...args],
      options: { ...COMMON, ...options },
      allowPositionals: true,
      strict: true,
    });
    if (parsed.positionals.length < positionals.min || parsed.positionals.length > positionals.max) {
      const { names } = positionals;
      const given = parsed.positionals.map((word) => JSON.stringify(word)).join(", ");
      throw new Error(`Expected ${names === "" ? "no arguments" : names}, but got ${given === "" ? "none" : given}.`);
    }
    return parsed;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Parses a whole number. `UsageError` names the option. */
export function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new UsageError(`${option} takes a whole number from ${min} to ${max}, not "${text}".`);
  }
  return value;
}
