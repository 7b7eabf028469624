import { expect, it } from "vitest";
import { githubApi } from "#hosts/github/github-api.ts";
import { AppError } from "#lib/app-error.ts";
import { systemClock } from "#lib/clock.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { createHostCalls } from "./host-call.ts";

const TOKEN = "host-token-of-tests-0123456789";

/** The failure that a response of a host turns into. */
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
  "a host that asks to wait %s s is retried after an hour",
  async (after) => {
    const error = await failure({ status: 429, headers: { "retry-after": after } });
    expect(error).toMatchObject({ code: "rate_limited", retryAfterSeconds: 3_600 });
  },
);

it.each([0, 30, 3_600])("a host that asks to wait %i s is waited for", async (after) => {
  const error = await failure({ status: 429, headers: { "retry-after": String(after) } });
  expect(error).toMatchObject({ code: "rate_limited", retryAfterSeconds: after });
});

it("redacts the token from an error that echoes the request, in any encoding", async () => {
  const escaped = TOKEN.replaceAll(/./g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
  for (const echoed of [TOKEN, escaped, Buffer.from(TOKEN).toString("base64")]) {
    const error = await failure({ status: 422, body: `{"message":"no ${echoed}"}` });
    expect([echoed, error.message]).toEqual([echoed, expect.stringMatching(/no \[redacted\]$/)]);
  }
});

it("names the field that the host refused, when the host gives no sentence", async () => {
  const errors = [{ resource: "Hook", field: "events", code: "invalid" }];
  const error = await failure({ status: 422, body: JSON.stringify({ message: "Validation Failed", errors }) });
  expect(error.message).toMatch(/Validation Failed events: invalid\.$/);
});

it("redacts the secret of a webhook from an error that echoes the request", async () => {
  const secret = new Secret("secret-of-a-webhook-0123456789");
  for (const status of [400, 403, 422]) {
    const error = await failure({ status, body: `{"message":"no ${secret.reveal()}"}` }, secret);
    expect(error.message).toContain("no [redacted]");
  }
});

/** Calls to a host whose responses carry the headers of `limit`, at a time that the test sets. */
function openCalls(limit: () => Record<string, string> | null) {
  const sent: string[] = [];
  const outboundHttp = {
    send: async ({ url }: { url: string }) => {
      sent.push(url);
      const headers = limit();
      return { ok: true, status: headers ? 429 : 200, headers: headers ?? {}, body: Buffer.from("{}"), isCut: false };
    },
  } as unknown as OutboundHttp;
  const time = { now: 1_800_000_000_000 };
  const clock = { now: () => new Date(time.now) };
  const calls = createHostCalls({ outboundHttp, clock, version: "0.0.0", sleep: async () => undefined });
  const ask = (token = "one") => {
    const call = calls(githubApi, { apiUrl: "https://api.example", token: new Secret(`token-${token}`) });
    return call({ method: "GET", path: "/x" });
  };
  return { sent, time, ask };
}

it("sends no request with the same token to a host that asks to wait, until then", async () => {
  let limit: Record<string, string> | null = { "retry-after": "600" };
  const { sent, time, ask } = openCalls(() => limit);
  await expect(ask()).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 600 });
  limit = null;
  time.now += 590_000;
  await expect(ask()).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 10 });
  expect(sent).toHaveLength(1);
  expect((await ask("two")).status).toBe(200);
  time.now += 10_000;
  expect((await ask()).status).toBe(200);
});

it("waits at most an hour, whatever the host asks for and if the clock is set back", async () => {
  let limit: Record<string, string> | null = { "retry-after": "99999999999" };
  const { time, ask } = openCalls(() => limit);
  await expect(ask()).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 3_600 });
  limit = null;
  time.now -= 86_400_000;
  expect((await ask()).status).toBe(200);
});

it("a cached response for one token is not reused for another", async () => {
  const requests: (string | undefined)[] = [];
  const outboundHttp = {
    send: async ({ headers }: { headers: Record<string, string> }) => {
      const caller = headers["Authorization"]?.endsWith("token-one") === true ? "one" : "two";
      const known = headers["If-None-Match"];
      requests.push(known);
      const body = Buffer.from(known === undefined ? JSON.stringify({ who: caller }) : "");
      return { ok: true, status: known === undefined ? 200 : 304, headers: { etag: '"1"' }, body, isCut: false };
    },
  } as unknown as OutboundHttp;
  const calls = createHostCalls({ outboundHttp, clock: systemClock, version: "0.0.0", sleep: async () => undefined });
  const ask = async (caller: string) => {
    const call = calls(githubApi, { apiUrl: "https://api.example", token: new Secret(`token-${caller}`) });
    return (await call({ method: "GET", path: "/x" })).body;
  };
  for (let round = 0; round < 2; round++) {
    expect([await ask("one"), await ask("two")]).toEqual([{ who: "one" }, { who: "two" }]);
  }
  expect(requests).toEqual([undefined, undefined, '"1"', '"1"']);
});
