import {
  APICallError,
  InvalidPromptError,
  InvalidResponseDataError,
  LoadAPIKeyError,
  NoSuchModelError,
} from "@ai-sdk/provider";
import { MissingToolResultsError } from "ai";
import { z } from "zod";

/** Why a model call failed. A job can end with some of these codes. */
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

// The fields that classify an error, at whatever level the provider's package puts them.
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
    z.looseObject({
      "@type": z.string().optional(),
      retryDelay: z.string().optional(),
      reason: z.string().optional(),
      violations: z.array(z.looseObject({ quotaId: z.string().optional() })).optional(),
    }),
  ),
});

/** The facts found in an error and its causes. */
export interface FailureFacts extends z.infer<typeof Facts> {
  headers: Record<string, string>;
  /** Whether something in front of the provider answered: its 403 or 404 says nothing about keys or models. */
  isPage: boolean;
  retryable: boolean | null;
  googleDetails: z.infer<typeof GoogleDetails>["details"];
}

export function readFacts(error: unknown): FailureFacts {
  const outer = Facts.safeParse(error).data ?? Facts.parse({ message: typeof error === "string" ? error : "" });
  const isCall = APICallError.isInstance(error);
  const body = isCall
    ? (Body.safeParse(error.data).data ?? Body.safeParse(parseJson(error.responseBody)).data)
    : Body.safeParse(error).data;
  const inner = body === undefined ? undefined : Facts.parse(body);
  const isPage = isCall && /\btext\/html\b/i.test(error.responseHeaders?.["content-type"] ?? "");
  return {
    isPage,
    message: isPage ? webPageFrom(error.url) : inner?.message || outer.message,
    name: outer.name,
    statusCode: statusOf(outer.statusCode) ?? statusOf(inner?.code) ?? statusOf(outer.code),
    type: inner?.type ?? outer.type,
    code: inner?.code ?? outer.code,
    status: inner?.status,
    headers: isCall ? (error.responseHeaders ?? {}) : {},
    retryable: isCall ? error.isRetryable : null,
    googleDetails: GoogleDetails.safeParse(body).data?.details ?? [],
  };
}

/** Names the host alone: a path or query may hold a key. */
export const webPageFrom = (address: string): string =>
  `a web page came from ${URL.parse(address)?.host ?? "its address"} in place of an answer`;

// vLLM, LiteLLM and OpenRouter send the HTTP status as the code of an error in a stream, or beside the status 200.
const statusOf = (code: string | number | undefined) => {
  const status = Number(code ?? NaN);
  return status >= 400 && status <= 599 ? status : undefined;
};

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
  425: "model_unavailable",
  413: "context_overflow",
  429: "rate_limited",
  504: "model_timeout",
};

export function classify(error: unknown, facts: FailureFacts): ModelFailureCode {
  if (LoadAPIKeyError.isInstance(error)) return "model_auth";
  if (NoSuchModelError.isInstance(error)) return "model_not_found";
  if (InvalidPromptError.isInstance(error) || MissingToolResultsError.isInstance(error)) return "model_error";
  if (facts.name === "TimeoutError") return "model_timeout";
  if (facts.name === "AbortError") return "cancelled";
  const status = facts.statusCode;
  if (facts.isPage && (status === 403 || status === 404)) return "model_error";
  const reasons = facts.googleDetails.map((detail) => detail.reason);
  const named = [facts.code, ...reasons, facts.type, facts.status].map((name) => types[String(name)]).find(Boolean);
  if (named === "rate_limited" || status === 429)
    return !passesSoon(facts) && (NO_CREDIT.test(facts.message) || named === "quota_exceeded")
      ? "quota_exceeded"
      : "rate_limited";
  if (OVERFLOW.test(facts.message)) return "context_overflow";
  if (status === 400 && NO_CREDIT.test(facts.message)) return "quota_exceeded";
  if (status === 400 && BAD_KEY.test(facts.message)) return "model_auth";
  // Ollama 0.12 uses `api_error` for every error, even a missing model: for client errors the status is more precise.
  if (named && !(named === "model_unavailable" && status !== undefined && status < 500)) return named;
  if (status !== undefined) return statuses[status] ?? (status >= 500 ? "model_unavailable" : "model_error");
  return facts.retryable === true ? "model_unavailable" : "model_error";
}

/** Google uses the words of a used-up quota for a limit per minute, too, and names a wait even for one per day (2026). */
const passesSoon = ({ googleDetails }: FailureFacts) =>
  googleDetails.some(({ retryDelay }) => retryDelay !== undefined) &&
  !googleDetails.some(({ violations }) => violations?.some(({ quotaId }) => quotaId?.includes("PerDay")));

/** Whether the connection broke in the middle of an answer: undici's `TypeError: terminated`, at any depth. */
export function isBrokenConnection(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++, cause = cause.cause) {
    if (cause instanceof TypeError && /terminated|fetch failed|network/i.test(cause.message)) return true;
    // openai-compatible: "Response stream ended without a finish reason."
    if (InvalidResponseDataError.isInstance(cause)) return true;
  }
  return false;
}

/** Codes of Node and undici for a connection that was not made. */
const NO_NAME = new Set(["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL", "EAI_NODATA"]);
const NO_CONNECTION = new Set([
  "ECONNREFUSED",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** The host that a call did not reach, and whether DNS has no address for it; null for a call that reached its provider. */
export function unreachedHost(error: unknown): { host: string; isUnknownName: boolean; code: string } | null {
  let cause = error;
  let host = "";
  for (let depth = 0; depth < 6 && cause instanceof Error; depth++, cause = cause.cause) {
    if (APICallError.isInstance(cause)) host = URL.parse(cause.url)?.host ?? "";
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) continue;
    if (NO_NAME.has(code)) return { host: host.replace(/:\d+$/, ""), isUnknownName: true, code };
    if (NO_CONNECTION.has(code)) return { host, isUnknownName: false, code };
  }
  return null;
}

export function retryAfterMs(facts: FailureFacts, now: Date): number | null {
  const precise = Number.parseFloat(facts.headers["retry-after-ms"] ?? "");
  if (precise >= 0) return precise;
  const header = facts.headers["retry-after"];
  if (header !== undefined) {
    const seconds = header.trim() === "" ? NaN : Number(header);
    const wait = Number.isNaN(seconds) ? Date.parse(header) - now.getTime() : seconds * 1000;
    if (wait >= 0) return wait;
  }
  // Google sends no header but `{"@type": "…RetryInfo", "retryDelay": "34s"}`.
  const delay = facts.googleDetails.find((detail) => detail.retryDelay !== undefined)?.retryDelay;
  const seconds = Number.parseFloat(delay ?? "");
  return seconds >= 0 ? seconds * 1000 : null;
}
