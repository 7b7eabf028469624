import { imagesIn, type ModelMessage } from "#models/message.ts";
import { folded, shortened, stubbed } from "./short-messages.ts";

// Rough estimates, because the provider counts only after the call: for English, code and JSON, and for other scripts.
const CHARACTERS_PER_TOKEN = 3.5;
const OTHER_CHARACTERS_PER_TOKEN = 1.5;

// Anthropic's count for an image of 1.15 megapixels (November 2026); other providers count 250 to 2,500.
const TOKENS_PER_IMAGE = 1_600;

// The part that is kept when the conversation is cut. A smaller part makes cuts rarer, so that more requests share
// their start with the previous one (80 % of them with 32,000 tokens).
const KEPT_PART = 0.4;

/** Where a conversation is cut: it is one text before `folded`, and has one-line results before `stubbed`. */
export interface Cut {
  stubbed: number;
  folded: number;
}

export const NOTHING_CUT: Cut = { stubbed: 0, folded: 0 };

export function estimateTokens(text: string): number {
  const others = text.match(/[\u0250-\uffff]/g)?.length ?? 0;
  return Math.ceil((text.length - others) / CHARACTERS_PER_TOKEN + others / OTHER_CHARACTERS_PER_TOKEN);
}

/** The number of characters in this many tokens, for English, code and JSON. */
export const charactersFor = (tokens: number): number => Math.max(0, Math.floor(tokens * CHARACTERS_PER_TOKEN));

const known = new WeakMap<ModelMessage, number>();

function tokensOf(message: ModelMessage): number {
  const tokens =
    known.get(message) ?? estimateTokens(JSON.stringify(message.content)) + imagesIn(message) * TOKENS_PER_IMAGE;
  known.set(message, tokens);
  return tokens;
}

export const conversationTokens = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + tokensOf(message), 0);

/**
 * The conversation to send to the model. Earlier cuts persist, and while the rest fits `limitTokens` nothing else
 * changes, so that the start of the request is a cache hit. Otherwise it is cut to two fifths of the limit: old results
 * become one-line summaries, then old steps become one text, and finally even the newest texts are shortened. A pure
 * function of the stored conversation, so that a resumed turn sends the same.
 */
export function fitConversation(
  messages: readonly ModelMessage[],
  before: Cut,
  limitTokens: number,
): { messages: ModelMessage[]; cut: Cut } {
  const target = Math.floor(limitTokens * KEPT_PART);
  const view = (cut: Cut): ModelMessage[] => {
    const stubbedTo = Math.max(cut.stubbed, cut.folded);
    return [
      ...folded(messages.slice(0, cut.folded), charactersFor(target / 2)),
      ...messages.slice(cut.folded, stubbedTo).map(stubbed),
      ...messages.slice(stubbedTo),
    ];
  };
  let cut: Cut = {
    stubbed: Math.min(before.stubbed, messages.length),
    folded: Math.min(before.folded, messages.length),
  };
  let tokens = conversationTokens(view(cut));
  if (tokens <= limitTokens) return { messages: view(cut), cut };

  const newest = Math.max(
    0,
    messages.findLastIndex(({ role }) => role === "assistant"),
  );
  while (tokens > target && cut.stubbed < newest) {
    const next = messages[cut.stubbed]!;
    if (cut.stubbed >= cut.folded) tokens -= tokensOf(next) - tokensOf(stubbed(next));
    cut = { ...cut, stubbed: cut.stubbed + 1 };
  }
  while (tokens > target) {
    // A result must stay with its call.
    const next = messages.findIndex(({ role }, index) => index > cut.folded && role !== "tool");
    if (next === -1 || next > newest) break;
    cut = { ...cut, folded: next };
    tokens = conversationTokens(view(cut));
  }
  const fitting = view(cut);
  if (tokens <= limitTokens) return { messages: fitting, cut };
  return { messages: shortened(fitting, charactersFor(limitTokens)), cut };
}
