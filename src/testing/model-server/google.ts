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

const Part = z.union([
  z.strictObject({ inlineData: z.strictObject({ mimeType: z.string(), data: z.string().min(1) }) }),
  z.strictObject({ text: z.string(), thought: z.boolean().optional(), thoughtSignature: z.string().optional() }),
  z.strictObject({
    functionCall: z.strictObject({ id: z.string().optional(), name: z.string(), args: z.unknown() }),
    thoughtSignature: z.string().optional(),
  }),
  z.strictObject({
    functionResponse: z.strictObject({
      id: z.string().optional(),
      name: z.string(),
      response: z.record(z.string(), z.unknown()),
    }),
  }),
]);
const Body = z.strictObject({
  contents: z.array(z.strictObject({ role: z.enum(["user", "model"]), parts: z.array(Part).min(1) })),
  systemInstruction: z.strictObject({ parts: z.array(z.strictObject({ text: z.string() })) }).optional(),
  generationConfig: z.looseObject({ maxOutputTokens: z.int().min(1).optional() }).optional(),
  tools: z
    .array(
      z.strictObject({
        functionDeclarations: z.array(
          z.strictObject({
            name: z.string(),
            description: z.string(),
            parameters: z.unknown().optional(),
            parametersJsonSchema: z.unknown().optional(),
          }),
        ),
      }),
    )
    .optional(),
  toolConfig: z
    .strictObject({
      functionCallingConfig: z.strictObject({ mode: z.enum(["AUTO", "ANY", "NONE", "VALIDATED"]) }).optional(),
    })
    .optional(),
});

// The second is Vertex AI's.
const PATH = /^(?:\/v1beta|\/v1\/publishers\/google)\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

