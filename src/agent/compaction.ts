import type { ModelMessage } from "#models/message.ts";

// A rough rule for English, code and JSON; the provider's own count comes only after the call.
const CHARACTERS_PER_TOKEN = 3.5;
const MIN_STUBBED_LENGTH = 400;

export function estimateTokens(messages: readonly ModelMessage[]): number {
  let characters = 0;
  for (const message of messages) characters += JSON.stringify(message.content).length;
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/**
 * The conversation as it is sent to the model: whole while it fits `budgetTokens`, else with old tool results and old
 * tool inputs cut to one line, oldest first. Prompts and the newest `recentMessages` stay as they are. A pure function
 * of the stored conversation, so that a resumed turn sends the same.
 */
export function compactConversation(
  messages: readonly ModelMessage[],
  { budgetTokens, recentMessages }: { budgetTokens: number; recentMessages: number },
): ModelMessage[] {
  const compacted = [...messages];
  let excess = estimateTokens(compacted) - budgetTokens;
  for (let index = 0; index < compacted.length - recentMessages && excess > 0; index++) {
    const before = compacted[index]!;
    const after = stubbed(before);
    excess -= estimateTokens([before]) - estimateTokens([after]);
    compacted[index] = after;
  }
  return compacted;
}

function stubbed(message: ModelMessage): ModelMessage {
  if (message.role === "tool") {
    return {
      ...message,
      content: message.content.map((part) => {
        if (part.type !== "tool-result") return part;
        const length = JSON.stringify(part.output).length;
        if (length < MIN_STUBBED_LENGTH) return part;
        return {
          ...part,
          output: {
            type: "text",
            value: `[${length} characters left out to save room; call the tool again if you need them]`,
          },
        };
      }),
    };
  }
  if (message.role === "assistant" && typeof message.content !== "string") {
    return {
      ...message,
      content: message.content.map((part) => {
        if (part.type !== "tool-call" || JSON.stringify(part.input).length < MIN_STUBBED_LENGTH) return part;
        return { ...part, input: { leftOut: "input left out to save room" } };
      }),
    };
  }
  return message;
}
