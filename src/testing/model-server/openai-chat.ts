import { z } from "zod";
import {
  type Answer,
  type Message,
  Violation,
  type WireFormat,
  checkConversation,
  imageAtText,
  joinMessages,
  parseOr,
  pieces,
} from "./conversation.ts";
import { bearerKey, openaiError } from "./openai.ts";

const TextParts = z.array(z.strictObject({ type: z.literal("text"), text: z.string() }));
const Content = z.union([z.string(), TextParts]);
const ImagePart = z.strictObject({ type: z.literal("image_url"), image_url: z.strictObject({ url: z.string() }) });
const UserContent = z.union([z.string(), z.array(z.union([TextParts.element, ImagePart]))]);
const Body = z.strictObject({
  model: z.string(),
  messages: z.array(
    z.discriminatedUnion("role", [
      z.strictObject({ role: z.enum(["system", "developer"]), content: Content }),
      z.strictObject({ role: z.literal("user"), content: UserContent }),
      z.strictObject({
        role: z.literal("assistant"),
        content: z.union([Content, z.null()]).optional(),
        reasoning_content: z.string().optional(),
        tool_calls: z
          .array(
            z.strictObject({
              id: z.string(),
              type: z.literal("function"),
              function: z.strictObject({ name: z.string(), arguments: z.string() }),
            }),
          )
          .min(1)
          .optional(),
      }),
      z.strictObject({ role: z.literal("tool"), tool_call_id: z.string(), content: Content }),
    ]),
  ),
  tools: z
    .array(
      z.strictObject({
        type: z.literal("function"),
        function: z.strictObject({
          name: z.string(),
          description: z.string(),
          parameters: z.unknown(),
          strict: z.boolean().optional(),
        }),
      }),
    )
    .optional(),
  tool_choice: z.enum(["auto", "none", "required"]).optional(),
  max_tokens: z.int().min(1).optional(),
  reasoning_effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh"]).optional(),
  max_completion_tokens: z.int().min(1).optional(),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  store: z.boolean().optional(),
  temperature: z.number().optional(),
});

/** OpenAI Chat Completions, which Ollama, vLLM, llama.cpp and most gateways implement, too; as of November 2026. */
export const openaiChat: WireFormat = {
  name: "openai-chat",
  route: (path) => (path === "/v1/chat/completions" ? { model: null, streamed: null } : null),
  apiKey: bearerKey,

  read(body) {
    const parsed = Body.safeParse(body);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw new Violation(`Invalid value for '${issue?.path.join(".") ?? ""}': ${issue?.message ?? ""}`);
    }
    const request = parsed.data;
    const conversation = {
      model: request.model,
      streamed: request.stream ?? false,
      system: request.messages.flatMap((message) => (isSystem(message) ? [plain(message.content)] : [])).join("\n"),
      messages: joinMessages(request.messages.flatMap(readMessage)),
      tools: (request.tools ?? []).map(({ function: { name, description, parameters } }) => ({
        name,
        description,
        schema: parameters,
      })),
      maxOutputTokens: request.max_completion_tokens ?? request.max_tokens ?? null,
      hidesUsage: !request.stream_options?.include_usage,
    };
    checkConversation(conversation, {
      missing: (ids) =>
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(", ")}`,
    });
    return conversation;
  },

  body: (answer, { model }) => ({
    id: `chatcmpl-${answer.id}`,
    object: "chat.completion",
    created: 1_790_000_000,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: answer.text === "" ? null : answer.text,
          ...(answer.reasoning === "" ? {} : { reasoning_content: answer.reasoning }),
          refusal: null,
          ...(answer.calls.length === 0 ? {} : { tool_calls: answer.calls.map((call) => toolCall(call)) }),
        },
        logprobs: null,
        finish_reason: finishReason(answer),
      },
    ],
    usage: usageOf(answer),
  }),

  events(answer, { model, hidesUsage }) {
    const chunk = (delta: object, finish: string | null = null) =>
      event({
        id: `chatcmpl-${answer.id}`,
        object: "chat.completion.chunk",
        created: 1_790_000_000,
        model,
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      });
    return [
      chunk({ role: "assistant", content: "" }),
      ...pieces(answer.reasoning).map((reasoning_content) => chunk({ reasoning_content })),
      ...pieces(answer.text).map((content) => chunk({ content })),
      ...answer.calls.flatMap((call, index) => [
        chunk({ tool_calls: [{ index, ...toolCall({ ...call, json: "" }) }] }),
        ...pieces(call.json).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
      ]),
      chunk({}, finishReason(answer)),
      ...(hidesUsage
        ? []
        : [
            event({
              id: `chatcmpl-${answer.id}`,
              object: "chat.completion.chunk",
              created: 1_790_000_000,
              model,
              choices: [],
              usage: usageOf(answer),
            }),
          ]),
      "data: [DONE]\n\n",
    ];
  },

  error: openaiError,
  errorEvents: (problem) => [event(openaiError(problem).body), "data: [DONE]\n\n"],
};

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const plain = (content: z.output<typeof UserContent>) =>
  typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : imageAtText(part.image_url.url))).join("\n");
const toolCall = (call: Answer["calls"][number]) => ({
  id: `call_${call.id}`,
  type: "function",
  function: { name: call.name, arguments: call.json },
});
const finishReason = (answer: Answer) =>
  ({ stop: "stop", calls: "tool_calls", length: "length", filtered: "content_filter" })[answer.finish];
const usageOf = ({ usage }: Answer) => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: { cached_tokens: usage.cachedTokens },
});

type RequestMessage = z.output<typeof Body>["messages"][number];

function isSystem(message: RequestMessage): message is Extract<RequestMessage, { role: "system" | "developer" }> {
  return message.role === "system" || message.role === "developer";
}

function readMessage(message: RequestMessage): Message[] {
  switch (message.role) {
    case "system":
    case "developer":
      return [];
    case "user":
      return [{ role: "user", text: plain(message.content) }];
    case "tool":
      return [
        { role: "results", results: [{ id: message.tool_call_id, text: plain(message.content), isError: false }] },
      ];
    case "assistant": {
      const calls = (message.tool_calls ?? []).map((call) => ({
        id: call.id,
        name: call.function.name,
        input: parseOr(call.function.arguments, null),
      }));
      if (message.content === undefined && calls.length === 0)
        throw new Violation("assistant message needs content or tool_calls");
      return [{ role: "assistant", text: plain(message.content ?? ""), calls }];
    }
  }
}
