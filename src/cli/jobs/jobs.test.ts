import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openKeyVault } from "#lib/secrets/key-vault.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { sealProjectKey } from "#features/projects/project-models.ts";
import { requireProject, saveSettings } from "#features/projects/projects.ts";
import { secretsFile } from "#app/instance/secrets-file.ts";
import { createCommandIo } from "#testing/command-io.ts";
import { createTestDirectory, createTestRepository } from "#testing/repositories.ts";
import type { Command } from "#cli/command/command.ts";
import { jobs } from "./jobs.ts";
import { projects } from "#cli/projects/projects.ts";
import { openInstance } from "#cli/command/open-instance.ts";

/** A data directory with the project `harbor`, and a runner for commands. */
async function start() {
  await using source = await createTestRepository({ "index.md": "# Start\n" });
  const directory = await createTestDirectory();
  onTestFinished(directory.dispose);
  const run = async (command: Command, ...args: string[]) => {
    const { io, said } = createCommandIo();
    await command.run([...args, "--data", path.join(directory.path, "data")], io);
    return said.stdout;
  };
  await run(projects, "create", "harbor", "--repo", source.path);
  return { data: path.join(directory.path, "data"), run };
}

test("an invalid job is rejected on the command line as over HTTP, and not created", async () => {
  const { run } = await start();
  const create = (...args: string[]) => run(jobs, "create", "harbor", ...args);
  await expect(create(" ")).rejects.toThrow("`prompt` must not be blank.");
  await expect(create("Fix it.", "--title", "two\nlines")).rejects.toThrow("`title` must be one line of text.");
  await expect(create("Fix it.", "--title", "x".repeat(201))).rejects.toThrow("`title` must have at most 200");
  await expect(create("Fix it.", "--ref", "nowhere")).rejects.toThrow('The repository has no branch "nowhere".');
  await expect(create("Fix it.", "--ref", "--all")).rejects.toThrow("--ref");
  await expect(create("Fix it.", "--model", "openai/gpt-9")).rejects.toThrow('No provider "openai" is set up');
  const made = JSON.parse(await create("Fix it.", "--ref", "main", "--json")) as { status: string; id: string };
  expect(made).toMatchObject({ status: "active", prLink: null });
  expect(await run(jobs, "show", made.id)).toContain(`Job      ${made.id}\nStatus   active (queued)`);
});

test("--dry-run creates a job that publishes nothing", async () => {
  const { run } = await start();
  expect(JSON.parse(await run(jobs, "create", "harbor", "Fix it.", "--dry-run", "--json"))).toMatchObject({
    dryRun: true,
  });
  expect(await run(jobs, "list", "harbor")).toMatch(/queued +dry run/);
  expect(await run(jobs, "create", "harbor", "Fix it.", "--dry-run")).toContain("Dry run  publishes nothing");
});

test("the transcript of a job from the command line does not contain keys of its project", async () => {
  const { data, run } = await start();
  await using instance = await openInstance({ data });
  const project = await requireProject(instance, "harbor");
  const key = { name: "OWN_KEY", value: new Secret("nothing-that-looks-like-a-key") };
  const sealedKeys = { [key.name]: sealProjectKey(await openKeyVault(secretsFile(data)), project, key) };
  await saveSettings(instance, project, { sealedKeys });
  await run(jobs, "create", "harbor", `Say ${key.value.reveal()} aloud.`);
  const events = await instance.database.kysely.selectFrom("job_event").select("data").execute();
  expect(JSON.stringify(events)).toContain("Say [redacted] aloud.");
});
