import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentJob } from "#client/answers.ts";
import { revokeApiKey, createApiKey } from "#features/keys/api-keys.ts";
import { systemClock } from "#lib/clock.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { createPerson } from "#test/support/person.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";

const PROMPT = 'Replace "Harbor Cloud" with "Harbor Platform".';
const files = { "index.md": "# Start\n\nHarbor Cloud.\n", "ports.md": "# Ports\n\nHarbor Cloud has ports.\n" };

const made = new AsyncDisposableStack();
let server: TestServer;
type Person = Awaited<ReturnType<typeof createPerson>>;
let person: Person;

const newPerson = async () => createPerson(made.use(await createTestDirectory()).path);
const loginsOf = ({ home }: Person) => path.join(home, ".config", "docent", "logins.json");
const logIn = async (who: Person, ...more: string[]) => {
  const { project, key } = server.instance;
  const args = ["login", "--server", server.baseUrl, "--project", project.id, ...more];
  return who.docent(args, { input: `${key}\n` });
};

const logInToAll = async (who: Person) => {
  const deps = { database: server.instance.database, clock: systemClock, keysPerHour: 100 };
  const { key } = await createApiKey(deps, { projectId: null, name: "wide", expiresInDays: 7 });
  await who.docent(["login", "--server", server.baseUrl], { input: key });
};
/** The projects of somebody's logins, the newest first; null for one to all projects. */
const projectsOf = async (who: Person) =>
  (await who.json<{ project: string | null }[]>("login", "--list")).map(({ project }) => project);

/** `docent` at one of the two places, and what it answers with `--json`. */
function commandsAt(place: string) {
  const isAtServer = place === "at a server";
  const docent = (args: readonly string[]) =>
    person.docent(isAtServer ? args : [...args, "--data", server.instance.data]);
  const json = async <T>(...args: string[]): Promise<T> => {
    const { exitCode, stdout, stderr } = await docent([...args, "--json"]);
    if (exitCode !== 0) throw new Error(`docent ${args.join(" ")} ended with ${exitCode}: ${stderr}${stdout}`);
    return JSON.parse(stdout) as T;
  };
  return { docent, json, project: () => (isAtServer ? "harbor" : server.instance.project.slug) };
}

beforeAll(async () => {
  server = made.use(await startTestServer({ engine: "sqlite", files }));
  person = await newPerson();
  await logIn(person, "--name", "harbor");
});
afterAll(() => made.disposeAsync());

describe("docent login", () => {
  it("stores the key in a file that only its owner can read, and never prints it", async () => {
    const { project, key } = server.instance;
    const file = loginsOf(person);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
      logins: [{ server: server.baseUrl, project: project.id, name: "harbor", key }],
    });
    const listed = await person.docent(["login", "--list"]);
    expect(listed.stdout).toContain(`${server.baseUrl}  ${project.id}  harbor  …${key.slice(-4)}`);
    expect(listed.stdout).not.toContain(key);
    expect(await person.json("login", "--list")).toEqual([
      { server: server.baseUrl, project: project.id, name: "harbor" },
    ]);
  });

  it("does not store a key that the server rejects", async () => {
    const other = await newPerson();
    const { project } = server.instance;
    const args = ["login", "--server", server.baseUrl, "--project", project.id];
    const refused = await other.docent(args, { input: "docent_wrong\n" });
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toContain(`does not take the key for ${project.id}`);
    expect((await other.docent(args)).stderr).toContain("No key was given.");
    expect((await other.docent(args, { input: "two words" })).stderr).toContain("That is not an API key");
    expect(await readdir(other.home)).toEqual(["work"]);
  });

  it.each([
    [["login"], "does not take the key for all projects"],
    [["login", "--project", "../x"], "--project takes the id of a project"],
    [["login", "--project", "prj_1", "--server", "ftp://x"], "is not a server address"],
    [["login", "--project", "prj_1", "--server", "https://user@x"], "is not a server address"],
    [["login", "--project", "prj_1", "--server", ""], "is not a server address"],
  ])("says what is wrong with %j", async (args, words) => {
    const refused = await person.docent(args, { input: "docent_x" });
    expect(refused.stderr).toContain(words);
    expect(refused.exitCode).not.toBe(0);
  });

  it("rejects a file that others can read, or that is damaged", async () => {
    const other = await newPerson();
    await logIn(other);
    await chmod(loginsOf(other), 0o644);
    expect((await other.docent(["jobs", "list", "harbor"])).stderr).toContain(
      "other users can read it. Run: chmod 600",
    );
    await chmod(loginsOf(other), 0o600);
    await writeFile(loginsOf(other), '{"logins": [{"server": 5}]}');
    const damaged = await other.docent(["jobs", "list", "harbor"]);
    expect(damaged).toMatchObject({ exitCode: 1 });
    expect(damaged.stderr).toContain("is invalid. Delete it");
  });

  it("rejects a file that the owner's group can read", async () => {
    const other = await newPerson();
    await logIn(other);
    await chmod(loginsOf(other), 0o640);
    expect((await other.docent(["jobs", "list", "harbor"])).stderr).toContain(
      "other users can read it. Run: chmod 600",
    );
  });

  it("keeps the logins for other projects of the same server", async () => {
    const other = await newPerson();
    await logIn(other);
    await logInToAll(other);
    expect(await projectsOf(other)).toEqual([null, server.instance.project.id]);
  });

  it("is undone by logout for the newest login alone, and with --all for every one", async () => {
    const other = await newPerson();
    await logIn(other);
    await logInToAll(other);
    await other.docent(["logout"]);
    expect(await projectsOf(other)).toEqual([server.instance.project.id]);
    await logInToAll(other);
    await other.docent(["logout", "--all"]);
    expect(await projectsOf(other)).toEqual([]);
  });

  it("is undone by logout", async () => {
    const other = await newPerson();
    await logIn(other);
    expect((await other.docent(["logout"])).stdout).toContain(`Forgot the key for ${server.instance.project.id}`);
    expect(await other.docent(["logout"])).toMatchObject({ exitCode: 1 });
    expect(await readdir(path.dirname(loginsOf(other)))).toEqual([]);
  });
});

