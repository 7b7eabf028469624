import { appendFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createCommandIo } from "#testing/command-io.ts";
import { createTestDirectory, createTestRepository } from "#testing/repositories.ts";
import { OTHER_LABEL } from "#features/visitors/labels.ts";
import { labelKinds } from "#features/visitors/labels.ts";
import { analytics } from "./analytics.ts";
import type { Command } from "#cli/command/command.ts";
import { openInstance } from "#cli/command/open-instance.ts";
import { projects } from "#cli/projects/projects.ts";

/** A runner for commands on a new data directory. */
async function createRunner() {
  const directory = await createTestDirectory();
  onTestFinished(directory.dispose);
  const run = async (command: Command, ...args: string[]) => {
    const { io, said } = createCommandIo();
    await command.run([...args, "--data", path.join(directory.path, "data")], io);
    return said;
  };
  return { directory: directory.path, run };
}

/** A log line of today: an unknown program requested a page. */
function lineOf(page: string): string {
  const now = new Date();
  const month = now.toLocaleString("en", { month: "short", timeZone: "UTC" });
  const day = `${String(now.getUTCDate()).padStart(2, "0")}/${month}/${now.getUTCFullYear()}`;
  return `192.0.2.1 - - [${day}:00:00:00 +0000] "GET ${page} HTTP/1.1" 200 512 "-" "HarborPilot/1.0"\n`;
}

test("imports logs with the list of agents in the data directory", async () => {
  await using source = await createTestRepository({ "index.md": "# Start\n" });
  const { directory, run } = await createRunner();
  const log = path.join(directory, "access.log");
  await writeFile(log, lineOf("/"));
  await run(projects, "create", "harbor", "--repo", source.path);
  const imported = async () =>
    JSON.parse((await run(analytics, "import-log", "harbor", log, "--json")).stdout) as object;
  expect(await imported()).toMatchObject({ counted: 0, uncounted: 1 });
  const list = path.join(directory, "list.json");
  const agent = { token: "HarborPilot", operator: "Harbor", category: "assistant" };
  await writeFile(list, JSON.stringify({ date: "2026-11-01", agents: [agent], networks: {} }));
  const updated = await run(analytics, "agents", "update", list);
  expect(updated.stdout).toMatch(
    /^In use: \d+ agents, [\d,]+ ranges of \d+ of them\.\n(?: {2}\S+ +20[-\d]+ +\d+ ranges.*\n)+$/,
  );
  expect((await run(analytics, "agents")).stdout).toBe(updated.stdout);
  await appendFile(log, lineOf("/guide"));
  expect(await imported()).toMatchObject({ counted: 1, known: 1 });
});

test("erases an address only after confirmation, and says what was not reached", async () => {
  await using source = await createTestRepository({ "index.md": "# Start\n" });
  const { run } = await createRunner();
  await run(projects, "create", "harbor", "--repo", source.path);
  const erase = (...args: string[]) => run(analytics, "erase", "harbor", ...args);
  await expect(erase("--address", "192.0.2.1")).rejects.toThrow("To erase 192.0.2.1 permanently, add --yes.");
  await expect(erase("--address", "192.0.2", "--yes")).rejects.toThrow("--address takes an IPv4 or IPv6 address");
  const said = await erase("--address", "2001:DB8::1", "--yes");
  expect(said.stdout).toMatch(
    /^Erased the readers of 2001:db8:0:0::\/64 from harbor: 0 views of 0 visitor ids on 0 days\.\n/,
  );
  expect(said.stdout).toContain("Not reached: backups");
});

test("an erasure reaches readers of a program whose name is no longer stored, once the list of agents has it again", async () => {
  await using source = await createTestRepository({ "index.md": "# Start\n" });
  const { directory, run } = await createRunner();
  await run(projects, "create", "harbor", "--repo", source.path);
  const agents = [{ token: "HarborPilot", operator: "Harbor", category: "assistant" }];
  await useAgents(agents);
  const log = path.join(directory, "access.log");
  await writeFile(log, lineOf("/"));
  await run(analytics, "import-log", "harbor", log);
  await useAgents([]);
  {
    // The project has seen more programs than it stores names for.
    await using instance = await openInstance({ data: path.join(directory, "data") });
    await instance.database.kysely
      .updateTable("analytics_label")
      .set({ text: OTHER_LABEL })
      .where("kind", "=", labelKinds.client)
      .execute();
  }
  const erase = async (...args: string[]) =>
    (await run(analytics, "erase", "harbor", "--address", "192.0.2.1", "--yes", ...args)).stdout;
  expect(await erase()).toContain(": 0 views");
  expect(await erase("--user-agent", "HarborPilot/1.0")).toContain(": 1 views");

  async function useAgents(list: object[]): Promise<void> {
    const file = path.join(directory, "list.json");
    await writeFile(file, JSON.stringify({ date: "2026-11-01", agents: list, networks: {} }));
    await run(analytics, "agents", "update", file);
  }
});

test("a change of the analytics settings keeps the fields that it does not name", async () => {
  await using source = await createTestRepository({ "index.md": "# Start\n" });
  const { run } = await createRunner();
  await run(projects, "create", "harbor", "--repo", source.path);
  await run(projects, "set", "harbor", "analytics", '{"retentionDays": 730}');
  const set = await run(projects, "set", "harbor", "analytics", '{"excludedNetworks": ["192.0.2.0/24"]}');
  expect(set.stdout).toBe('harbor: analytics is {"retentionDays":730,"excludedNetworks":["192.0.2.0/24"]}.\n');
});

test("the snippet sends views to the project's ingest URL, and says what is missing until an origin is set", async () => {
  await using source = await createTestRepository({ "index.md": "# Start\n" });
  const { run } = await createRunner();
  await run(projects, "create", "harbor", "--repo", source.path);
  const before = await run(analytics, "snippet", "harbor");
  expect(before.stdout).toMatch(/^<script>[^]*"http:\/\/localhost:\d+\/ingest\/prj_[0-9a-z]{26}"[^]*<\/script>\n$/);
  expect(before.stderr).toContain("No origin may send views yet");
  await run(projects, "set", "harbor", "analytics", '{"allowedOrigins": ["https://docs.example.com"]}');
  const after = await run(analytics, "snippet", "harbor", "--json");
  expect(after.stderr).toBe("");
  expect(JSON.parse(after.stdout)).toEqual({
    snippet: before.stdout.trimEnd(),
    allowedOrigins: ["https://docs.example.com"],
  });
});