/** Google Gemini `generateContent`, v1beta, as of November 2026, with the signatures that Gemini 3 requires. */
export const google: WireFormat = {
  name: "google",
  route(path) {
    const match = PATH.exec(path);
    return match && { model: decodeURIComponent(match[1] ?? ""), streamed: match[2] === "streamGenerateContent" };
  },
  apiKey: (headers) => headers["x-goog-api-key"] ?? null,

  read(body, route) {
    const parsed = Body.safeParse(body);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw new Violation(`Invalid JSON payload received. ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
    }
    const request = parsed.data;
    const conversation = {
      model: route.model ?? "",
      streamed: route.streamed ?? false,
      system: (request.systemInstruction?.parts ?? []).map((part) => part.text).join("\n"),
      messages: joinMessages(readContents(request.contents)),
      tools: (request.tools ?? []).flatMap((tool) =>
        tool.functionDeclarations.map((declared) => ({
          name: declared.name,
          description: declared.description,
          // A tool without parameters is declared without a schema.
          schema: declared.parametersJsonSchema ?? declared.parameters ?? { type: "object" },
        })),
      ),
      maxOutputTokens: request.generationConfig?.maxOutputTokens ?? null,
    };
    checkConversation(conversation, {
      missing: () =>
        "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    });
    return conversation;
  },

  body: (answer, { model }) => chunk({ answer, model, parts: contentParts(answer), isLast: true }),

  events(answer, { model }) {
    const parts = contentParts(answer).flatMap((part) =>
      "text" in part ? pieces(String(part["text"])).map((text) => ({ ...part, text })) : [part],
    );
    return [
      ...parts.map((part) => event(chunk({ answer, model, parts: [part], isLast: false }))),
      event(chunk({ answer, model, parts: [], isLast: true })),
    ];
  },

  error(problem) {
    const body = errorBody(problem);
    return { status: body.error.code, body };
  },
  errorEvents: (problem) => [event(errorBody(problem))],
};

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

function chunk({ answer, model, parts, isLast }: { answer: Answer; model: string; parts: object[]; isLast: boolean }) {
  const malformed = answer.calls.some((call) => !isObject(parseOr(call.json, null)));
  const reasons = { stop: "STOP", calls: "STOP", length: "MAX_TOKENS", filtered: "SAFETY" };
  return {
    candidates: [
      {
        content: { ...(parts.length > 0 ? { parts } : {}), role: "model" },
        ...(isLast ? { finishReason: malformed ? "MALFORMED_FUNCTION_CALL" : reasons[answer.finish] } : {}),
        index: 0,
      },
    ],
    ...(isLast
      ? {
          usageMetadata: {
            promptTokenCount: answer.usage.inputTokens,
            cachedContentTokenCount: answer.usage.cachedTokens,
            candidatesTokenCount: answer.usage.outputTokens,
            totalTokenCount: answer.usage.inputTokens + answer.usage.outputTokens,
          },
        }
      : {}),
    modelVersion: model,
    responseId: answer.id,
  };
}

function contentParts(answer: Answer): Record<string, unknown>[] {
  const parts: Record<string, unknown>[] = [];
  if (answer.reasoning !== "") parts.push({ text: answer.reasoning, thought: true });
  if (answer.text !== "") parts.push({ text: answer.text });
  for (const [index, call] of answer.calls.entries()) {
    // Arguments are an object here; anything else ends as MALFORMED_FUNCTION_CALL without a call.
    const args = parseOr(call.json, null);
    if (!isObject(args)) continue;
    parts.push({ functionCall: { name: call.name, args }, ...(index === 0 ? { thoughtSignature: SIGNATURE } : {}) });
  }
  return parts;
}

const SIGNATURE = Buffer.from("scripted thought").toString("base64");

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Gemini gives calls no ids: results are matched by name and order. */
function readContents(contents: z.output<typeof Body>["contents"]): Message[] {
  let open: { id: string; name: string }[] = [];
  return contents.flatMap(({ role, parts }, index) => {
    const calls = parts.filter((part) => "functionCall" in part);
    if (calls[0] && !calls[0].thoughtSignature)
      throw new Violation("Function call is missing a thought_signature in functionCall parts.");
    const opened: typeof open = [];
    const messages = parts.map((part, position): Message => {
      if ("functionCall" in part) {
        if (role !== "model") throw new Violation("function call parts belong to the model");
        const call = { id: part.functionCall.id ?? `${index}_${position}`, name: part.functionCall.name };
        opened.push(call);
        return { role: "assistant", text: "", calls: [{ ...call, input: part.functionCall.args }] };
      }
      if ("functionResponse" in part) {
        const { id, name, response } = part.functionResponse;
        const call = open.find((one) => one.name === name && (id === undefined || one.id === id));
        open = open.filter((one) => one !== call);
        return {
          role: "results",
          results: [{ id: call?.id ?? `unasked_${name}`, text: resultText(response), isError: "error" in response }],
        };
      }
      if ("inlineData" in part)
        return { role: "user", text: imageText(part.inlineData.mimeType, part.inlineData.data) };
      return role === "user"
        ? { role: "user", text: part.text }
        : { role: "assistant", text: part.thought ? "" : part.text, calls: [] };
    });
    if (opened.length > 0) open = opened;
    return messages;
  });
}

function resultText(response: Record<string, unknown>): string {
  const value = response["error"] ?? response["content"] ?? response;
  return typeof value === "string" ? value : JSON.stringify(value);
}

const errors: Record<ProblemKind, [code: number, status: string, message: string]> = {
  invalid: [400, "INVALID_ARGUMENT", ""],
  auth: [400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."],
  no_model: [
    404,
    "NOT_FOUND",
    "models/no-such-model is not found for API version v1beta, or is not supported for generateContent.",
  ],
  rate_limited: [429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."],
  no_credit: [
    429,
    "RESOURCE_EXHAUSTED",
    "You exceeded your current quota, please check your plan and billing details.",
  ],
  overflow: [
    400,
    "INVALID_ARGUMENT",
    "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
  ],
  server_error: [
    500,
    "INTERNAL",
    "An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting",
  ],
  overloaded: [503, "UNAVAILABLE", "The model is overloaded. Please try again later."],
};

function errorBody(problem: Problem) {
  const [code, status, message] = errors[problem.kind];
  const details: object[] = [];
  if (problem.kind === "auth")
    details.push({
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: "API_KEY_INVALID",
      domain: "googleapis.com",
    });
  // Google sends the delay in the body, not in a header.
  if (problem.retryAfterSeconds !== undefined) {
    details.push({ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${problem.retryAfterSeconds}s` });
  }
  return {
    error: {
      code,
      message: problem.kind === "invalid" ? problem.message : message,
      status,
      ...(details.length > 0 ? { details } : {}),
    },
  };
}
