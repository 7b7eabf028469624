import { type ModelMessage, modelMessageSchema } from "ai";
import { z } from "zod";

export type { JSONSchema7, LanguageModelV4 } from "@ai-sdk/provider";
export type { ModelMessage } from "ai";

const Messages = z.array(modelMessageSchema);

/** Reads messages stored as JSON text; throws when they are not messages. */
export function parseMessages(json: string): ModelMessage[] {
  return Messages.parse(JSON.parse(json));
}

/** The same messages as they come back from JSON: no `undefined`, no class instances. */
export function toStorable(messages: readonly ModelMessage[]): ModelMessage[] {
  return parseMessages(JSON.stringify(messages));
}
