import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { createTestDirectory } from "#testing/repositories.ts";
import { userAgents } from "#testing/views.ts";
import { silentLogger } from "#lib/logger.ts";
import { agentListFile, builtInAgents, createAgentLists, updateAgentList } from "./agent-list.ts";
import { createClassifier } from "./classify.ts";
import { createBrowserFinder } from "./known-browsers.ts";
import { createAgentVerifier } from "./verify-agent.ts";

const list = {
  date: "2026-11-20",
  agents: [{ token: "Harbour-User", operator: "Harbour", category: "assistant" }],
  networks: { "ChatGPT-User": ["192.0.2.0/24", "2001:db8::/32"] },
};
const IN_BROWSER = userAgents.chrome.replace("X11;", "X11; Harbour-User;");

test("a newer list of agents is taken by a running server: addresses, names, and what is no browser", async () => {
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
  expect(createAgentVerifier(current())("ChatGPT-User", { address: "192.0.2.9" })).toBe("spoofed");

  const updated = await updateAgentList(data, from);
  expect((await stat(agentListFile(data))).mode & 0o777).toBe(0o600);
  expect(current()).toBe(builtInAgents); // looked a moment ago
  now += 10_000;
  expect(current()).toEqual(updated);
  expect(current()).toBe(current());
  expect(current().date).toBe("2026-11-20");
  const verify = createAgentVerifier(current());
  expect(verify("ChatGPT-User", { address: "192.0.2.9" })).toBe("verified");
  expect(verify("ChatGPT-User", { address: "4.151.71.177" })).toBe("spoofed"); // of the list before
  expect(verify("GPTBot", { address: "192.0.2.9" })).toBe("spoofed");
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
])("a list with %s is refused by name and changes nothing", async (_what, content, names) => {
  await using directory = await createTestDirectory();
  const data = path.join(directory.path, "data");
  await mkdir(data);
  const from = path.join(directory.path, "new.json");
  await writeFile(from, typeof content === "string" ? content : JSON.stringify(content));
  const refused = updateAgentList(data, from);
  await expect(refused).rejects.toMatchObject({ code: "invalid" });
  await expect(refused).rejects.toThrow(names);
  expect(await readdir(data)).toEqual([]);
});