describe.each(["at a server", "beside a data directory"])("docent jobs %s", (place) => {
  const { docent, json, project } = commandsAt(place);

  it("creates a job, follows it, shows its changes, sends a follow-up and lists it", async () => {
    const created = await docent(["jobs", "create", project(), PROMPT, "--wait", "--title", place]);
    expect(created).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Status   completed") as string });
    expect(created.stderr).toContain("· pull request ");
    const [listed] = await json<AgentJob[]>("jobs", "list", project(), "--limit", "1");
    const job = await json<AgentJob>("jobs", "show", listed!.id);
    expect(job).toMatchObject({ status: "completed", title: place, pullRequest: { state: "open" } });
    expect((await docent(["jobs", "list", project()])).stdout).toMatch(
      new RegExp(`${job.id} .* completed +#\\d+ open +${place}`),
    );

    const { stdout: patch } = await docent(["jobs", "diff", job.id]);
    expect(patch).toContain("-Harbor Cloud.\n+Harbor Platform.\n");
    const changes = await json<{ files: { path: string }[] }>("jobs", "diff", job.id);
    expect(changes.files.map((file) => file.path)).toEqual(["index.md", "ports.md"]);

    const followUp = ["jobs", "message", job.id, 'Replace "Ports" with "Harbours".', "--wait"];
    const followed = await docent(followUp);
    expect(followed.stdout).toContain("Status   completed");
    const watched = await docent(["jobs", "watch", job.id, "--json"]);
    const lines = watched.stdout.trim().split("\n");
    const events = lines.slice(0, -1).map((line) => JSON.parse(line) as { seq: number; type: string; data: object });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events[0]).toMatchObject({ seq: 1, type: "job.created", data: expect.any(Object) as object });
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ id: job.id, status: "completed" });
  });

  it("exits with 1 for a failed job, and does not cancel an ended one", async () => {
    const failed = await docent(["jobs", "create", project(), "Sing a song.", "--wait"]);
    expect(failed).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("Status   failed") as string });
    const id = /job_\w+/.exec(failed.stdout)![0];
    const cancelled = await docent(["jobs", "cancel", id]);
    expect(cancelled).toMatchObject({ exitCode: 1 });
    expect(cancelled.stderr).toContain("only an active job can be cancelled");
    const some = await json<AgentJob[]>("jobs", "list", project(), "--status", "failed");
    expect(new Set(some.map(({ status }) => status))).toEqual(new Set(["failed"]));
  });

  it("exits with 1 for a refused follow-up, whose job stays completed", async () => {
    const { id } = await json<AgentJob>("jobs", "create", project(), 'Replace "Harbor" with "Port".', "--wait");
    const refused = await docent(["jobs", "message", id, "Sing a song.", "--wait"]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("Status   completed") as string });
  });

  it("lists at most --limit jobs", async () => {
    for (const _ of [1, 2]) await json("jobs", "create", project(), PROMPT, "--dry-run");
    expect(await json("jobs", "list", project(), "--limit", "1")).toHaveLength(1);
  });

  it("cancels a job", async () => {
    const { id } = await json<AgentJob>("jobs", "create", project(), PROMPT, "--dry-run");
    const outcome = await docent(["jobs", "cancel", id]);
    // The job may have been faster.
    expect(outcome.stdout + outcome.stderr).toMatch(/ends within seconds|is cancelled|only an active job/);
    await docent(["jobs", "watch", id]);
    expect((await json<AgentJob>("jobs", "show", id)).status).not.toBe("active");
  });

  it.each([
    [["jobs", "show", "job_nope"], 1],
    [["jobs", "create", "harbor-elsewhere", PROMPT], 1],
    [["jobs", "create"], 2],
    [["jobs", "fly"], 2],
    [["jobs", "list", "x", "--status", "lost"], 2],
    [["jobs", "list", "x", "--limit", "0"], 2],
    [["jobs", "show", "job_nope", "--colour"], 2],
  ])("ends %j with %d and a sentence", async (args, status) => {
    const { exitCode, stdout, stderr } = await docent(args);
    expect([exitCode, stdout]).toEqual([status, ""]);
    expect(stderr).toMatch(/^docent: [^\n]+\.?\n/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe.each(["at a server", "beside a data directory"])("%s", (place) => {
  const { docent, json, project } = commandsAt(place);
  const say = async (...args: string[]) => (await docent(args)).stdout;

  it("creates, lists and deletes webhooks", async () => {
    const made = await json<{ id: string; secret: string; events: string[] }>(
      "webhooks",
      "create",
      project(),
      "https://1.1.1.1/hooks",
      "--event",
      "job.failed",
      "--description",
      place,
    );
    expect(made).toMatchObject({ events: ["job.failed"], description: place });
    expect(made.secret).toMatch(/^whsec_/);
    expect(await say("webhooks", "list", project())).toContain(
      `${made.id}  https://1.1.1.1/hooks  standard  enabled  job.failed`,
    );
    expect(await json("webhooks", "deliveries", project(), made.id)).toEqual([]);
    const sent = await json<{ id: string }>("webhooks", "test", project(), made.id);
    expect(sent).toMatchObject({ type: "webhook.test", jobId: null });
    expect(await json("webhooks", "deliveries", project(), made.id)).toMatchObject([{ id: sent.id }]);
    expect(await say("webhooks", "delete", project(), made.id)).toBe(`Deleted ${made.id}.\n`);
    const refused = await docent(["webhooks", "redeliver", project(), made.id, "dlv_x"]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    const wrong = await docent(["webhooks", "create", project(), "https://1.1.1.1/", "--event", "x"]);
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("--event takes job.completed")]);
  });

  it("creates, lists, runs and deletes automations", async () => {
    const cron = ["--cron", "0 6 * * 1", "--time-zone", "Europe/Berlin"];
    const made = await json<{ id: string }>("automations", "create", project(), place, PROMPT, ...cron);
    expect(made).toMatchObject({ trigger: { kind: "schedule", cron: "0 6 * * 1", timeZone: "Europe/Berlin" } });
    const pushed = await json<{ id: string }>("automations", "create", project(), "Pushes", PROMPT, "--push");
    expect(pushed).toMatchObject({ trigger: { kind: "push", branch: "main" } });
    expect(await say("automations", "list", project())).toContain("0 6 * * 1 Europe/Berlin");
    expect(await json("automations", "run", project(), made.id)).toMatchObject({ number: 1, messageSeq: 1 });
    for (const { id } of [made, pushed]) {
      expect(await json("automations", "delete", project(), id)).toEqual({ id });
    }
    const blank = await docent(["automations", "create", project(), "A", " "]);
    expect([blank.exitCode, blank.stderr]).toEqual([1, expect.stringContaining("must not be blank")]);
  });

  it("lists deployments, pins and unpins the site", async () => {
    await expect.poll(() => json<object[]>("deployments", "list", project())).not.toEqual([]);
    const [newest] = await json<{ commit: string; live: boolean }[]>("deployments", "list", project(), "--limit", "1");
    expect(newest).toMatchObject({ live: true, state: "ready" });
    expect(await json("deployments", "pin", project(), newest!.commit)).toMatchObject({ commit: newest!.commit });
    expect(await say("deployments", "list", project())).toContain(`Pinned to ${newest!.commit.slice(0, 7)}`);
    expect(await say("deployments", "unpin", project())).toContain("shows the newest commit of its branch");
    expect(await say("deployments", "list", project())).not.toContain("Pinned");
  });

  it("shows visitors, views and searches, and explains an invalid range", async () => {
    const days = ["--from", "2026-01-01", "--to", "2026-02-01", "--limit", "10"];
    const none = { human: 0, ai: 0, total: 0 };
    expect(await json("analytics", "visitors", project(), ...days)).toEqual({
      totals: none,
      visitors: [],
      hasMore: false,
    });
    expect(await json("analytics", "views", project(), ...days)).toEqual({ totals: none, views: [], hasMore: false });
    expect(await json("analytics", "searches", project(), ...days)).toEqual({
      searches: [],
      totalSearches: 0,
      nextCursor: null,
    });
    expect(await say("analytics", "visitors", project())).toMatch(/^PAGE +HUMAN +AI +TOTAL\n-+.*\n\(whole site\) +0 /);
    const wrong = await docent(["analytics", "views", project(), "--from", "yesterday"]);
    expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining("dateFrom")]);
  });
});

