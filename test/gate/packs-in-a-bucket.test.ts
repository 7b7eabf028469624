import { randomBytes } from "node:crypto";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JobId } from "#lib/ids.ts";
import { commitFiles, createTestDirectory, git } from "#testing/repositories.ts";
import { startS3Server } from "#testing/s3-server.ts";
import { runDocent } from "#test/support/commands.ts";
import { callApi, createTestInstance, type TestInstance, waitForJob } from "#test/support/instance.ts";
import { startProcess } from "#test/support/processes.ts";
import { serveInstance } from "#test/support/server.ts";
import { createSiteClient } from "#test/support/site-client.ts";

const made = new AsyncDisposableStack();
let instance: TestInstance;
let storage: Awaited<ReturnType<typeof startS3Server>>;
let environment: Record<string, string>;

beforeAll(async () => {
  instance = made.use(
    await createTestInstance(
      "postgres",
      { "index.md": "# Start\n\nAll about ships.\n" },
      { DOCENT_SECRET_KEY: randomBytes(32).toString("base64") },
    ),
  );
  storage = made.use(await startS3Server());
  environment = {
    DATABASE_URL: instance.environment["DATABASE_URL"]!,
    DOCENT_SECRET_KEY: instance.environment["DOCENT_SECRET_KEY"]!,
    DOCENT_JOB_LEASE_MS: "1000",
    DOCENT_REPOSITORIES: "s3",
    ...storage.environment,
  };
});
afterAll(() => made.disposeAsync());

const emptyDirectory = async () => path.join(made.use(await createTestDirectory()).path, "data");
const originAt = (baseUrl: string) =>
  `${baseUrl.replace("://", `://docent:${instance.key}@`)}/git/${instance.project.slug}.git`;
const mainAt = async (baseUrl: string) =>
  (await git("/", "ls-remote", originAt(baseUrl), "refs/heads/main")).slice(0, 40);

async function cloneOf(baseUrl: string): Promise<string> {
  const folder = made.use(await createTestDirectory()).path;
  await git(folder, "clone", "--quiet", originAt(baseUrl), ".");
  return folder;
}

async function findings(data: string): Promise<string[]> {
  const { stdout } = await runDocent(["doctor", "--full", "--json", "--data", data], { environment });
  const { findings: all } = JSON.parse(stdout) as { findings: { check: string; state: string; words: string }[] };
  return all
    .filter(({ check }) => ["repositories", "object storage"].includes(check))
    .map(({ state, words }) => `${state}: ${words}`);
}

it.each([
  ["DOCENT_S3_SECRET_ACCESS_KEY", "wrong-key-of-the-test", /refuses the secret key: check DOCENT_S3_SECRET_ACCESS_KEY/],
  ["DOCENT_S3_BUCKET", "none", /has no bucket none: create it, or check DOCENT_S3_BUCKET/],
  [
    "DOCENT_S3_ENDPOINT",
    "http://s3.invalid",
    /cannot be reached \((?:ENOTFOUND|EAI_AGAIN)\): check DOCENT_S3_ENDPOINT/,
  ],
])("a server with a wrong %s does not start, and says what to do", async (name, value, words) => {
  const args = ["serve", "--port", "0", "--data", instance.data];
  const { stderr } = await runDocent(args, { environment: { ...environment, [name]: value } });
  expect(stderr).toMatch(words);
  expect(stderr).not.toContain("wrong-key-of-the-test");
});

it("a push whose server is killed after its object is stored leaves the branch, and is repeated at another node", async () => {
  const args = ["serve", "--port", "0", "--json", "--data", instance.data];
  const doomed = await startProcess("src/cli/main.ts", args, environment);
  await using other = await serveInstance({ data: await emptyDirectory(), environment });
  const before = await mainAt(other.baseUrl);
  const work = await cloneOf(doomed.started.baseUrl);
  const pushed = await commitFiles(work, { "news.md": "# News\n" }, "Add news");
  storage.behaviour.beforePut = async () => {
    storage.behaviour.beforePut = null;
    await doomed.kill("SIGKILL");
  };
  await expect(git(work, "push", "--quiet", "origin", "HEAD:refs/heads/main")).rejects.toThrow(/push/);
  expect(await mainAt(other.baseUrl)).toBe(before);
  await git(work, "push", "--quiet", originAt(other.baseUrl), "HEAD:refs/heads/main");
  expect(await mainAt(other.baseUrl)).toBe(pushed);
}, 60_000);

