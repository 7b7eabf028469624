import { expect, it } from "vitest";
import { githubApi } from "#code-hosts/github/github-api.ts";
import { AppError } from "#lib/app-error.ts";
import { systemClock } from "#lib/clock.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { createHostCalls } from "./host-call.ts";

const TOKEN = "host-token-of-tests-0123456789";

/** What comes of a request that a host answers like this. */
async function failure(
  answer: { status: number; headers?: Record<string, string>; body?: string },
  secret?: Secret,
): Promise<AppError> {
  const outboundHttp: OutboundHttp = {
    send: async () => ({
      ok: true,
      status: answer.status,
      headers: answer.headers ?? {},
      body: Buffer.from(answer.body ?? ""),
      isCut: false,
    }),
    findRefusal: async () => null,
    findAddresses: async () => ({ ok: true, addresses: [] }),
  };
  const calls = createHostCalls({ outboundHttp, clock: systemClock, version: "0.0.0", sleep: async () => undefined });
  const call = calls(githubApi, { apiUrl: "https://host.test", token: new Secret(TOKEN) });
  const error: unknown = await call({ method: "POST", path: "/hooks", body: {}, ...(secret && { secret }) }).catch(
    (cause: unknown) => cause,
  );
  if (!(error instanceof AppError)) throw new Error("it did not fail");
  return error;
}

it.each(["99999999999999", "1e300", "1e308"])(
  "a host that asks to wait for %s s is asked again in an hour",
  async (after) => {
    const error = await failure({ status: 429, headers: { "retry-after": after } });
    expect(error).toMatchObject({ code: "rate_limited", retryAfterSeconds: 3_600 });
  },
);

it.each([0, 30, 3_600])("a host that asks to wait for %i s is waited for", async (after) => {
  const error = await failure({ status: 429, headers: { "retry-after": String(after) } });
  expect(error).toMatchObject({ code: "rate_limited", retryAfterSeconds: after });
});

it("what a host repeats of a request is shown without its token, however it writes it", async () => {
  const escaped = TOKEN.replaceAll(/./g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
  for (const said of [TOKEN, escaped, Buffer.from(TOKEN).toString("base64")]) {
    const error = await failure({ status: 422, body: `{"message":"no ${said}"}` });
    expect([said, error.message]).toEqual([said, expect.stringMatching(/no \[redacted\]$/)]);
  }
});

it("what a host repeats of a request is shown without the secret of a webhook in it", async () => {
  const secret = new Secret("secret-of-a-webhook-0123456789");
  for (const status of [400, 403, 422]) {
    const error = await failure({ status, body: `{"message":"no ${secret.reveal()}"}` }, secret);
    expect(error.message).toContain("no [redacted]");
  }
});
