import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createCommandIo } from "#testing/command-io.ts";
import { createTestDirectory, createTestRepository } from "#testing/repositories.ts";
import type { Command } from "#cli/command/command.ts";
import { exportCommand } from "./export.ts";
import { projects } from "./projects.ts";

test("an export uses the site's main domain, and warns that the files of a private site are public", async () => {
  await using source = await createTestRepository({ "index.md": "# Start\n" });
  const directory = await createTestDirectory();
  onTestFinished(directory.dispose);
  const run = async (command: Command, ...args: string[]) => {
    const { io, said } = createCommandIo();
    await command.run([...args, "--data", path.join(directory.path, "data")], io);
    return said;
  };
  await run(projects, "create", "harbor", "--repo", source.path);
  const exported = () => run(exportCommand, "harbor", "--out", path.join(directory.path, "site"));
  const canonical = async () =>
    /rel="canonical" href="([^"]*)"/.exec(await readFile(path.join(directory.path, "site", "index.html"), "utf8"))?.[1];
  expect((await exported()).stderr).toBe("");
  expect(await canonical()).toMatch(/^http:\/\/harbor\.localhost/);

  await run(projects, "domain", "add", "harbor", "docs.harbor.example");
  expect((await run(projects, "list")).stdout).toContain("http://docs.harbor.example");
  await run(projects, "access", "harbor", "links");
  expect((await exported()).stderr).toContain("This site is private here.");
  expect(await canonical()).toMatch(/^http:\/\/docs\.harbor\.example/);
});
