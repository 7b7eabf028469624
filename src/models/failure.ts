import { RetryError } from "ai";
import { redact } from "#lib/secrets/secret-scan.ts";
import {
  type FailureFacts,
  type ModelFailureCode,
  classify,
  isBrokenConnection,
  readFacts,
  retryAfterMs,
  unreachedHost,
} from "./failure-facts.ts";

export type { ModelFailureCode } from "./failure-facts.ts";

/** One failed model call as a value. */
export interface ModelFailure {
  code: ModelFailureCode;
  /** For people: what happened, in one or two sentences, quoting the provider where that helps. No secrets. */
  message: string;
  /** What the person can do about it. */
  hint: string;
  /** Whether the same call may succeed later with nothing changed. */
  retryable: boolean;
  /** The wait that the provider asks for; null if it names none. */
  retryAfterMs: number | null;
  /** HTTP status of the response; null without a response. */
  status: number | null;
}

/** Thrown within this folder for failures for which the SDK has no error class. */
export class ModelCallError extends Error {
  readonly code: ModelFailureCode;
  readonly retryable: boolean;
  /** In place of the usual hint of the code. */
  readonly hint: string | undefined;

  constructor(
    code: ModelFailureCode,
    message: string,
    options: { retryable: boolean; hint?: string; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.name = "ModelCallError";
    this.code = code;
    this.retryable = options.retryable;
    this.hint = options.hint;
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
  model_timeout:
    "Send the message again; for a slow model raise the time limit of a model call (DOCENT_MODEL_TIMEOUT_SECONDS).",
  context_overflow: "Ask for less at once, or choose a model with a larger context window.",
  refused: "Word the request differently, or choose another model.",
  model_error: "Send the message again; if it stays, look into the server log.",
};

/** Converts anything a model call throws into a `ModelFailure`, by status, type and code, then by known wordings. */
export function toModelFailure(error: unknown, context: { model: string; now: Date }): ModelFailure {
  const outer = RetryError.isInstance(error) ? error.lastError : error;
  const inner = ownError(outer) ?? outer;
  const reported = inner instanceof StreamedError ? inner.reported : inner;
  const unreached = unreachedHost(reported);
  if (unreached !== null && unreached.host !== "") return notReached(unreached, context.model);
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
    hint: (cause instanceof ModelCallError ? cause.hint : undefined) ?? hints[code],
    retryable,
    retryAfterMs: retryable ? retryAfterMs(facts, context.now) : null,
    status: facts.statusCode ?? null,
  };
}

function notReached(
  { host, isUnknownName, code }: NonNullable<ReturnType<typeof unreachedHost>>,
  model: string,
): ModelFailure {
  const why = isUnknownName ? `DNS has no address for it (${code})` : `no connection was made (${code})`;
  const what = isUnknownName
    ? `Check the network and DNS of the machine that Docent runs on (getent hosts ${host}), and the name if you set it yourself.`
    : `Check that a firewall lets the machine that Docent runs on connect to ${host}, and that the provider is up.`;
  return {
    code: "model_unavailable",
    message: `${model}: this server cannot reach ${host}: ${why}.`,
    hint: `${what} Then send the message again.`,
    retryable: true,
    retryAfterMs: null,
    status: null,
  };
}

/** Our own error, unwrapped from the SDK's errors. */
function ownError(error: unknown): ModelCallError | null {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++, cause = cause.cause) {
    if (cause instanceof ModelCallError) return cause;
  }
  return null;
}

function sentence(code: ModelFailureCode, facts: FailureFacts): string {
  const status = facts.statusCode === undefined ? "" : ` (${facts.statusCode})`;
  const words = excerpt(facts.message);
  const said = words === "" ? "" : ` It said: ${words}${/[.!?…]$/.test(words) ? "" : "."}`;
  switch (code) {
    case "cancelled":
      return "the call was cancelled.";
    case "model_auth":
      return `the provider refused our API key${status}.`; // its message may quote the key
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