it("merges and closes pull requests of jobs, at a server and on the data directory", async () => {
  const make = (from: string, to: string) =>
    person.json<AgentJob>("jobs", "create", "harbor", `Replace "${from}" with "${to}".`, "--wait");
  const made = await make("Start", "Begin");
  const merge = ["jobs", "merge", made.id];
  const merged = { exitCode: 0, stdout: `Merged ${made.prLink}\n` };
  expect(await person.docent(merge)).toMatchObject(merged);
  expect((await person.json<AgentJob>("jobs", "show", made.id)).pullRequest).toMatchObject({ state: "merged" });
  // Again it changes nothing, wherever it is asked.
  expect(await person.docent([...merge, "--data", server.instance.data])).toMatchObject(merged);

  const other = await make("Begin", "Start");
  const close = ["jobs", "close", other.id];
  const closed = { exitCode: 0, stdout: `Closed ${other.prLink}\n` };
  expect(await person.docent([...close, "--data", server.instance.data])).toMatchObject(closed);
  expect(await person.docent(close)).toMatchObject(closed);
  const refused = await person.docent(["jobs", "merge", other.id]);
  expect(refused).toMatchObject({ exitCode: 1 });
  expect(refused.stderr).toContain("The pull request is closed.");
});

it("works with the environment only, without a login", async () => {
  const other = await newPerson();
  const { project, key } = server.instance;
  const environment = { DOCENT_SERVER: server.baseUrl, DOCENT_PROJECT: project.id, DOCENT_API_KEY: key };
  const listed = await other.docent(["jobs", "list", project.id, "--json"], { environment });
  expect([listed.exitCode, listed.stderr]).toEqual([0, ""]);
  expect(await readdir(other.home)).toEqual(["work"]);
});

