import {
  APICallError,
  InvalidPromptError,
  InvalidResponseDataError,
  LoadAPIKeyError,
  NoSuchModelError,
} from "@ai-sdk/provider";
import { MissingToolResultsError, RetryError } from "ai";
import { z } from "zod";
import { redact } from "#lib/secret-scan.ts";

/** Why a call to a model gave nothing. The codes a job can end with are among them. */
export type ModelFailureCode =
  | "cancelled"
  | "model_auth"
  | "model_not_found"
  | "quota_exceeded"
  | "rate_limited"
  | "model_unavailable"
  | "model_timeout"
  | "context_overflow"
  | "refused"
  | "model_error";

/** One failed model call as a value. */
export interface ModelFailure {
  code: ModelFailureCode;
  /** For a person: what happened, in one or two sentences, with the provider's own words where they help. No secrets. */
  message: string;
  /** What the person can do about it. */
  hint: string;
  /** Whether the same call may succeed later without anybody changing anything. */
  retryable: boolean;
  /** How long the provider asks us to wait; null when it does not say. */
  retryAfterMs: number | null;
  /** HTTP status of the answer; null when there was none. */
  status: number | null;
}

/** Thrown inside this folder where the SDK has no error of its own for what happened. */
export class ModelCallError extends Error {
  readonly code: ModelFailureCode;
  readonly retryable: boolean;

  constructor(code: ModelFailureCode, message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = "ModelCallError";
    this.code = code;
    this.retryable = options.retryable;
  }
}

/** A provider's report of an error inside a stream, which may be a plain object. */
export class StreamedError extends Error {
  readonly reported: unknown;

  constructor(reported: unknown) {
    super("the stream reported an error");
    this.name = "StreamedError";
    this.reported = reported;
  }
}

const hints: Record<ModelFailureCode, string> = {
  cancelled: "Send a message to the job to start again.",
  model_auth: "Check the API key set for this provider and that it may use this model.",
  model_not_found: "Check the name of the model; the settings of the provider list those that can be used.",
  quota_exceeded: "Add credit or raise the spending limit at the provider, then send the message again.",
  rate_limited: "Wait, or raise the rate limit at the provider, then send the message again.",
  model_unavailable: "Check that the provider is up and its address right, then send the message again.",
  model_timeout: "Send the message again; for a slow model raise the time limit of a model call.",
  context_overflow: "Ask for less at once, or choose a model with a larger context window.",
  refused: "Word the request differently, or choose another model.",
  model_error: "Send the message again; if it stays, look into the server log.",
};

// The parts of an error that say what it is, wherever the provider's package put them.
const Facts = z.object({
  message: z.string().catch(""),
  name: z.string().optional().catch(undefined),
  statusCode: z.number().optional().catch(undefined),
  type: z.string().optional().catch(undefined),
  code: z.union([z.string(), z.number()]).optional().catch(undefined),
  status: z.string().optional().catch(undefined),
});
// Anthropic, OpenAI, Google; vLLM before 0.10 and some gateways leave out the outer `error`; Google wraps it in a list.
const Body = z.union([
  z
    .array(z.looseObject({ error: z.looseObject({}) }))
    .min(1)
    .transform((list) => list[0]?.error),
  z.object({ error: z.looseObject({}) }).transform((body) => body.error),
  z.object({ error: z.string() }).transform((body) => ({ message: body.error })),
  z.object({ object: z.literal("error") }).loose(),
]);
const GoogleDetails = z.object({
  details: z.array(
    z.looseObject({ "@type": z.string().optional(), retryDelay: z.string().optional(), reason: z.string().optional() }),
  ),
});

interface Facts extends z.infer<typeof Facts> {
  headers: Record<string, string>;
  retryable: boolean | null;
  googleDetails: z.infer<typeof GoogleDetails>["details"];
}

