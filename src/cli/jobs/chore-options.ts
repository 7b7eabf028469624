import type { ParseArgsOptionsConfig } from "node:util";
import type { z } from "zod";
import { CHORE_FACTS } from "#agent/toolbox/tools.ts";
import { jsonSchemaOfChore } from "#agent/toolbox/chore-calls.ts";
import { UsageError, wholeNumber } from "#cli/command/command.ts";

type Schema = z.core.JSONSchema.JSONSchema;

/** An input of a chore as a command-line option. */
interface InputOption {
  input: string;
  /** Without the dashes. */
  flag: string;
  schema: Schema;
  isRequired: boolean;
}

const dashed = (name: string) => name.replaceAll("_", "-").replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Chores by their name on the command line. */
export const CHORES = new Map(CHORE_FACTS.map(({ name, description }) => [dashed(name), { name, description }]));

export function optionsOf(chore: string): InputOption[] {
  const { properties = {}, required = [] } = jsonSchemaOfChore(chore);
  return Object.entries(properties).map(([input, schema]) => {
    const given = schema as Schema;
    return {
      input,
      flag: isOnByDefault(given) ? `no-${dashed(input)}` : dashed(input),
      schema: given,
      isRequired: required.includes(input),
    };
  });
}

const isOnByDefault = ({ type, default: usual }: Schema) => type === "boolean" && usual === true;

/** Options for `parseArgs`. */
export function parsedOptions(chore: string): ParseArgsOptionsConfig {
  return Object.fromEntries(
    optionsOf(chore).map(({ flag, schema }) => [
      flag,
      schema.type === "boolean"
        ? { type: "boolean" }
        : { type: "string", ...((schema.type === "array" || schema.anyOf) && { multiple: true }) },
    ]),
  );
}

/** Reads the inputs from a command line. The server validates their values. */
export function inputsFrom(chore: string, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const inputs: Record<string, unknown> = {};
  for (const { input, flag, schema, isRequired } of optionsOf(chore)) {
    const value = values[flag];
    if (value === undefined) {
      if (isRequired) throw new UsageError(`--${flag} is missing: chore ${dashed(chore)} needs it.`);
      continue;
    }
    inputs[input] = valueOf(schema, flag, value);
  }
  return inputs;
}

function valueOf(schema: Schema, flag: string, value: unknown): unknown {
  if (isOnByDefault(schema)) return false;
  if (schema.type === "integer") return wholeNumber(`--${flag}`, String(value), 0, 1_000_000);
  if (schema.enum && !schema.enum.includes(value as string)) {
    throw new UsageError(`--${flag} must be one of ${schema.enum.join(", ")}.`);
  }
  if (schema.anyOf === undefined) return value;
  // The schema allows several types: a value that parses as JSON is used as such, otherwise as text.
  const given = (value as string[]).map((text) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  });
  return given.length === 1 ? given[0] : given;
}

const firstSentence = (text: string) => text.split(/(?<=\.) /, 1)[0] ?? "";

/** What comes before a colon, which examples or details follow. */
const summaryOf = (description: string) => firstSentence(description).split(": ", 1)[0]!.replace(/\.$/, "");

/** All chores, with what each does. */
export function choreList(): string {
  const width = Math.max(...[...CHORES.keys()].map((name) => name.length));
  const rows = [...CHORES].map(([name, { description }]) => `  ${name.padEnd(width)}  ${summaryOf(description)}`);
  return ["Chores", ...rows].join("\n");
}

/** The synopsis of each chore, with its options. */
export function choresUsage(chores: readonly string[] = [...CHORES.keys()]): { synopsis: string; options: string } {
  const chosen = [...CHORES].filter(([command]) => chores.includes(command));
  const each = chosen.map(([command, { name, description }]) => {
    const options = optionsOf(name);
    const words = options.map((option) => {
      const written = [`--${option.flag}`, placeholder(option.schema)].filter(Boolean).join(" ");
      const bare = option.isRequired ? written : `[${written}]`;
      return option.schema.type === "array" ? `${bare}...` : bare;
    });
    const rows = options.map((option) => {
      const negated = option.flag.startsWith("no-") ? "turns off: " : "";
      return `  --${option.flag.padEnd(20)} ${negated}${option.schema.description ?? ""}`.trimEnd();
    });
    return {
      synopsis: ["docent chore", command, "PROJECT", ...words].join(" "),
      options: [`${command}: ${firstSentence(description)}`, ...rows].join("\n"),
    };
  });
  return {
    synopsis: each.map(({ synopsis }) => synopsis).join("\n"),
    options: each.map(({ options }) => options).join("\n\n"),
  };
}

function placeholder({ type, enum: values, anyOf }: Schema): string {
  if (type === "boolean") return "";
  if (values) return values.join("|");
  if (anyOf) return "VALUE";
  return type === "integer" ? "N" : "TEXT";
}
