import { z } from "zod";
import {
  type Answer,
  type Conversation,
  type Message,
  Violation,
  type WireFormat,
  checkConversation,
  imageAtText,
  joinMessages,
  parseOr,
  pieces,
} from "./conversation.ts";
import { bearerKey, noOutputFor, openaiError } from "./openai.ts";

const InputText = z.array(z.strictObject({ type: z.literal("input_text"), text: z.string() }));
const InputImage = z.strictObject({
  type: z.literal("input_image"),
  image_url: z.string(),
  detail: z.enum(["low", "high", "auto"]).optional(),
});
const OutputText = z.array(z.looseObject({ type: z.literal("output_text"), text: z.string() }));
const Item = z.union([
  z.strictObject({
    type: z.literal("message").optional(),
    role: z.enum(["system", "developer"]),
    content: z.union([z.string(), InputText]),
  }),
  z.strictObject({
    type: z.literal("message").optional(),
    role: z.literal("user"),
    content: z.union([z.string(), z.array(z.union([InputText.element, InputImage]))]),
  }),
  z.strictObject({
    type: z.literal("message").optional(),
    role: z.literal("assistant"),
    content: z.union([z.string(), OutputText]),
    id: z.string().optional(),
    phase: z.string().nullish(),
  }),
  z.strictObject({
    type: z.literal("function_call"),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
    id: z.string().optional(),
  }),
  z.strictObject({ type: z.literal("function_call_output"), call_id: z.string(), output: z.string() }),
  z.strictObject({
    type: z.literal("reasoning"),
    id: z.string().optional(),
    encrypted_content: z.string().nullish(),
    summary: z.array(z.strictObject({ type: z.literal("summary_text"), text: z.string() })),
  }),
  z.strictObject({ type: z.literal("item_reference"), id: z.string() }),
]);
const Body = z.strictObject({
  model: z.string(),
  input: z.array(Item),
  instructions: z.string().optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal("function"),
        name: z.string(),
        description: z.string(),
        parameters: z.unknown(),
        strict: z.boolean().nullish(),
      }),
    )
    .optional(),
  tool_choice: z.enum(["auto", "none", "required"]).optional(),
  max_output_tokens: z.int().min(16).optional(),
  stream: z.boolean().optional(),
  store: z.boolean().optional(),
  include: z.array(z.string()).optional(),
  reasoning: z.looseObject({}).optional(),
  temperature: z.number().optional(),
  parallel_tool_calls: z.boolean().optional(),
});

/** OpenAI Responses, as of November 2026. */
export const openaiResponses: WireFormat = {
  name: "openai-responses",
  // Azure and Amazon Bedrock have it below /openai; Azure also takes the key in a header of its own.
  route: (path) => (/^(?:\/openai)?\/v1\/responses$/.test(path) ? { model: null, streamed: null } : null),
  apiKey: (headers) => headers["api-key"] ?? bearerKey(headers),

  read(body) {
    const parsed = Body.safeParse(body);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw new Violation(`Invalid value for '${issue?.path.join(".") ?? ""}': ${issue?.message ?? ""}`);
    }
    const request = parsed.data;
    checkReasoning(request);
    const conversation: Conversation = {
      model: request.model,
      streamed: request.stream ?? false,
      system: [
        request.instructions ?? "",
        ...request.input.flatMap((item) =>
          "role" in item && (item.role === "system" || item.role === "developer") ? [plain(item.content)] : [],
        ),
      ]
        .join("\n")
        .trim(),
      messages: joinMessages(request.input.flatMap(readItem)),
      tools: (request.tools ?? []).map(({ name, description, parameters }) => ({
        name,
        description,
        schema: parameters,
      })),
      maxOutputTokens: request.max_output_tokens ?? null,
    };
    checkConversation(conversation, { missing: noOutputFor });
    return conversation;
  },

  body: (answer, { model }) => response(answer, model),

  events(answer, { model }) {
    const started = { ...response(answer, model), status: "in_progress", output: [], usage: null };
    const done = response(answer, model);
    return numbered([
      { type: "response.created", response: started },
      { type: "response.in_progress", response: started },
      ...outputItems(answer).flatMap((item, output_index) => itemEvents(item, output_index)),
      { type: done.status === "incomplete" ? "response.incomplete" : "response.completed", response: done },
    ]);
  },

  error: openaiError,
  errorEvents(problem) {
    const { error } = openaiError(problem).body;
    return numbered([{ type: "error", code: error.code, message: error.message, param: error.param }], 90);
  },
};

type Item =
  | { type: "reasoning"; id: string; summary: { type: "summary_text"; text: string }[]; encrypted_content: string }
  | {
      type: "message";
      id: string;
      status: string;
      role: "assistant";
      content: { type: "output_text"; text: string; annotations: never[] }[];
    }
  | { type: "function_call"; id: string; status: string; call_id: string; name: string; arguments: string };

