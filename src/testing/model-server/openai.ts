import type { Problem, ProblemKind } from "./conversation.ts";

/** Errors in the form of both OpenAI APIs. */
export function openaiError(problem: Problem): {
  status: number;
  headers: Record<string, string>;
  body: { error: OpenAIError };
} {
  const [status, error] = errors[problem.kind];
  return {
    status,
    headers: {
      "x-request-id": "req_scripted",
      ...(problem.retryAfterSeconds === undefined ? {} : { "retry-after": String(problem.retryAfterSeconds) }),
    },
    body: { error: problem.kind === "invalid" ? { ...error, message: problem.message } : error },
  };
}

export interface OpenAIError {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
}

const errors: Record<ProblemKind, [status: number, error: OpenAIError]> = {
  invalid: [400, { message: "", type: "invalid_request_error", param: null, code: null }],
  auth: [
    401,
    {
      message:
        "Incorrect API key provided: sk-pro****1234. You can find your API key at https://platform.openai.com/account/api-keys.",
      type: "invalid_request_error",
      param: null,
      code: "invalid_api_key",
    },
  ],
  no_model: [
    404,
    {
      message: "The model `no-such-model` does not exist or you do not have access to it.",
      type: "invalid_request_error",
      param: null,
      code: "model_not_found",
    },
  ],
  rate_limited: [
    429,
    {
      message: "Rate limit reached for requests per min (RPM): Limit 500, Used 500, Requested 1.",
      type: "requests",
      param: null,
      code: "rate_limit_exceeded",
    },
  ],
  no_credit: [
    429,
    {
      message: "You exceeded your current quota, please check your plan and billing details.",
      type: "insufficient_quota",
      param: null,
      code: "insufficient_quota",
    },
  ],
  overflow: [
    400,
    {
      message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
      type: "invalid_request_error",
      param: "input",
      code: "context_length_exceeded",
    },
  ],
  server_error: [
    500,
    {
      message: "The server had an error while processing your request. Sorry about that!",
      type: "server_error",
      param: null,
      code: null,
    },
  ],
  overloaded: [
    503,
    {
      message: "The engine is currently overloaded, please try again later",
      type: "server_error",
      param: null,
      code: "server_is_overloaded",
    },
  ],
};

/** The key of an `Authorization: Bearer` header. */
export function bearerKey(headers: Record<string, string | undefined>): string | null {
  return /^Bearer (\S+)$/.exec(headers["authorization"] ?? "")?.[1] ?? null;
}

export function noOutputFor(ids: string[]): string {
  return `No tool output found for function call ${ids.join(", ")}.`;
}
