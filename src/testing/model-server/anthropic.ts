import { createHash } from "node:crypto";
import { z } from "zod";
import {
  type Answer,
  type Message,
  type Problem,
  type ProblemKind,
  Violation,
  type WireFormat,
  checkConversation,
  imageText,
  joinMessages,
  parseOr,
  pieces,
} from "./conversation.ts";

const CacheControl = z.strictObject({ type: z.literal("ephemeral"), ttl: z.enum(["5m", "1h"]).optional() });
const cached = { cache_control: CacheControl.optional() };
const Text = z.strictObject({ type: z.literal("text"), text: z.string(), ...cached });
const UserPart = z.discriminatedUnion("type", [
  Text,
  z.strictObject({
    type: z.literal("image"),
    source: z.strictObject({ type: z.literal("base64"), media_type: z.string(), data: z.string().min(1) }),
    ...cached,
  }),
  z.strictObject({
    type: z.literal("tool_result"),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(Text)]).optional(),
    is_error: z.boolean().optional(),
    ...cached,
  }),
]);
const AssistantPart = z.discriminatedUnion("type", [
  Text,
  z.strictObject({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.unknown(), ...cached }),
  z.strictObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
]);
const Body = z.strictObject({
  model: z.string(),
  max_tokens: z.int().min(1),
  thinking: z.looseObject({ type: z.string() }).optional(),
  output_config: z.strictObject({ effort: z.enum(["low", "medium", "high", "xhigh", "max"]).optional() }).optional(),
  system: z.union([z.string(), z.array(Text)]).optional(),
  messages: z.array(
    z.discriminatedUnion("role", [
      z.strictObject({ role: z.literal("user"), content: z.union([z.string(), z.array(UserPart)]) }),
      z.strictObject({ role: z.literal("assistant"), content: z.union([z.string(), z.array(AssistantPart)]) }),
    ]),
  ),
  tools: z
    .array(
      z.strictObject({
        name: z.string(),
        description: z.string(),
        input_schema: z.unknown(),
        strict: z.boolean().optional(),
        ...cached,
      }),
    )
    .optional(),
  tool_choice: z
    .strictObject({ type: z.enum(["auto", "any", "none"]), disable_parallel_tool_use: z.boolean().optional() })
    .optional(),
  stream: z.boolean().optional(),
  temperature: z.number().optional(),
  ...cached,
});

