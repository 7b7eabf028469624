import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { CHORE_FACTS } from "#agent/toolbox/tools.ts";
import { type CalledChore, jsonSchemaOfChore, MAX_CHORES, readChoreEntry } from "#agent/toolbox/chore-calls.ts";
import type { HttpEnv } from "#kit/http/context.ts";

const schemaNameOf = (chore: string) =>
  `${chore.replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase())}Chore`;

const LIST = {
  type: "array" as const,
  items: { $ref: "#/components/schemas/AgentChore" },
  minItems: 1,
  maxItems: MAX_CHORES,
  example: [{ replace_term: { from: "Harbor Cloud", to: "Harbor Platform" } }],
};

/** A list of chores, each an object with its name and its inputs. */
export const Chores = z
  .array(z.unknown())
  .min(1, "must have a chore")
  .max(MAX_CHORES)
  .transform((entries, context): CalledChore[] =>
    entries.flatMap((entry, index) => {
      const read = readChoreEntry(entry);
      if ("call" in read) return [read.call];
      for (const { path, message } of read.problems)
        context.addIssue({ code: "custom", path: [index, ...path], message, input: entry });
      return [];
    }),
  )
  .openapi({ ...LIST, description: "Chores to carry out in order, either all of them or none." });

/** The chores of a job or a message. */
export const JobChores = Chores.openapi({
  ...LIST,
  description:
    "Chores to carry out in order without a model, either all of them or none. `prompt` then explains their purpose to people and is not carried out. If `prompt` is omitted, the server describes the chores in words.",
});

/** Registers a schema for each chore in the OpenAPI document, derived from the chore's own inputs. */
export function documentChores(routes: OpenAPIHono<HttpEnv>): void {
  const register = (name: string, schema: object) => routes.openAPIRegistry.registerComponent("schemas", name, schema);
  for (const { name, description } of CHORE_FACTS) {
    register(schemaNameOf(name), {
      type: "object",
      description,
      properties: { [name]: { ...jsonSchemaOfChore(name), description: "Inputs of the chore." } },
      required: [name],
      additionalProperties: false,
    });
  }
  register("AgentChore", {
    description: "Chore: an object that maps the name of the chore to its inputs.",
    oneOf: CHORE_FACTS.map(({ name }) => ({ $ref: `#/components/schemas/${schemaNameOf(name)}` })),
  });
}