function outputItems(answer: Answer): Item[] {
  const items: Item[] = [];
  if (answer.reasoning !== "") {
    items.push({
      type: "reasoning",
      id: `rs_${answer.id}`,
      summary: [{ type: "summary_text", text: answer.reasoning }],
      encrypted_content: Buffer.from(answer.reasoning).toString("base64"),
    });
  }
  if (answer.text !== "") {
    const content = [{ type: "output_text" as const, text: answer.text, annotations: [] }];
    items.push({ type: "message", id: `msg_${answer.id}`, status: "completed", role: "assistant", content });
  }
  for (const call of answer.calls) {
    items.push({
      type: "function_call",
      id: `fc_${call.id}`,
      status: "completed",
      call_id: `call_${call.id}`,
      name: call.name,
      arguments: call.json,
    });
  }
  return items;
}

function response(answer: Answer, model: string) {
  const reason = { stop: null, calls: null, length: "max_output_tokens", filtered: "content_filter" }[answer.finish];
  return {
    id: `resp_${answer.id}`,
    object: "response",
    created_at: 1_790_000_000,
    status: reason === null ? "completed" : "incomplete",
    error: null,
    incomplete_details: reason === null ? null : { reason },
    model,
    output: outputItems(answer),
    parallel_tool_calls: true,
    store: false,
    usage: {
      input_tokens: answer.usage.inputTokens,
      input_tokens_details: { cached_tokens: answer.usage.cachedTokens },
      output_tokens: answer.usage.outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: answer.usage.inputTokens + answer.usage.outputTokens,
    },
  };
}

function itemEvents(item: Item, output_index: number): Event[] {
  const at = { output_index, item_id: item.id };
  const done = { type: "response.output_item.done", output_index, item };
  if (item.type === "reasoning") {
    const part = { ...at, summary_index: 0 };
    const text = item.summary[0]?.text ?? "";
    return [
      { type: "response.output_item.added", output_index, item: { ...item, summary: [], encrypted_content: "" } },
      { type: "response.reasoning_summary_part.added", ...part, part: { type: "summary_text", text: "" } },
      ...pieces(text).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...part, delta })),
      { type: "response.reasoning_summary_text.done", ...part, text },
      { type: "response.reasoning_summary_part.done", ...part, part: { type: "summary_text", text } },
      done,
    ];
  }
  if (item.type === "message") {
    const text = item.content[0]?.text ?? "";
    const part = { ...at, content_index: 0 };
    return [
      { type: "response.output_item.added", output_index, item: { ...item, status: "in_progress", content: [] } },
      { type: "response.content_part.added", ...part, part: { type: "output_text", text: "", annotations: [] } },
      ...pieces(text).map((delta) => ({ type: "response.output_text.delta", ...part, delta, logprobs: [] })),
      { type: "response.output_text.done", ...part, text, logprobs: [] },
      { type: "response.content_part.done", ...part, part: item.content[0] },
      done,
    ];
  }
  return [
    { type: "response.output_item.added", output_index, item: { ...item, status: "in_progress", arguments: "" } },
    ...pieces(item.arguments).map((delta) => ({ type: "response.function_call_arguments.delta", ...at, delta })),
    { type: "response.function_call_arguments.done", ...at, name: item.name, arguments: item.arguments },
    done,
  ];
}

interface Event {
  type: string;
  [field: string]: unknown;
}

function numbered(events: Event[], from = 0): string[] {
  return events.map(
    (data, index) => `event: ${data.type}\ndata: ${JSON.stringify({ ...data, sequence_number: from + index })}\n\n`,
  );
}

/** This server stores nothing, so references by id do not exist. */
function checkReasoning(request: z.output<typeof Body>): void {
  for (const item of request.input) {
    if (item.type === "item_reference" || (item.type === "reasoning" && !item.encrypted_content)) {
      throw new Violation(
        `Item with id '${item.id ?? ""}' not found. Items are not persisted when \`store\` is set to false.`,
      );
    }
  }
  const last = request.input.at(-1);
  if (last?.type === "reasoning")
    throw new Violation("Item of type 'reasoning' was provided without its required following item.");
}

function readItem(item: z.output<typeof Item>): Message[] {
  if (item.type === "function_call") {
    return [
      {
        role: "assistant",
        text: "",
        calls: [{ id: item.call_id, name: item.name, input: parseOr(item.arguments, null) }],
      },
    ];
  }
  if (item.type === "function_call_output")
    return [{ role: "results", results: [{ id: item.call_id, text: item.output, isError: false }] }];
  if (!("role" in item)) return [];
  if (item.role === "user") return [{ role: "user", text: plain(item.content) }];
  if (item.role === "assistant") return [{ role: "assistant", text: plain(item.content), calls: [] }];
  return [];
}

function plain(content: string | ({ text: string } | { image_url: string })[]): string {
  if (typeof content === "string") return content;
  return content.map((part) => ("text" in part ? part.text : imageAtText(part.image_url))).join("\n");
}
