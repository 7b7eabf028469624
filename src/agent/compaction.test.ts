import { describe, expect, it } from "vitest";
import type { ModelMessage } from "#models/message.ts";
import { conversationTokens, estimateTokens, fitConversation, NOTHING_CUT } from "./compaction.ts";
import { withSummary } from "./short-messages.ts";

const user = (content: string): ModelMessage => ({ role: "user", content });

/** One step: a call and its result with this many characters. */
function step(at: number, characters = 3_000): ModelMessage[] {
  const id = `call_${at}`;
  const input = { path: `p${at}.md` };
  const value = `${at} `.repeat(Math.ceil(characters / `${at} `.length));
  return [
    { role: "assistant", content: [{ type: "tool-call", toolCallId: id, toolName: "read_file", input }] },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: id,
          toolName: "read_file",
          output: { type: "text", value },
          ...withSummary(`Read p${at}.md, lines 1 to 40 of 40`),
        },
      ],
    },
  ];
}

const steps = (count: number, characters?: number) =>
  Array.from({ length: count }, (_, at) => step(at, characters)).flat();
const text = (messages: readonly ModelMessage[]) => JSON.stringify(messages);

describe("a conversation that is sent to a model", () => {
  it("is unchanged while it fits", () => {
    const messages = [user("Do it."), ...steps(3)];
    const fitted = fitConversation(messages, NOTHING_CUT, 100_000);
    expect(fitted).toEqual({ messages, cut: NOTHING_CUT });
  });

  it("is cut in large steps: old results become one-line summaries, and the next step causes no further cut", () => {
    const messages = [user("Do it."), ...steps(20)];
    const { messages: sent, cut } = fitConversation(messages, NOTHING_CUT, 10_000);
    expect(conversationTokens(sent)).toBeLessThan(5_000);
    expect(text(sent)).toContain("[Read p0.md, lines 1 to 40 of 40. 3000 characters left out");
    expect(sent).toHaveLength(messages.length);
    expect(text(sent.slice(-2))).toBe(text(messages.slice(-2)));
    const longer = [...messages, ...step(20)];
    const next = fitConversation(longer, cut, 10_000);
    expect(next.cut).toEqual(cut);
    expect(text(next.messages).startsWith(text(sent).slice(0, -1))).toBe(true);
  });

  it("keeps its newest answer and results whole while they fit", () => {
    const messages = [user("Do it."), ...steps(5), ...step(9, 20_000)];
    const { messages: sent, cut } = fitConversation(messages, NOTHING_CUT, 8_000);
    expect(cut.stubbed).toBeGreaterThan(0);
    expect(sent.slice(-2)).toEqual(messages.slice(-2));
  });

  it("does not restore messages that were cut, even if there is room again", () => {
    const messages = [user("Do it."), ...steps(20)];
    const { cut } = fitConversation(messages, NOTHING_CUT, 10_000);
    expect(fitConversation(messages, cut, 1_000_000).cut).toEqual(cut);
  });

  it("summarizes old steps in one message when their lines are too long, and keeps results with their calls", () => {
    const messages = [user("Rename the product."), ...steps(400, 600)];
    const { messages: sent, cut } = fitConversation(messages, NOTHING_CUT, 10_000);
    expect(cut.folded).toBeGreaterThan(1);
    expect(conversationTokens(sent)).toBeLessThan(10_000);
    expect(sent[0]).toMatchObject({ role: "user" });
    expect(text(sent.slice(0, 1))).toMatch(/What happened so far, in short:.*Read p\d+\.md/s);
    expect(sent[1]!.role).toBe("assistant");
    const small = fitConversation([user("Rename the product."), ...steps(40, 600)], NOTHING_CUT, 4_000);
    expect(text(small.messages)).toContain("Rename the product.");
  });

  it("fits even if its newest messages alone are too large", () => {
    const messages = [user("x".repeat(60_000)), ...step(0, 100_000)];
    const { messages: sent } = fitConversation(messages, NOTHING_CUT, 8_000);
    expect(conversationTokens(sent)).toBeLessThan(9_000);
    expect(text(sent)).toContain("characters left out to save room");
    expect(sent.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  });

  it("is the same for a resumed turn", () => {
    const messages = [user("Do it."), ...steps(50)];
    const fit = () => text(fitConversation(JSON.parse(text(messages)) as ModelMessage[], NOTHING_CUT, 9_000).messages);
    expect(fit()).toBe(fit());
  });

  it("is estimated longer in a script with more tokens per character", () => {
    expect(estimateTokens("an endpoint is a place ".repeat(10))).toBe(66);
    expect(estimateTokens("端点".repeat(30))).toBe(40);
  });
});
