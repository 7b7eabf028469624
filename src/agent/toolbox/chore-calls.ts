import { z } from "zod";
import { schemaProblems } from "#lib/schema-words.ts";
import { nearest } from "#tools/text-file.ts";
import { MOVE_CHORE } from "#chores/move-to-docs-json.ts";
import { CHORE_FACTS } from "./tools.ts";

/** A chore with its inputs. */
export interface CalledChore {
  tool: string;
  input: Record<string, unknown>;
}

export const MAX_CHORES = 50;

/** A chore in the form that callers write: its name with its inputs. */
export type ChoreEntry = Record<string, Record<string, unknown>>;

export const entryOf = ({ tool, input }: CalledChore): ChoreEntry => ({ [tool]: input });

/** Whether one of the chores moves the site to another format, which the words of an instruction never do. */
export const movesSite = (calls: readonly CalledChore[]): boolean => calls.some(({ tool }) => tool === MOVE_CHORE);

export const choreNames = CHORE_FACTS.map(({ name }) => name);

/** The names of a chore's inputs, in order. */
export const inputsOf = (name: string): string[] => Object.keys(jsonSchemaOfChore(name).properties ?? {});

/** The inputs of a chore as JSON Schema, with its own descriptions. */
export function jsonSchemaOfChore(name: string): z.core.JSONSchema.JSONSchema {
  const chore = CHORE_FACTS.find((each) => each.name === name);
  if (!chore) throw new Error(`There is no chore ${name}.`);
  const { $schema: _, ...schema } = z.toJSONSchema(chore.input, { io: "input" });
  return schema;
}

type Problem = { path: string[]; message: string };

/** Reads one entry of a list of chores. The problems name the chore, the input and the allowed values. */
export function readChoreEntry(entry: unknown): { call: CalledChore } | { problems: Problem[] } {
  const isObject = typeof entry === "object" && entry !== null && !Array.isArray(entry);
  const pairs: [string, unknown][] = isObject ? Object.entries(entry) : [];
  const [pair, second] = pairs;
  if (!pair || second) {
    return fault([], 'must be an object with the name of one chore and its inputs: {"fix_links": {}}');
  }
  const [tool, input] = pair;
  const chore = CHORE_FACTS.find(({ name }) => name === tool);
  if (!chore)
    return fault(
      [],
      `names no chore: “${tool.slice(0, 60)}”.${meant(tool, choreNames)} Chores: ${choreNames.join(", ")}`,
    );
  if (typeof input !== "object" || input === null || Array.isArray(input))
    return fault([tool], "must be an object with the inputs of the chore");
  const parsed = chore.input.safeParse(input);
  if (parsed.success) return { call: { tool, input: input as Record<string, unknown> } };
  const known = inputsOf(tool);
  const problems = parsed.error.issues.flatMap((issue): Problem[] => {
    if (issue.code === "unrecognized_keys" && issue.path.length === 0)
      return issue.keys.map((key) => ({
        path: [tool, key.slice(0, 60)],
        message: `is no input of ${tool}.${meant(key, known)} Inputs: ${known.join(", ") || "none"}`,
      }));
    const [{ message } = { message: "is not valid" }] = schemaProblems([issue]);
    return [{ path: [tool, ...issue.path.map(String)], message }];
  });
  return { problems };
}

const fault = (path: string[], message: string) => ({ problems: [{ path, message }] });

function meant(wrong: string, candidates: readonly string[]): string {
  const [near] = nearest(wrong.replaceAll(/[-\s]+/g, "_"), candidates, 1);
  return near === undefined ? "" : ` Did you mean “${near}”?`;
}