/** Turns whatever a model call threw into a `ModelFailure`. Decides on status, type and code, then on known wordings. */
export function toModelFailure(error: unknown, context: { model: string; now: Date }): ModelFailure {
  const inner = RetryError.isInstance(error) ? error.lastError : error;
  const reported = inner instanceof StreamedError ? inner.reported : inner;
  const cause = isBrokenConnection(reported)
    ? new ModelCallError("model_unavailable", "the connection broke off in the middle of the answer", {
        retryable: true,
        cause: reported,
      })
    : reported;
  const facts = readFacts(cause);
  const code = cause instanceof ModelCallError ? cause.code : classify(cause, facts);
  const waiting = code === "rate_limited" || code === "model_unavailable" || code === "model_timeout";
  const retryable =
    cause instanceof ModelCallError ? cause.retryable : waiting && facts.headers["x-should-retry"] !== "false";
  return {
    code,
    message: `${context.model}: ${sentence(code, facts)}`,
    hint: hints[code],
    retryable,
    retryAfterMs: retryable ? retryAfterMs(facts, context.now) : null,
    status: facts.statusCode ?? null,
  };
}

function readFacts(error: unknown): Facts {
  const outer = Facts.safeParse(error).data ?? Facts.parse({ message: typeof error === "string" ? error : "" });
  const isCall = APICallError.isInstance(error);
  const body = isCall
    ? (Body.safeParse(error.data).data ?? Body.safeParse(parseJson(error.responseBody)).data)
    : Body.safeParse(error).data;
  const inner = body === undefined ? undefined : Facts.parse(body);
  return {
    message: inner?.message || outer.message,
    name: outer.name,
    statusCode: outer.statusCode ?? (typeof inner?.code === "number" ? inner.code : undefined),
    type: inner?.type ?? outer.type,
    code: inner?.code ?? outer.code,
    status: inner?.status,
    headers: isCall ? (error.responseHeaders ?? {}) : {},
    retryable: isCall ? error.isRetryable : null,
    googleDetails: GoogleDetails.safeParse(body).data?.details ?? [],
  };
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Wordings as of November 2026. Anthropic: "prompt is too long: 208310 tokens > 200000 maximum", "input length and
// `max_tokens` exceed context limit"; OpenAI and vLLM: "maximum context length is"; OpenAI Responses: "exceeds the
// context window"; Google: "input token count (…) exceeds the maximum"; llama.cpp: "exceeds the available context size".
const OVERFLOW =
  /prompt is too long|exceed context limit|maximum context length|context window|input token count.{0,40}exceeds the maximum|available context size|context length exceeded|too many tokens in the (?:prompt|request)/i;
const NO_CREDIT =
  /credit balance is too low|insufficient (?:quota|credits|balance)|exceeded your current quota|billing/i;
const BAD_KEY = /api[ _-]?key not valid|invalid (?:x-)?api[ _-]?key|incorrect api key|api key expired/i;

const types: Record<string, ModelFailureCode> = {
  context_length_exceeded: "context_overflow",
  exceed_context_size_error: "context_overflow",
  request_too_large: "context_overflow",
  model_context_window_exceeded: "context_overflow",
  insufficient_quota: "quota_exceeded",
  billing_error: "quota_exceeded",
  billing_hard_limit_reached: "quota_exceeded",
  authentication_error: "model_auth",
  permission_error: "model_auth",
  invalid_api_key: "model_auth",
  API_KEY_INVALID: "model_auth",
  UNAUTHENTICATED: "model_auth",
  PERMISSION_DENIED: "model_auth",
  model_not_found: "model_not_found",
  not_found_error: "model_not_found",
  NOT_FOUND: "model_not_found",
  rate_limit_error: "rate_limited",
  rate_limit_exceeded: "rate_limited",
  RESOURCE_EXHAUSTED: "rate_limited",
  overloaded_error: "model_unavailable",
  api_error: "model_unavailable",
  timeout_error: "model_timeout",
  server_error: "model_unavailable",
  UNAVAILABLE: "model_unavailable",
  INTERNAL: "model_unavailable",
  DEADLINE_EXCEEDED: "model_timeout",
  content_filter: "refused",
};

const statuses: Record<number, ModelFailureCode> = {
  401: "model_auth",
  402: "quota_exceeded",
  403: "model_auth",
  404: "model_not_found",
  408: "model_timeout",
  409: "model_unavailable",
  413: "context_overflow",
  429: "rate_limited",
  504: "model_timeout",
};

function classify(error: unknown, facts: Facts): ModelFailureCode {
  if (LoadAPIKeyError.isInstance(error)) return "model_auth";
  if (NoSuchModelError.isInstance(error)) return "model_not_found";
  if (InvalidPromptError.isInstance(error) || MissingToolResultsError.isInstance(error)) return "model_error";
  if (facts.name === "TimeoutError") return "model_timeout";
  if (facts.name === "AbortError") return "cancelled";
  const status = facts.statusCode;
  const reasons = facts.googleDetails.map((detail) => detail.reason);
  const named = [facts.code, ...reasons, facts.type, facts.status].map((name) => types[String(name)]).find(Boolean);
  if (named === "rate_limited" || status === 429)
    return NO_CREDIT.test(facts.message) || named === "quota_exceeded" ? "quota_exceeded" : "rate_limited";
  if (OVERFLOW.test(facts.message)) return "context_overflow";
  if (status === 400 && NO_CREDIT.test(facts.message)) return "quota_exceeded";
  if (status === 400 && BAD_KEY.test(facts.message)) return "model_auth";
  // Ollama 0.12 calls every error `api_error`, a missing model too: for client errors the status says more.
  if (named && !(named === "model_unavailable" && status !== undefined && status < 500)) return named;
  if (status !== undefined) return statuses[status] ?? (status >= 500 ? "model_unavailable" : "model_error");
  return facts.retryable === true ? "model_unavailable" : "model_error";
}

/** Whether the connection broke in the middle of an answer: undici's `TypeError: terminated`, at any depth. */
function isBrokenConnection(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++, cause = cause.cause) {
    if (cause instanceof TypeError && /terminated|fetch failed|network/i.test(cause.message)) return true;
    // openai-compatible: "Response stream ended without a finish reason."
    if (InvalidResponseDataError.isInstance(cause)) return true;
  }
  return false;
}

