import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { DAY_MS } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { listen } from "#testing/listen.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { createAddressRefresh } from "./address-refresh.ts";
import { createAgentLists } from "./agent-list.ts";
import { failedFetchWords, readFailedFetches } from "./failed-fetches.ts";
import { PUBLICATIONS } from "./published-addresses.ts";

const URL_OF_LIST = "https://agent.test/chatgpt-user.json";
const listOf = (...ranges: string[]) => ({
  creationTime: "2026-11-20T06:31:14Z",
  prefixes: ranges.map((range) => (range.includes(":") ? { ipv6Prefix: range } : { ipv4Prefix: range })),
});

/** An operator's host on loopback; lists are fetched over https, which is removed on the way. */
async function createWorld() {
  const state: { asked: string[]; status: number; body: string } = { asked: [], status: 200, body: "{}" };
  const host = await listen((request, response) => {
    state.asked.push(request.url ?? "");
    response.writeHead(state.status, { Location: "/elsewhere.json" }).end(state.body);
  });
  const folder = await createTestDirectory();
  const dataDirectory = path.join(folder.path, "data");
  await mkdir(dataDirectory);
  const time = { now: Date.UTC(2026, 10, 21) };
  const clock = { now: () => new Date(time.now) };
  const http = createOutboundHttp({ allow: ["127.0.0.1/32"] });
  const refreshing = createAddressRefresh({
    dataDirectory,
    clock,
    logger: silentLogger,
    publications: [{ url: URL_OF_LIST, agents: ["ChatGPT-User"] }],
    outboundHttp: {
      send: (request) => http.send({ ...request, url: request.url.replace("https://agent.test", host.url) }),
    },
  });
  return {
    state,
    dataDirectory,
    /** Sets the host's response on a day, and returns the list afterwards. */
    async onDay(day: number, answer: object | string, status = 200) {
      time.now = Date.UTC(2026, 10, 21) + day * DAY_MS;
      state.status = status;
      state.body = typeof answer === "string" ? answer : JSON.stringify(answer);
      await refreshing.refresh();
      const list = createAgentLists({ dataDirectory, clock, logger: silentLogger })();
      return [list.dates.get("ChatGPT-User"), list.networks.get("ChatGPT-User")];
    },
    async [Symbol.asyncDispose]() {
      await refreshing[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test("fetches a list once a day, and dates it by the last day on which it was fetched", async () => {
  await using world = await createWorld();
  await world.onDay(0, "");
  const { asked } = world.state;
  expect(asked.length).toBeGreaterThan(0);
  expect(await world.onDay(1, listOf("192.0.2.0/28", "2001:db8::/64"))).toEqual([
    "2026-11-22",
    ["192.0.2.0/28", "2001:db8::/64"],
  ]);
  const before = asked.length;
  await world.onDay(1.5, listOf("192.0.2.0/28"));
  expect(asked.length).toBe(before);
  expect((await world.onDay(2, listOf("192.0.2.0/28", "2001:db8::/64")))[0]).toBe("2026-11-23");
  expect(new Set(asked)).toEqual(new Set(["/chatgpt-user.json"]));
});

test.each([
  ["is out of reach", "", 500],
  ["leads elsewhere", listOf("198.51.100.0/28", "198.51.100.16/28"), 302],
  ["is no JSON", "<html>", 200],
  ["is empty", { prefixes: [] }, 200],
  ["has everybody's addresses", listOf("0.0.0.0/0", "192.0.2.0/28"), 200],
  ["has less than half", listOf("192.0.2.0/28"), 200],
  ["is larger than any", JSON.stringify(listOf("192.0.2.0/28")).padEnd(2 * 1024 * 1024 + 1), 200],
] as const)("keeps the last good list when the next one %s", async (_what, answer, status) => {
  await using world = await createWorld();
  const good = ["2026-11-21", ["192.0.2.0/28", "192.0.2.16/28", "192.0.2.32/28"]];
  expect(await world.onDay(0, listOf("192.0.2.0/28", "192.0.2.16/28", "192.0.2.32/28"))).toEqual(good);
  expect(await world.onDay(1, answer, status)).toEqual(good);
  expect((await readdir(world.dataDirectory)).toSorted()).toEqual([
    "agent-addresses-failing.json",
    "agent-addresses.json",
  ]);
});

test("remembers since when a list cannot be fetched, why and what to do, until it is fetched", async () => {
  await using world = await createWorld();
  const { dataDirectory } = world;
  await world.onDay(0, "", 500);
  await world.onDay(3, "", 403);
  const [failed, ...others] = await readFailedFetches(dataDirectory);
  expect(others).toEqual([]);
  expect(failedFetchWords(failed!)).toEqual({
    words: `Fetching the addresses of ChatGPT-User from ${URL_OF_LIST} has failed since 2026-11-21: answer 403 is no list of addresses`,
    advice:
      "Let the server reach agent.test over https, or fetch the file elsewhere and run docent analytics agents update FILE.",
  });
  await world.onDay(4, listOf("192.0.2.0/28"));
  expect(await readFailedFetches(dataDirectory)).toEqual([]);
});

test("fetches lists over https from the operators' own hosts only", () => {
  const hosts = new Set(
    PUBLICATIONS.map(({ url }) => new URL(url)).map(({ protocol, host }) => `${protocol}//${host}`),
  );
  expect([...hosts].toSorted()).toEqual([
    "https://claude.com",
    "https://developers.google.com",
    "https://duckduckgo.com",
    "https://index.commoncrawl.org",
    "https://mistral.ai",
    "https://openai.com",
    "https://search.developer.apple.com",
    "https://www.bing.com",
    "https://www.perplexity.com",
  ]);
});
