import { z } from "zod";
import type { ReportedUsage } from "./reply.ts";

/** Progress of a response; usage of a truncated response is estimated from it. */
export interface Received {
  /** From here on the provider charges, even for a response that never ends. */
  isStarted: boolean;
  characters: number;
  usage: ReportedUsage;
  /** The text of the answer so far. */
  text: string;
  /** The tool whose call is being written; null while none is. */
  tool: string | null;
  /** Called after each change; it must return at once. */
  onChange: ((received: Readonly<Received>) => void) | undefined;
}

export const nothingReceived = (onChange?: Received["onChange"]): Received => ({
  isStarted: false,
  characters: 0,
  usage: {},
  text: "",
  tool: null,
  onChange,
});

const tokens = z.number().optional().catch(undefined);
// Anthropic reports input tokens at the start, Google in every chunk, the others only at the end (November 2026).
const Anthropic = z.object({
  type: z.literal("message_start"),
  message: z.object({
    usage: z.object({ input_tokens: tokens, cache_read_input_tokens: tokens, cache_creation_input_tokens: tokens }),
  }),
});
const Google = z.object({
  usageMetadata: z.object({ promptTokenCount: tokens, cachedContentTokenCount: tokens }),
});

/** The usage in one event of a provider's stream; null if it has none. */
export function usageOfEvent(event: unknown): ReportedUsage | null {
  const anthropic = Anthropic.safeParse(event).data?.message.usage;
  if (anthropic) {
    const {
      input_tokens: fresh = 0,
      cache_read_input_tokens: read = 0,
      cache_creation_input_tokens: written = 0,
    } = anthropic;
    return { inputTokens: fresh + read + written, cachedTokens: read, cacheWriteTokens: written };
  }
  const google = Google.safeParse(event).data?.usageMetadata;
  return google ? { inputTokens: google.promptTokenCount, cachedTokens: google.cachedContentTokenCount } : null;
}
