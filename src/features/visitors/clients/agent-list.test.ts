import path from "node:path";
import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createTestDirectory } from "#testing/repositories.ts";
import { userAgents } from "#testing/views.ts";
import { silentLogger } from "#lib/logger.ts";
import { agentListFile, builtInAgents, createAgentLists, updateAgentList } from "./agent-list.ts";
import { createClassifier, createBrowserFinder } from "./classify.ts";
import { createAgentVerifier } from "./verify-agent.ts";

const list = {
  date: "2026-11-20",
  agents: [{ token: "Harbour-User", operator: "Harbour", category: "assistant" }],
  networks: { "ChatGPT-User": ["192.0.2.0/24", "2001:db8::/32"] },
};
const deps = { clock: { now: () => new Date(Date.UTC(2026, 10, 21)) }, logger: silentLogger };
const IN_BROWSER = userAgents.chrome.replace("X11;", "X11; Harbour-User;");

test("a running server picks up a newer list of agents: addresses, names, and clients that are not browsers", async () => {
  await using directory = await createTestDirectory();
  const data = path.join(directory.path, "data");
  await mkdir(data);
  const from = path.join(directory.path, "new.json");
  await writeFile(from, JSON.stringify(list));
  let now = Date.UTC(2026, 10, 21);
  const clock = { now: () => new Date(now) };
  const current = createAgentLists({ dataDirectory: data, clock, logger: silentLogger });
  const isBrowser = createBrowserFinder({ clock, agents: current });
  expect([current(), isBrowser(IN_BROWSER)]).toEqual([builtInAgents, true]);
  expect(createAgentVerifier(current())("ChatGPT-User", { address: "192.0.2.9", time: now })).toBe("unverified");

  const { list: updated } = await updateAgentList(data, from, { clock, logger: silentLogger });
  expect((await stat(agentListFile(data))).mode & 0o777).toBe(0o600);
  expect(current()).toBe(builtInAgents); // checked a moment ago
  now += 10_000;
  expect(current()).toEqual(updated);
  expect(current()).toBe(current());
  expect(current().date).toBe("2026-11-20");
  const verifier = createAgentVerifier(current());
  const verify = (agent: string, address: string) => verifier(agent, { address, time: now });
  expect(verify("ChatGPT-User", "192.0.2.9")).toBe("verified");
  expect(verify("ChatGPT-User", "4.151.71.177")).toBe("spoofed"); // from the list before
  expect(verify("GPTBot", "192.0.2.9")).toBe("unverified"); // its addresses are from May
  const facts = { category: "assistant", product: "Harbour-User", operator: "Harbour" };
  expect(createClassifier(current().agents)(IN_BROWSER)).toMatchObject(facts);
  expect([isBrowser(IN_BROWSER), isBrowser(userAgents.chrome)]).toEqual([false, true]);

  await writeFile(agentListFile(data), "{ cut off");
  now += 10_000;
  expect(current()).toEqual(updated);
});