function sentence(code: ModelFailureCode, facts: Facts): string {
  const status = facts.statusCode === undefined ? "" : ` (${facts.statusCode})`;
  const words = excerpt(facts.message);
  const said = words === "" ? "" : ` It said: ${words}`;
  switch (code) {
    case "cancelled":
      return "the call was cancelled.";
    case "model_auth":
      return `the provider refused our API key${status}.`; // its own words may quote the key
    case "model_not_found":
      return `the provider has no such model${status}.${said}`;
    case "quota_exceeded":
      return `the account at the provider has no credit left${status}.${said}`;
    case "rate_limited":
      return `the provider limits how much we may ask${status}.${said}`;
    case "model_unavailable":
      return `the provider could not answer${status}.${said}`;
    case "model_timeout":
      return `the answer took too long${status}.${said}`;
    case "context_overflow":
      return `the conversation is larger than the model can read${status}.${said}`;
    case "refused":
      return `the model declined to answer.${said}`;
    case "model_error":
      return `the call failed${status}.${said}`;
  }
}

const LONGEST_EXCERPT = 300;

function excerpt(message: string): string {
  const line = redact(message).replaceAll(/\s+/g, " ").trim();
  return line.length > LONGEST_EXCERPT ? `${line.slice(0, LONGEST_EXCERPT)}…` : line;
}

function retryAfterMs(facts: Facts, now: Date): number | null {
  const precise = Number.parseFloat(facts.headers["retry-after-ms"] ?? "");
  if (precise >= 0) return precise;
  const header = facts.headers["retry-after"];
  if (header !== undefined) {
    const seconds = Number(header);
    const wait = Number.isNaN(seconds) ? Date.parse(header) - now.getTime() : seconds * 1000;
    if (wait >= 0) return wait;
  }
  // Google sends no header but `{"@type": "…RetryInfo", "retryDelay": "34s"}`.
  const delay = facts.googleDetails.find((detail) => detail.retryDelay !== undefined)?.retryDelay;
  const seconds = Number.parseFloat(delay ?? "");
  return seconds >= 0 ? seconds * 1000 : null;
}
