import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTestDirectory, createTestRepository } from "#testing/repositories.ts";
import type { Command } from "./command.ts";
import { jobs } from "./jobs.ts";
import { projects } from "./projects.ts";

test("a job with a wrong part is refused on the command line as over HTTP, and none is made", async () => {
  await using source = await createTestRepository({ "index.md": "# Start\n" });
  const directory = await createTestDirectory();
  onTestFinished(directory.dispose);
  const run = async (command: Command, ...args: string[]) => {
    let stdout = "";
    await command.run([...args, "--data", path.join(directory.path, "data")], {
      stdout: (text) => void (stdout += text),
      stderr: () => undefined,
      isTerminal: false,
      readInput: async () => "",
      signal: new AbortController().signal,
    });
    return stdout;
  };
  await run(projects, "create", "harbor", "--repo", source.path);
  const create = (...args: string[]) => run(jobs, "create", "harbor", ...args);
  await expect(create(" ")).rejects.toThrow("The prompt must not be blank.");
  await expect(create("Fix it.", "--title", "two\nlines")).rejects.toThrow("The title must be one line of text.");
  await expect(create("Fix it.", "--title", "x".repeat(201))).rejects.toThrow("The title must have at most 200");
  await expect(create("Fix it.", "--ref", "nowhere")).rejects.toThrow('The repository has no branch "nowhere".');
  await expect(create("Fix it.", "--ref", "--all")).rejects.toThrow("--ref");
  await expect(create("Fix it.", "--model", "openai/gpt-9")).rejects.toThrow('No provider "openai" is set up');
  const made = JSON.parse(await create("Fix it.", "--ref", "main", "--json")) as { status: string; id: string };
  expect(made).toMatchObject({ status: "active", prLink: null });
  expect(await run(jobs, "show", made.id)).toContain(`Job      ${made.id}\nStatus   active (queued)`);
});
