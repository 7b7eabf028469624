import { writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import path from "node:path";
import { expect, test } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import { createOutboundHttp, type OutboundHttp } from "#lib/network/outbound-http.ts";
import { listen } from "#testing/listen.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { TEST_KEY, TEST_KEY_ID } from "#testing/signed-requests.ts";
import { createAgentKeyRing } from "./agent-key-ring.ts";
import { type KeyDirectory, readKeyDirectories } from "./key-directory.ts";

const MINUTE_MS = 60_000;

/** An operator's host on loopback; the ring requests https, which is removed on the way. */
async function createOperator(allow: string[] = ["127.0.0.1/32"]) {
  const state = { asked: 0, answer: (response: ServerResponse) => void response.end("{}") };
  const host = await listen((request, response) => {
    state.asked++;
    if (request.url !== "/.well-known/http-message-signatures-directory") response.statusCode = 404;
    state.answer(response);
  });
  const http = createOutboundHttp({ allow });
  const outboundHttp: Pick<OutboundHttp, "send"> = {
    send: (request) => http.send({ ...request, url: request.url.replace("https://agent.test", host.url) }),
  };
  return {
    state,
    outboundHttp,
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

const directory = (given: Partial<KeyDirectory> = {}): KeyDirectory => ({
  host: "agent.test",
  operator: "OpenAI",
  fetch: true,
  keys: new Map(),
  ...given,
});

function createTestRing(outboundHttp: Pick<OutboundHttp, "send">, directories: KeyDirectory[]) {
  const time = { now: Date.UTC(2026, 10, 20) };
  const clock = { now: () => new Date(time.now) };
  return { time, ring: createAgentKeyRing({ directories, outboundHttp, clock, logger: silentLogger }) };
}

test("fetches an operator's directory where that is allowed, and again for missing keys, but not often", async () => {
  await using operator = await createOperator();
  const { state, outboundHttp } = operator;
  const { ring, time } = createTestRing(outboundHttp, [directory()]);
  await using _ring = ring;
  const hasKey = () => ring.find(TEST_KEY_ID, "agent.test")?.key?.asymmetricKeyType;
  expect(ring.find(TEST_KEY_ID, "agent.test")).toBeNull(); // no caller waits
  await expect.poll(() => state.asked).toBe(1);
  for (let call = 0; call < 100; call++) expect(ring.find(TEST_KEY_ID, "agent.test")).toBeNull();
  expect(state.asked).toBe(1);
  state.answer = (response) =>
    void response.end(JSON.stringify({ keys: [{ kty: "RSA", n: "a", e: "AQAB" }, TEST_KEY, 1] }));
  time.now += 11 * MINUTE_MS;
  await expect.poll(hasKey).toBe("ed25519");
  expect(state.asked).toBe(2);
  expect(ring.find(TEST_KEY_ID, null)?.operator).toBe("OpenAI");
  expect(ring.find("another", "agent.test")).toEqual({ key: null, operator: "OpenAI" });
  expect(ring.find(TEST_KEY_ID, "else.test")).toBeNull();
  // An operator that is unavailable, or responds with garbage, keeps its keys.
  state.answer = (response) => void response.end("x".repeat(1_000_000));
  time.now += 7 * 60 * MINUTE_MS;
  expect(hasKey()).toBe("ed25519");
  await expect.poll(() => state.asked).toBe(3);
  await expect.poll(hasKey).toBe("ed25519");
  expect(ring.find("another", "agent.test")).toBeNull(); // it may be new
});

test("fetches nothing unless that is enabled, and never from a private network", async () => {
  await using operator = await createOperator([]);
  const { state, outboundHttp } = operator;
  await using quiet = createTestRing(outboundHttp, [directory({ fetch: false })]).ring;
  expect(quiet.find(TEST_KEY_ID, "agent.test")).toBeNull();
  await using guarded = createTestRing(outboundHttp, [directory()]).ring;
  expect(guarded.find(TEST_KEY_ID, "agent.test")).toBeNull();
  await guarded[Symbol.asyncDispose]();
  expect(state.asked).toBe(0);
});

test("closing does not wait for a slow operator", async () => {
  await using operator = await createOperator();
  const { state, outboundHttp } = operator;
  state.answer = () => undefined;
  const { ring } = createTestRing(outboundHttp, [directory()]);
  await expect.poll(() => state.asked).toBe(1);
  await ring[Symbol.asyncDispose]();
});

test("a file adds operators to those that come with Docent, and an invalid one is refused with a reason", async () => {
  await using folder = await createTestDirectory();
  const file = path.join(folder.path, "agents.json");
  const read = async (content: unknown) => {
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
    return readKeyDirectories(file);
  };
  expect((await readKeyDirectories(null)).map(({ host, fetch }) => [host, fetch])).toEqual([["chatgpt.com", false]]);
  const own = { host: "Agent.test", operator: "OpenAI", keys: [TEST_KEY] };
  const both = await read({ directories: [own, { host: "chatgpt.com", operator: "OpenAI", fetch: true }] });
  expect(both.map(({ host, fetch, keys }) => [host, fetch, [...keys.keys()]])).toEqual([
    ["chatgpt.com", true, []],
    ["agent.test", false, [TEST_KEY_ID]],
  ]);
  await expect(read("{")).rejects.toMatchObject({ code: "invalid" });
  await expect(read({ directories: [{ ...own, host: "https://agent.test/" }] })).rejects.toThrow(
    /directories\.0\.host/,
  );
  await expect(read({ directories: [{ ...own, keys: [{ kty: "RSA" }] }] })).rejects.toThrow(/directories\.0\.keys\.0/);
  await expect(readKeyDirectories(path.join(folder.path, "none"))).rejects.toThrow(/none cannot be read/);
});
