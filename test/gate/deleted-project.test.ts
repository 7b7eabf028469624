import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createApiKey } from "#features/keys/api-keys.ts";
import { silentLogger } from "#lib/logger.ts";
import { systemClock } from "#lib/clock.ts";
import { createProject } from "#features/projects/projects.ts";
import { deleteProject } from "#app/delete-project.ts";
import { createTestRepository, git } from "#testing/repositories.ts";
import { runDocent } from "#test/support/commands.ts";
import { callApi, createTestInstance } from "#test/support/instance.ts";
import { edit, finish, startModels } from "#test/support/models.ts";
import { serveInstance } from "#test/support/server.ts";
import { createSiteClient } from "#test/support/site-client.ts";
import { ENGINES } from "#testing/databases.ts";

const FILES = { "index.md": "# Start\n\nDoomed words.\n" };
const SCRIPT = {
  conversations: [
    { marker: "Rename", turns: [{ ...edit("index.md", "words", "texts"), delayMs: 2_000 }, finish("Rename it")] },
  ],
};

async function namesOf(folder: string, wanted: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    const content = entry.isFile() ? await readFile(file, "latin1").catch(() => "") : "";
    if (wanted.some((word) => file.includes(word) || content.includes(word))) found.push(file);
  }
  return found;
}

/** Waits for what a server does on its own within a minute. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_200 && !(await isTrue()); tries++) await sleep(50);
  expect(await isTrue()).toBe(true);
}

test("the next start of a server finishes a killed deletion", async () => {
  await using instance = await createTestInstance("sqlite", FILES);
  const { database, repoStore, project } = instance;
  await createProject({ database, repoStore, clock: systemClock }, { name: "Other docs", source: null, branch: null });
  const killed = () => Promise.reject(new Error("killed"));
  const deleting = deleteProject({ database, repoStore: { remove: killed }, dataDirectory: instance.data }, project);
  await expect(deleting).rejects.toThrow("killed");
  expect(await repoStore.exists(project.id)).toBe(true);
  await using _server = await serveInstance(instance);
  await until(async () => !(await repoStore.exists(project.id)));
}, 120_000);

test.concurrent.each(ENGINES)(
  "a running server notices a deleted project and its running job, and the other project continues, on %s",
  async (engine) => {
    const started = await startModels(SCRIPT);
    await using _models = started.models;
    await using instance = await createTestInstance(engine, FILES, {
      ...started.environment,
      DOCENT_JOURNAL_SECONDS: "1",
    });
    await using source = await createTestRepository({ "index.md": "# Other\n" });
    const deps = { ...instance, clock: systemClock, logger: silentLogger };
    const other = await createProject(deps, { name: "Other docs", source: source.path, branch: null });
    const otherKey = await createApiKey(
      { ...deps, keysPerHour: 100 },
      { projectId: other.id, name: "other", expiresInDays: 7 },
    );
    const { id, slug } = instance.project;
    const server = await serveInstance(instance);
    try {
      const { baseUrl, port } = server;
      const job = await callApi(baseUrl, instance, {
        path: "/job",
        body: { prompt: "Rename", model: "anthropic/m" },
      });
      expect(job.status).toBe(201);
      using site = createSiteClient({ instance, port });
      expect((await site.send("/")).status).toBe(200);
      const view = {
        event_id: "doomed",
        path: "/doomed-page",
        address: "192.0.2.1",
        userAgent: "curl/8",
        time: new Date().toISOString(),
      };
      const sent = await fetch(`${baseUrl}/v1/analytics/${id}/views`, {
        method: "POST",
        headers: { authorization: `Bearer ${instance.key}`, "content-type": "application/json" },
        body: JSON.stringify({ views: [view] }),
      });
      expect(sent.ok).toBe(true);
      await until(async () => {
        const row = await instance.database.kysely.selectFrom("job_step").select("turn").executeTakeFirst();
        const claimed = await instance.database.kysely.selectFrom("job").select("fence").executeTakeFirst();
        return row !== undefined || (claimed?.fence ?? 0) > 0;
      });
      const args = ["projects", "delete", slug, "--data", instance.data];
      const refused = await runDocent(args, { environment: instance.environment });
      expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("add --yes")]);
      expect((await site.send("/")).status).toBe(200);
      const deleted = await runDocent([...args, "--yes"], { environment: instance.environment });
      expect([deleted.exitCode, deleted.stdout]).toEqual([0, `Deleted ${slug} (${id}).\n`]);

      await until(async () => (await site.send("/")).status === 404);
      expect((await callApi(baseUrl, instance, { path: `/job/${job.body.id}` })).status).toBe(401);
      const cloned = await fetch(`${baseUrl}/git/${slug}.git/info/refs?service=git-upload-pack`, {
        headers: { authorization: `Basic ${Buffer.from(`x:${instance.key}`).toString("base64")}` },
      });
      expect([401, 404]).toContain(cloned.status);
      expect(existsSync(path.join(instance.data, "repositories", `${id}.git`))).toBe(false);
      const asOther = { project: other, key: otherKey.key };
      expect((await callApi(baseUrl, asOther, { path: "/jobs" })).status).toBe(200);
      expect(
        await git(source.path, "ls-remote", `http://x:${otherKey.key}@localhost:${port}/git/${other.slug}.git`),
      ).toContain("main");
      await until(async () => (await namesOf(instance.data, [id, slug, "doomed-page"])).length === 0);
    } finally {
      await server[Symbol.asyncDispose]();
    }
    expect(await namesOf(instance.data, [id, slug, "doomed-page"])).toEqual([]);
  },
  240_000,
);