/** Anthropic Messages, version 2023-06-01, as of November 2026. */
export const anthropic: WireFormat = {
  name: "anthropic",
  // Amazon Bedrock has it below /anthropic.
  route: (path) => (/^(?:\/anthropic)?\/v1\/messages$/.test(path) ? { model: null, streamed: null } : null),
  apiKey: (headers) => (headers["anthropic-version"] === "2023-06-01" ? (headers["x-api-key"] ?? null) : null),

  read(body) {
    const parsed = Body.safeParse(body);
    if (!parsed.success) throw new Violation(firstIssue(parsed.error));
    const request = parsed.data;
    const conversation = {
      model: request.model,
      streamed: request.stream ?? false,
      system:
        typeof request.system === "string"
          ? request.system
          : (request.system ?? []).map((part) => part.text).join("\n"),
      messages: joinMessages(request.messages.flatMap(readMessage)),
      tools: (request.tools ?? []).map((tool) => ({
        name: tool.name,
        description: tool.description,
        schema: tool.input_schema,
      })),
      maxOutputTokens: request.max_tokens,
    };
    checkConversation(conversation, {
      missing: (ids) =>
        `messages: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    });
    return conversation;
  },

  body: (answer, { model }) => ({
    id: `msg_${answer.id}`,
    type: "message",
    role: "assistant",
    model,
    content: contentOf(answer).map(({ start, full }) => ({ ...start, ...full })),
    stop_reason: stopReason(answer),
    stop_sequence: null,
    usage: { ...inputUsage(answer), output_tokens: answer.usage.outputTokens },
  }),

  events(answer, { model }) {
    const message = {
      id: `msg_${answer.id}`,
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
    };
    return [
      event({ type: "message_start", message: { ...message, usage: { ...inputUsage(answer), output_tokens: 1 } } }),
      event({ type: "ping" }),
      ...contentOf(answer).flatMap(({ start, deltas }, index) => [
        event({ type: "content_block_start", index, content_block: start }),
        ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
        event({ type: "content_block_stop", index }),
      ]),
      event({
        type: "message_delta",
        delta: { stop_reason: stopReason(answer), stop_sequence: null },
        usage: { output_tokens: answer.usage.outputTokens },
      }),
      event({ type: "message_stop" }),
    ];
  },

  error(problem) {
    const [status, type, message] = errors[problem.kind];
    return {
      status,
      headers: {
        "request-id": "req_scripted",
        ...(problem.retryAfterSeconds === undefined ? {} : { "retry-after": String(problem.retryAfterSeconds) }),
      },
      body: errorBody(type, problem.kind === "invalid" ? problem.message : message),
    };
  },
  errorEvents: (problem: Problem) => [event(errorBody(errors[problem.kind][1], errors[problem.kind][2]))],
};

const errors: Record<ProblemKind, [status: number, type: string, message: string]> = {
  invalid: [400, "invalid_request_error", ""],
  auth: [401, "authentication_error", "invalid x-api-key"],
  no_model: [404, "not_found_error", "model: no-such-model"],
  rate_limited: [
    429,
    "rate_limit_error",
    "This request would exceed your organization's rate limit of 50 requests per minute.",
  ],
  no_credit: [
    400,
    "invalid_request_error",
    "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
  ],
  overflow: [400, "invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"],
  server_error: [500, "api_error", "Internal server error"],
  overloaded: [529, "overloaded_error", "Overloaded"],
};

const errorBody = (type: string, message: string) => ({
  type: "error",
  error: { type, message },
  request_id: "req_scripted",
});
const event = (data: { type: string; [field: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const stopReason = (answer: Answer) =>
  ({ stop: "end_turn", calls: "tool_use", length: "max_tokens", filtered: "refusal" })[answer.finish];
const inputUsage = ({ usage }: Answer) => ({
  input_tokens: usage.inputTokens - usage.cachedTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: usage.cachedTokens,
});
/** Anthropic refuses thinking that the client has changed; so does this server. */
const signature = (thinking: string) => createHash("sha256").update(thinking).digest("base64");

type Block = { start: Record<string, unknown>; full: Record<string, unknown>; deltas: Record<string, unknown>[] };

function contentOf(answer: Answer): Block[] {
  const blocks: Block[] = [];
  if (answer.reasoning !== "") {
    const thinking = answer.reasoning;
    blocks.push({
      start: { type: "thinking", thinking: "", signature: "" },
      full: { thinking, signature: signature(thinking) },
      deltas: [
        ...pieces(thinking).map((part) => ({ type: "thinking_delta", thinking: part })),
        { type: "signature_delta", signature: signature(thinking) },
      ],
    });
  }
  if (answer.text !== "") {
    blocks.push({
      start: { type: "text", text: "" },
      full: { text: answer.text },
      deltas: pieces(answer.text).map((text) => ({ type: "text_delta", text })),
    });
  }
  for (const call of answer.calls) {
    blocks.push({
      start: { type: "tool_use", id: `toolu_${call.id}`, name: call.name, input: {} },
      full: { input: parseOr(call.json, call.json) },
      deltas: ["", ...pieces(call.json)].map((part) => ({ type: "input_json_delta", partial_json: part })),
    });
  }
  return blocks;
}

function readMessage(message: z.output<typeof Body>["messages"][number]): Message[] {
  if (typeof message.content === "string") {
    return message.role === "user"
      ? [{ role: "user", text: message.content }]
      : [{ role: "assistant", text: message.content, calls: [] }];
  }
  if (message.content.length === 0) throw new Violation("messages: content must not be empty");
  return message.content.map((part): Message => {
    if (part.type === "text") {
      if (part.text.trim() === "")
        throw new Violation("messages: text content blocks must contain non-whitespace text");
      return message.role === "user"
        ? { role: "user", text: part.text }
        : { role: "assistant", text: part.text, calls: [] };
    }
    if (part.type === "image") return { role: "user", text: imageText(part.source.media_type, part.source.data) };
    if (part.type === "thinking") {
      if (part.signature !== signature(part.thinking))
        throw new Violation("messages: Invalid `signature` in `thinking` block");
      return { role: "assistant", text: "", calls: [] };
    }
    if (part.type === "tool_use")
      return { role: "assistant", text: "", calls: [{ id: part.id, name: part.name, input: part.input }] };
    const text =
      typeof part.content === "string" ? part.content : (part.content ?? []).map((one) => one.text).join("\n");
    return { role: "results", results: [{ id: part.tool_use_id, text, isError: part.is_error ?? false }] };
  });
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  return `${issue?.path.join(".") || "body"}: ${issue?.message ?? "invalid"}`;
}
