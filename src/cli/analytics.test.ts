import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTestDirectory, createTestRepository } from "#testing/repositories.ts";
import { analytics } from "./analytics.ts";
import type { Command } from "./command.ts";
import { projects } from "./projects.ts";

test("the snippet sends views to the project's ingest address, and says what is missing until an origin is named", async () => {
  await using source = await createTestRepository({ "index.md": "# Start\n" });
  const directory = await createTestDirectory();
  onTestFinished(directory.dispose);
  const run = async (command: Command, ...args: string[]) => {
    const said = { stdout: "", stderr: "" };
    await command.run([...args, "--data", path.join(directory.path, "data")], {
      stdout: (text) => void (said.stdout += text),
      stderr: (text) => void (said.stderr += text),
      isTerminal: false,
      readInput: async () => "",
      signal: new AbortController().signal,
    });
    return said;
  };
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
