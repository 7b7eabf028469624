import type { z } from "zod";
import { type CalledChore, jsonSchemaOfChore, readChoreEntry } from "#agent/toolbox/chore-calls.ts";
import { AppError } from "#lib/app-error.ts";

type Schema = z.core.JSONSchema.JSONSchema;

/** An input of a chore as a field of a form. */
export interface ChoreInput {
  name: string;
  label: string;
  schema: Schema;
  isRequired: boolean;
}

export function choreInputs(chore: string): ChoreInput[] {
  const { properties = {}, required = [] } = jsonSchemaOfChore(chore);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    label: name
      .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
      .replace(/^./, (letter) => letter.toUpperCase()),
    schema: schema as Schema,
    isRequired: required.includes(name),
  }));
}

/** The chore of a submitted form. An empty field leaves its input out. `AppError invalid`. */
export function choreOfForm(chore: string, given: Readonly<Record<string, string>>): CalledChore {
  const input: Record<string, unknown> = {};
  for (const { name, schema, isRequired } of choreInputs(chore)) {
    const text = given[name] ?? "";
    if (text.trim() === "" && !(isRequired && schema.type === "string" && schema.minLength === undefined)) continue;
    const value = valueOf(schema, text);
    if (value !== schema.default) input[name] = value;
  }
  const read = readChoreEntry({ [chore]: input });
  if ("call" in read) return read.call;
  const [{ path, message } = { path: [], message: "is not valid" }] = read.problems;
  throw new AppError(
    "invalid",
    `${[...path.slice(1), message].join(" ").trim()}.`.replace(/^./, (letter) => letter.toUpperCase()),
  );
}

function valueOf(schema: Schema, text: string): unknown {
  if (schema.type === "boolean") return text === "yes";
  if (schema.type === "integer") return Number(text);
  if (schema.type === "array")
    return text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== "");
  if (schema.anyOf === undefined) return text;
  // Text that parses as JSON is a number, boolean, null or list. Any other text is a string.
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
