import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { createTestDirectory } from "#testing/repositories.ts";
import { runDocent } from "#test/support/commands.ts";
import { createTestInstance, type TestInstance } from "#test/support/instance.ts";
import { loggedServer } from "#test/support/logged-server.ts";

const LOST = "Its branch is not in its repository any more";

/** Serves a site until it has a deployment. */
async function deployed(): Promise<TestInstance> {
  const instance = await createTestInstance("sqlite", { "index.md": "# Start\n" });
  await using _ = await loggedServer(instance);
  const deployments = () => instance.database.kysely.selectFrom("deployment").select("state").execute();
  await expect.poll(deployments, { timeout: 20_000 }).toEqual([{ state: "ready" }]);
  return instance;
}

it.each<[string, damage: (repository: string) => Promise<unknown>]>([
  ["is empty", (repository) => writeReference(repository, "")],
  ["is zeros", (repository) => writeReference(repository, "\0".repeat(41))],
  [
    "is gone",
    (repository) =>
      Promise.all(["refs/heads/main", "packed-refs"].map((name) => rm(path.join(repository, name), { force: true }))),
  ],
  ["names a commit that is not there", (repository) => writeReference(repository, `${"1".repeat(40)}\n`)],
])("a site whose branch %s is not called empty, and no backup without it counts as complete", async (_, damage) => {
  await using instance = await deployed();
  await using backups = await createTestDirectory();
  const backup = () => runDocent(["backup", "--data", instance.data, "--to", backups.path, "--keep", "1"]);
  expect((await backup()).exitCode).toBe(0);
  await damage(instance.repoStore.directory(instance.project.id));
  const taken = await backup();
  expect([taken.exitCode, taken.stderr]).toEqual([1, expect.stringContaining("branch main")]);
  expect(taken.stderr).not.toContain("Deleted older backups");
  expect((await runDocent(["doctor", "--data", instance.data])).stdout).toMatch(/problem +repositories.*main/);
  await using served = await loggedServer(instance);
  const page = await served.page("/");
  expect([page.status, page.body]).toEqual([503, expect.stringContaining(LOST)]);
  expect(served.log()).toContain(LOST);
  const overview = await served.dashboard("");
  expect(overview).toContain("Readers get no page of this site.");
  expect(overview).not.toContain("no commits yet");
});

it("a running server goes on showing a site whose branch is lost, and says so", async () => {
  await using instance = await deployed();
  await using served = await loggedServer(instance);
  expect((await served.page("/")).status).toBe(200);
  await writeReference(instance.repoStore.directory(instance.project.id), "");
  await expect.poll(() => served.dashboard(""), { timeout: 10_000 }).toContain(`An earlier version is shown. This site cannot be shown. ${LOST}`); // oxfmt-ignore
  expect((await served.page("/")).status).toBe(200);
});

it("the other branches are listed beside a damaged one", async () => {
  await using instance = await createTestInstance("sqlite", { "index.md": "# Start\n" });
  const { repoStore, project } = instance;
  const commit = await repoStore.resolve(project.id, "refs/heads/main");
  await repoStore.updateRef(project.id, { ref: "refs/heads/other", to: commit, expected: null });
  await writeReference(repoStore.directory(project.id), `${"1".repeat(40)}\n`);
  expect(await repoStore.branches(project.id)).toEqual([{ name: "other", commit }]);
  expect(await repoStore.recentBranches(project.id, 5)).toEqual([expect.objectContaining({ name: "other" })]);
});

it("a site whose branch was never pushed is empty", async () => {
  await using instance = await createTestInstance("sqlite", {});
  await using served = await loggedServer(instance);
  const page = await served.page("/");
  expect([page.status, page.body]).toEqual([200, expect.stringContaining("Nothing here yet")]);
});

async function writeReference(repository: string, text: string): Promise<void> {
  await mkdir(path.join(repository, "refs", "heads"), { recursive: true });
  await writeFile(path.join(repository, "refs", "heads", "main"), text);
}
