import { APICallError, LoadAPIKeyError } from "@ai-sdk/provider";
import { RetryError } from "ai";
import { expect, test } from "vitest";
import { ModelCallError, StreamedError, toModelFailure } from "./failure.ts";

/** Google words a limit per minute and one per day alike. */
const exhausted = (quotaId: string) => ({
  error: {
    code: 429,
    message: "You exceeded your current quota, please check your plan and billing details.",
    status: "RESOURCE_EXHAUSTED",
    details: [
      { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [{ quotaId }] },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "20s" },
    ],
  },
});

const now = new Date("2026-11-20T12:00:00Z");
const failure = (error: unknown) => toModelFailure(error, { model: "acme/large", now });
const answered = (statusCode: number, body: unknown, responseHeaders: Record<string, string> = {}) =>
  new APICallError({
    message: "Bad Request",
    url: "http://provider.test/v1",
    requestBodyValues: {},
    statusCode,
    responseHeaders,
    responseBody: typeof body === "string" ? body : JSON.stringify(body),
  });

// Error bodies as servers send them, with a source for those that the providers do not document.
test.each([
  [
    "Anthropic: window full",
    400,
    {
      type: "error",
      error: {
        type: "invalid_request_error",
        message:
          "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again",
      },
    },
    "context_overflow",
  ],
  [
    "Anthropic: request over 32 MB",
    413,
    { type: "error", error: { type: "request_too_large", message: "Request exceeds the maximum size" } },
    "context_overflow",
  ],
  [
    "Anthropic: no access",
    403,
    {
      type: "error",
      error: {
        type: "permission_error",
        message: "Your API key does not have permission to use the specified resource.",
      },
    },
    "model_auth",
  ],
  [
    "Anthropic: time-out",
    504,
    { type: "error", error: { type: "timeout_error", message: "Request timed out" } },
    "model_timeout",
  ],
  [
    "OpenAI: chat window",
    400,
    {
      error: {
        message:
          "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens.",
        type: "invalid_request_error",
        param: "messages",
        code: "context_length_exceeded",
      },
    },
    "context_overflow",
  ],
  [
    "OpenAI: bad schema",
    400,
    {
      error: {
        message: "Invalid schema for function 'x'",
        type: "invalid_request_error",
        param: "tools",
        code: "invalid_function_parameters",
      },
    },
    "model_error",
  ],
  [
    "Google: error wrapped in a list",
    400,
    [
      {
        error: {
          code: 400,
          message: "The input token count (134123) exceeds the maximum number of tokens allowed (131072).",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
    "context_overflow",
  ],
  [
    "Google: key",
    400,
    {
      error: {
        code: 400,
        message: "API key not valid. Please pass a valid API key.",
        status: "INVALID_ARGUMENT",
        details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }],
      },
    },
    "model_auth",
  ],
  [
    "Google: per-minute quota",
    429,
    { error: { code: 429, message: "Resource has been exhausted (e.g. check quota).", status: "RESOURCE_EXHAUSTED" } },
    "rate_limited",
  ],
  [
    "Google: per-minute quota in the words of one that is used up",
    429,
    exhausted("GenerateRequestsPerMinutePerProjectPerModel"),
    "rate_limited",
  ],
  ["Google: quota of a day", 429, exhausted("GenerateRequestsPerDayPerProjectPerModel-FreeTier"), "quota_exceeded"],
  [
    "llama.cpp: window",
    400,
    {
      error: {
        code: 400,
        message: "the request exceeds the available context size, try increasing it",
        type: "exceed_context_size_error",
        n_prompt_tokens: 14429,
        n_ctx: 8192,
      },
    },
    "context_overflow",
  ],
  [
    "vLLM: error without the outer field",
    400,
    {
      object: "error",
      message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
    "context_overflow",
  ],
  [
    "Ollama: model not pulled",
    404,
    { error: { message: 'model "qwen3" not found, try pulling it first', type: "api_error", param: null, code: null } },
    "model_not_found",
  ],
  ["Ollama: plain text", 500, { error: "llama runner process has terminated" }, "model_unavailable"],
  ["a gateway: payment", 402, { error: { message: "Insufficient credits", code: 402 } }, "quota_exceeded"],
  ["a gateway: page of HTML", 502, "<html>Bad gateway</html>", "model_unavailable"],
  ["a gateway: nothing", 503, "", "model_unavailable"],
  ["some error of ours", 422, { detail: "x" }, "model_error"],
] as const)("%s", (...[, status, body, code]) => {
  expect(failure(answered(status, body))).toMatchObject({ code, status });
});

test.each([
  ["Anthropic", { type: "overloaded_error", message: "Overloaded" }, "model_unavailable"],
  [
    "OpenAI",
    {
      type: "error",
      error: {
        type: "invalid_request_error",
        code: "context_length_exceeded",
        message: "Your input exceeds the context window of this model.",
        param: "input",
      },
    },
    "context_overflow",
  ],
  ["text", "something odd", "model_error"],
])("an error reported in a stream of %s is read like any other", (_, reported, code) => {
  expect(failure(new StreamedError(reported)).code).toBe(code);
});

test("the last of several errors counts", () => {
  const errors = [answered(500, {}), answered(401, {})];
  expect(failure(new RetryError({ message: "tried", reason: "maxRetriesExceeded", errors })).code).toBe("model_auth");
});

test.each([
  [{ "retry-after-ms": "1500", "retry-after": "60" }, {}, 1_500],
  [{ "retry-after": "34" }, {}, 34_000],
  [{ "retry-after": "Fri, 20 Nov 2026 12:00:20 GMT" }, {}, 20_000],
  [{ "retry-after": "soon" }, {}, null],
  [
    {},
    {
      error: {
        code: 429,
        message: "x",
        status: "RESOURCE_EXHAUSTED",
        details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" }],
      },
    },
    34_500,
  ],
  [{}, {}, null],
])("headers %j and body %j ask for a wait of %s ms", (headers, body, waitMs) => {
  expect(failure(answered(429, body, headers))).toMatchObject({
    code: "rate_limited",
    retryable: true,
    retryAfterMs: waitMs,
  });
});

test("a failure is not retryable if the provider forbids a retry", () => {
  expect(failure(answered(503, {}, { "x-should-retry": "false" })).retryable).toBe(false);
});

test.each([
  [
    404,
    "model_error",
    false,
    "the call failed (404). It said: a web page came from provider.test in place of an answer.",
  ],
  [
    403,
    "model_error",
    false,
    "the call failed (403). It said: a web page came from provider.test in place of an answer.",
  ],
  [
    522,
    "model_unavailable",
    true,
    "the provider could not answer (522). It said: a web page came from provider.test in place of an answer.",
  ],
])("a web page with %i is not taken for the provider's own answer", (status, code, retryable, said) => {
  const page = answered(status, "<h1>default backend</h1>", { "content-type": "text/html; charset=utf-8" });
  expect(failure(page)).toMatchObject({ code, retryable, message: `acme/large: ${said}` });
});

test("a request that came too early is tried again", () => {
  expect(failure(answered(425, ""))).toMatchObject({ code: "model_unavailable", retryable: true });
});

test("a broken connection is the provider's failure and retryable", () => {
  const broken = new APICallError({
    message: "Failed to process successful response",
    url: "",
    requestBodyValues: {},
    statusCode: 200,
    cause: new TypeError("terminated"),
  });
  expect(failure(broken)).toEqual({
    code: "model_unavailable",
    message:
      "acme/large: the provider could not answer. It said: the connection broke off in the middle of the answer.",
    hint: "Check that the provider is up and its address right, then send the message again.",
    retryable: true,
    retryAfterMs: null,
    status: null,
  });
});

test("messages contain no keys, even where the provider quotes them", () => {
  const key = `sk-proj-${"q7Zt2mXw9KpR4vLc8NbY3sHd6JfG1aEuT5oQiWzD0xVk"}`;
  const quoted = {
    error: { message: `Incorrect API key provided: ${key}.`, type: "invalid_request_error", code: "invalid_api_key" },
  };
  expect(JSON.stringify(failure(answered(401, quoted)))).not.toContain(key.slice(8, 20));
  const echoed = { error: { message: `cannot route ${key} to large`, type: "router_error" } };
  expect(failure(answered(500, echoed)).message).toBe(
    "acme/large: the provider could not answer (500). It said: cannot route [redacted] to large.",
  );
});

test("a message of a megabyte is truncated", () => {
  expect(failure(answered(500, { error: { message: "x".repeat(1_000_000) } })).message.length).toBeLessThan(400);
});

test.each([undefined, null, 42, "text", {}, [], new Error("odd"), new LoadAPIKeyError({ message: "no key" })])(
  "converts any thrown value into a failure: %s",
  (thrown) => {
    const { message, hint } = failure(thrown);
    expect(message).toMatch(/^acme\/large: /);
    expect(hint).not.toBe("");
  },
);

test("a ModelCallError keeps its code", () => {
  expect(failure(new ModelCallError("refused", "No.", { retryable: false }))).toMatchObject({
    code: "refused",
    message: "acme/large: the model declined to answer. It said: No.",
  });
});

test.each([
  [
    "ENOTFOUND",
    "acme/large: this server cannot reach api.acme.example: DNS has no address for it (ENOTFOUND).",
    "getent hosts api.acme.example",
  ],
  [
    "ECONNREFUSED",
    "acme/large: this server cannot reach api.acme.example:8443: no connection was made (ECONNREFUSED).",
    "a firewall",
  ],
])("a host that is not reached is named with what to check: %s", (code, message, hint) => {
  const cause = Object.assign(new Error(`connect ${code}`), { code });
  const error = new APICallError({ message: "Cannot connect to API", url: "https://api.acme.example:8443/v1/messages", requestBodyValues: {}, cause, isRetryable: true }); // oxfmt-ignore
  const failed = failure(new RetryError({ message: "x", reason: "maxRetriesExceeded", errors: [error] }));
  expect(failed).toMatchObject({ code: "model_unavailable", message, retryable: true, status: null });
  expect(failed.hint).toContain(hint);
  expect(`${failed.message} ${failed.hint}`).not.toContain("its address right");
});