it("during an outage sites are served, writes are refused with 503, and jobs wait and then end well", async () => {
  await using node = await serveInstance({ data: await emptyDirectory(), environment });
  const { baseUrl, port } = node;
  const body = { prompt: 'Replace "ships" with "boats".' };
  const first = (await callApi(baseUrl, instance, { path: "/job", body })).body;
  await waitForJob(baseUrl, instance, first.id);
  const work = await cloneOf(baseUrl);
  await commitFiles(work, { "late.md": "# Late\n" }, "Add a page");

  storage.behaviour.fault = { status: 503, code: "SlowDown" };
  const refused = await callApi(baseUrl, instance, { path: `/job/${first.id}/merge`, body: {} });
  expect([refused.status, refused.body.error]).toEqual([
    503,
    "The server's object storage is unavailable. Try again soon.",
  ]);
  const { stderr } = await git(work, "push", "origin", "HEAD:refs/heads/main").then(
    () => ({ stderr: "" }),
    (error: { stderr: string }) => error,
  );
  expect(String(stderr)).toContain("the server's object storage is unavailable: push again soon");
  using site = createSiteClient({ instance, port });
  expect((await site.send("/")).text).toContain("All about ships.");
  const ready = await fetch(`${baseUrl}/ready`);
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { status: "ready", warnings: ["The object storage is unavailable: pushes and jobs wait for it."] },
  ]);
  const waiting = (
    await callApi(baseUrl, instance, { path: "/job", body: { prompt: 'Replace "ships" with "yachts".' } })
  ).body;
  await expect
    .poll(() =>
      instance.database.kysely
        .selectFrom("job")
        .select("run_after")
        .where("id", "=", waiting.id as JobId)
        .executeTakeFirst(),
    )
    .toMatchObject({ run_after: expect.toSatisfy((at: number) => at > Date.now() + 2_000) as number });

  storage.behaviour.fault = null;
  expect(await waitForJob(baseUrl, instance, waiting.id)).toMatchObject({ status: "completed", error: null });
  await git(work, "push", "--quiet", "origin", "HEAD:refs/heads/main");
}, 120_000);

it("docent doctor finds a lost object and names its project, and a backup brings it back", async () => {
  const data = await emptyDirectory();
  await (await serveInstance({ data, environment }))[Symbol.asyncDispose]();
  expect(await findings(data)).toEqual([
    "ok: 1 repository in the database: git read every object.",
    expect.stringMatching(/^ok: \d+ packs in http.*\/packs, each in full/),
  ]);
  const backups = await emptyDirectory();
  const take = () =>
    runDocent(["backup", "--data", data, "--to", backups, "--without-database", "--json"], { environment });
  expect(JSON.parse((await take()).stdout)).toMatchObject({ missing: [] });
  expect(JSON.parse((await take()).stdout)).toMatchObject({
    missing: [],
    written: expect.toSatisfy((bytes: number) => bytes < 5_000) as number,
  });

  const [name] = [...storage.objects.keys()].filter((one) => one.startsWith("docent/prj_"));
  storage.objects.delete(name!);
  expect((await findings(data))[1]).toContain(
    `The object ${name!.slice("docent/".length)} of the repository of ${instance.project.slug} is missing.`,
  );
  storage.objects.clear();
  const restored = await emptyDirectory();
  const { stderr } = await runDocent(["restore", "--from", backups, "--to", restored]);
  expect(stderr).toContain("it stores the packs that the bucket lacks from");
  await using node = await serveInstance({ data: restored, environment });
  expect(await mainAt(node.baseUrl)).toHaveLength(40);
  expect(await findings(data)).toEqual([expect.stringMatching(/^ok/), expect.stringMatching(/^ok/)]);
}, 120_000);
