import { type JSONValue, type ModelMessage, modelMessageSchema } from "ai";
import { z } from "zod";

export type { LanguageModelV4 } from "@ai-sdk/provider";
export type { JSONValue, ModelMessage } from "ai";

const Messages = z.array(modelMessageSchema);

/** Reads messages stored as JSON text; throws when they are not messages. */
export function parseMessages(json: string): ModelMessage[] {
  return Messages.parse(JSON.parse(json));
}

/** The same messages as they come back from JSON: no `undefined`, no class instances. */
export function toStorable(messages: readonly ModelMessage[]): ModelMessage[] {
  return parseMessages(JSON.stringify(messages));
}

/** What a person or the loop says to the model. */
export function userMessage(text: string): ModelMessage {
  return { role: "user", content: text };
}

/** The answer to one tool call. `error` tells the model that the call did not work. */
export interface ToolAnswer {
  /** Id and name of the call as `runModelStep` gave them. */
  id: string;
  name: string;
  output: { json: JSONValue } | { text: string } | { error: string };
}

/** The message with the answers to all tool calls of one step; it must follow them, and leave none out. */
export function toolMessage(answers: readonly ToolAnswer[]): ModelMessage {
  return {
    role: "tool",
    content: answers.map(({ id, name, output }) => ({
      type: "tool-result",
      toolCallId: id,
      toolName: name,
      output:
        "json" in output
          ? { type: "json", value: output.json }
          : "text" in output
            ? { type: "text", value: output.text }
            : { type: "error-text", value: output.error },
    })),
  };
}