test.each([
  ["no JSON", "{", "not JSON"],
  ["no date", { networks: list.networks }, "date"],
  ["a date that is none", { ...list, date: "2026-02-30" }, "date"],
  ["a range that is none", { ...list, networks: { GPTBot: ["192.0.2.0/33"] } }, "networks.GPTBot.0"],
  ["everybody's addresses", { ...list, networks: { GPTBot: ["0.0.0.0/0"] } }, "networks.GPTBot.0"],
  ["half of the addresses", { ...list, networks: { GPTBot: ["8000::/1"] } }, "networks.GPTBot.0"],
  ["no addresses of an agent", { ...list, networks: { GPTBot: [] } }, "networks.GPTBot"],
  ["a browser as an agent", { ...list, agents: [{ ...list.agents[0], token: "Firefox" }] }, "agents.0.token"],
  ["a token of two letters", { ...list, agents: [{ ...list.agents[0], token: "ab" }] }, "agents.0.token"],
  ["an unknown category", { ...list, agents: [{ ...list.agents[0], category: "browser" }] }, "agents.0.category"],
  ["an unknown field", { ...list, extra: 1 }, "list of agents"],
  ["addresses of nobody", { prefixes: [{ ipv4Prefix: "192.0.2.16/28" }] }, "--agent"],
  ["everybody's addresses, published", { prefixes: [{ ipv6Prefix: "::/0" }] }, "prefixes.0.ipv6Prefix"],
  ["prefixes that are none", { prefixes: [{ note: "x" }] }, "prefixes.0: has neither an ipv4Prefix nor an ipv6Prefix"],
  [
    "prefixes in another form",
    { prefixes: [{ ipv4Prefix: "192.0.2.0/28" }, { ip_prefix: "192.0.2.16/28" }] },
    "prefixes.1",
  ],
  ["prefixes as texts", { prefixes: ["192.0.2.16/28"] }, "prefixes.0"],
])("a list with %s is refused with its name and changes nothing", async (_what, content, names) => {
  await using directory = await createTestDirectory();
  const data = path.join(directory.path, "data");
  await mkdir(data);
  const from = path.join(directory.path, "new.json");
  await writeFile(from, typeof content === "string" ? content : JSON.stringify(content));
  const refused = updateAgentList(data, from, deps);
  await expect(refused).rejects.toMatchObject({ code: "invalid" });
  await expect(refused).rejects.toThrow(names);
  expect(await readdir(data)).toEqual([]);
});

test("reads the operators' format, for the given agent, or the one that its name or most of its addresses belong to", async () => {
  await using directory = await createTestDirectory();
  const data = path.join(directory.path, "data");
  await mkdir(data);
  const publish = async (name: string, prefixes: object[]) => {
    const file = path.join(directory.path, name);
    await writeFile(file, JSON.stringify({ creationTime: "2025-02-07T06:31:14.000000", prefixes, more: 1 }));
    await utimes(file, new Date("2026-11-20T10:00:00Z"), new Date("2026-11-20T10:00:00Z"));
    return file;
  };
  const update = async (file: string, agent?: string) => (await updateAgentList(data, file, { ...deps, agent })).owners;
  const x = await publish("x.json", [{ ipv4Prefix: "192.0.2.16/28" }, { ipv6Prefix: "2001:db8::/32" }]);
  expect(await update(x, "chatgpt-user")).toEqual(["ChatGPT-User"]);
  await expect(update(x, "Nobody")).rejects.toThrow("There is no agent");
  const gptbot = await publish("gptbot.json", [{ ipv4Prefix: "192.0.2.32/28", ipv6Prefix: null }]);
  expect(await update(gptbot)).toEqual(["GPTBot"]);
  // Saved by an editor on Windows, under the name that a browser gave it.
  await writeFile(gptbot, `\uFEFF${await readFile(gptbot, "utf8")}`);
  await utimes(gptbot, new Date("2026-11-20T10:00:00Z"), new Date("2026-11-20T10:00:00Z"));
  await rename(gptbot, path.join(directory.path, "GPTBot.json"));
  expect(await update(path.join(directory.path, "GPTBot.json"))).toEqual(["GPTBot"]);
  const known = builtInAgents.networks.get("Applebot")!.map((ipv4Prefix) => ({ ipv4Prefix }));
  expect(await update(await publish("apple.json", [...known, { ipv4Prefix: "192.0.2.48/28" }]))).toEqual(["Applebot"]);

  const list = createAgentLists({ dataDirectory: data, ...deps })();
  expect(list.networks.get("ChatGPT-User")).toEqual(["192.0.2.16/28", "2001:db8::/32"]);
  const dates = ["ChatGPT-User", "GPTBot", "Applebot", "Bingbot"].map((agent) => list.dates.get(agent));
  expect(dates).toEqual(["2026-11-20", "2026-11-20", "2026-11-20", builtInAgents.date]);
});