it("distinguishes a revoked key, an unreachable server, and a server that is not Docent", async () => {
  const other = await newPerson();
  const { project, database } = server.instance;
  const deps = { database, clock: systemClock, keysPerHour: 100 };
  const spare = await createApiKey(deps, { projectId: project.id, name: "spare", expiresInDays: 7 });
  const environment = { DOCENT_PROJECT: project.id, DOCENT_API_KEY: spare.key };
  const ask = (address: string) =>
    other.docent(["jobs", "list", project.id], { environment: { ...environment, DOCENT_SERVER: address } });
  await revokeApiKey(deps, spare.id);
  expect((await ask(server.baseUrl)).stderr).toContain("`docent login` keeps a new one.");
  expect(await ask("http://127.0.0.1:9")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("http://127.0.0.1:9 could not be reached") as string,
  });
  const site = new URL(server.baseUrl);
  expect((await ask(`http://${project.slug}.localhost:${site.port}`)).exitCode).toBe(1);
});

it("commands at a server create no files, and those without an operation or key say what they need", async () => {
  const webhook = await person.docent(["projects", "webhook", "harbor"]);
  expect(webhook).toMatchObject({ exitCode: 1, stdout: "" });
  expect(webhook.stderr).toContain("works only on the data directory of a server");
  for (const command of [["list"], ["create", "Mine"]]) {
    const refused = await person.docent(["projects", ...command]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toContain("There is no instance key");
  }
  expect(await readdir(person.folder)).toEqual([]);
  const both = await person.docent(["jobs", "list", "harbor", "--data", "x", "--server", "http://x"]);
  expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining("Give --data or --server, not both.")]);
});

it("uses ./data if it contains a store, whatever logins there are", async () => {
  await mkdir(path.join(person.folder, "data"));
  await writeFile(path.join(person.folder, "data", "instance-id"), "x");
  const listed = await person.docent(["jobs", "list", "harbor"]);
  expect(listed.stderr).toContain("The database of ");
  expect(listed.stderr).toContain("restore the database from a backup");
  expect((await person.docent(["jobs", "list", "harbor", "--server", server.baseUrl])).exitCode).toBe(0);
});

it("hides notes with --quiet, but not errors", async () => {
  const args = ["jobs", "create", "harbor", PROMPT, "--wait", "--quiet", "--server", server.baseUrl];
  const quiet = await person.docent(args);
  expect(quiet.stderr).toBe("");
  expect((await person.docent(["jobs", "show", "job_nope", "-q", "--server", server.baseUrl])).stderr).toContain(
    "docent: ",
  );
});
