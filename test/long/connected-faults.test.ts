import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createApiKey } from "#features/keys/api-keys.ts";
import { openInstance } from "#cli/command/open-instance.ts";
import { connectDeps } from "#cli/projects/github-app.ts";
import { loadConfig } from "#app/instance/config.ts";
import { silentLogger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { connectProject } from "#features/projects/connect-project.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { commitFiles, createTestDirectory, git } from "#testing/repositories.ts";
import { startComposed } from "#test/support/composed-server.ts";
import { callHost, deliverHook, HOST_SHAPES, type HostShape } from "#test/support/host-shapes.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { createSiteClient } from "#test/support/site-client.ts";

const FILES = { "index.md": "# Welcome\n\nHarbor Cloud is here.\n", "guide.md": "# Guide\n\nUse it.\n" };
const ENVIRONMENT = { DOCENT_CODE_HOST_ALLOW: "127.0.0.1/32" };
const RENAME = { prompt: 'Replace "Harbor Cloud" with "Harbor Platform".' };
/** Longer than a host is left alone after a look. */
const NEXT_LOOK_MS = 61_000;

/** What `docent projects create` and `docent keys create` do; `connected-hosts.test.ts` runs them. */
async function connect(data: string, { url, kind }: Pick<HostShape, "kind"> & { url: string }) {
  await using instance = await openInstance({ data, environment: ENVIRONMENT, mayMakeStore: true });
  const wish = { name: "Acme", url, token: new Secret(HOST_TOKEN), kind, branch: null };
  const { id } = await connectProject(await connectDeps(instance), wish);
  const asked = { projectId: id, name: "test", expiresInDays: 7 };
  const { key } = await createApiKey({ ...instance, keysPerHour: 100 }, asked);
  return { id, key };
}

/** A server with a project that stays on a host, and one job that opened pull request 1. */
async function open(shape = HOST_SHAPES[0]!) {
  await using stack = new AsyncDisposableStack();
  const host = stack.use(await shape.start(FILES));
  const directory = stack.use(await createTestDirectory()).path;
  const data = path.join(directory, "data");
  const { id, key } = await connect(data, { url: host.url, kind: shape.kind });
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const config = loadConfig({ data, port: 0, logLevel: "error" }, ENVIRONMENT);
  const server = stack.use(await startComposed(config, { logger: silentLogger, clock }));
  const caller = { project: { id, slug: "acme" }, key };
  const site = createSiteClient({ instance: caller, port: server.port });
  stack.defer(() => site[Symbol.dispose]());
  const call = (request: Parameters<typeof callApi>[2]) => callApi(server.baseUrl, caller, request);
  const { embedded, repository, repoStore } = host.parts;
  const { projectId } = repository;
  const tipOf = async (branch: string) => (await repoStore.resolve(projectId, `refs/heads/${branch}`))!;
  const work = path.join(directory, "work");
  const owned = stack.move();
  return {
    host,
    work,
    call,
    tipOf,
    page: async () => (await site.send("/")).text,
    hook: (event: object) => deliverHook(host, shape, event),
    lookAgain: () => void (aheadMs += NEXT_LOOK_MS),
    /** Ends when the host has been asked for its pull requests; the look before is over by then. */
    async lookedAgain() {
      const listed = () =>
        host.state.answers.filter((answer) => answer.endsWith(shape.pullRequest(0).slice(0, -2))).length;
      const before = listed();
      aheadMs += NEXT_LOOK_MS;
      await expect.poll(listed).toBeGreaterThan(before);
    },
    async job(body: { prompt: string }) {
      const { body: created } = await call({ path: "/job", body });
      return waitForJob(server.baseUrl, caller, created.id);
    },
    done: (jobId: string) => waitForJob(server.baseUrl, caller, jobId),
    more: (jobId: string, prompt: string) => call({ path: `/job/${jobId}/message`, body: { prompt } }),
    events: async (jobId: string) => {
      const { body } = await call({ path: `/job/${jobId}/events?limit=200` });
      return (body as unknown as { events: { type: string }[] }).events.map(({ type }) => type);
    },
    merge: async () => {
      const [pullRequest] = await embedded.listPullRequests(repository, { state: "open", limit: 1, before: null });
      const { method, path: below, body } = shape.merge(pullRequest!.head.commit);
      return callHost(host, { method, path: shape.pullRequest(1) + below, body });
    },
    pullRequests: () => embedded.listPullRequests(repository, { state: "all", limit: 10, before: null }),
    holds: async (branch: string, commits: string[]) => repoStore.contained(projectId, await tipOf(branch), commits),
    file: async (branch: string, name: string) => {
      const files = await repoStore.tree(projectId, await tipOf(branch));
      const found = files.find((file) => file.path === name);
      return found ? (await repoStore.readBlob(projectId, found.oid)).toString() : null;
    },
    async clone(branch: string) {
      const address = host.url.replace("://", `://ada:${HOST_TOKEN}@`);
      await git(directory, "clone", "--quiet", "--branch", branch, `${address}.git`, work);
    },
    answers: () =>
      host.state.talk.comments.filter(({ author }) => author === host.state.talk.self).map(({ body }) => body),
    jane: host.state.talk.person("jane", "write"),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const COMMENT = 'Thanks!\n\n@docent replace "is here" with "is great".';
const DONE = [expect.stringMatching(/Done in [0-9a-f]{12}\./)];
const count = (events: string[], type: string) => events.filter((one) => one === type).length;

describe("webhooks of a code host", () => {
  it("that are all lost cost a minute: pushes, comments and merges are found by looking", async () => {
    await using run = await open();
    const job = await run.job(RENAME);
    await run.clone("main");
    await commitFiles(
      run.work,
      { "guide.md": "# Guide\n\nUse it well.\n", "index.md": "# Hello\n\nHarbor Cloud is here.\n" },
      "Hello",
    );
    await git(run.work, "push", "--quiet", "origin", "main");
    run.host.state.talk.say(run.jane, 1, COMMENT);
    run.lookAgain();
    await expect.poll(run.page).toContain("Hello");
    await expect.poll(run.answers).toEqual(DONE);
    expect((await run.merge()).status).toBe(200);
    expect(await run.events(job.id)).not.toContain("pull_request.merged");
    run.lookAgain();
    await expect.poll(() => run.events(job.id)).toContain("pull_request.merged");
    await expect.poll(run.page).toContain("Harbor Platform is great.");
  });

  it("that come twice, too early and in another order have one effect", async () => {
    await using run = await open();
    const job = await run.job(RENAME);
    await expect.poll(() => run.host.state.notices.webhooks).toHaveLength(1);
    run.host.state.talk.say(run.jane, 1, COMMENT);
    const early = ["closed", "created", "created", "opened", "edited"].map((action) => run.hook({ action }));
    expect((await Promise.all(early)).flat()).toEqual([202, 202, 202, 202, 202]);
    await expect.poll(run.answers).toEqual(DONE);
    expect((await run.merge()).status).toBe(200);
    for (const action of ["closed", "created", "opened", "closed"]) expect(await run.hook({ action })).toEqual([202]);
    await expect.poll(() => run.events(job.id)).toContain("pull_request.merged");
    for (const action of ["created", "closed"]) expect(await run.hook({ action })).toEqual([202]);
    await run.lookedAgain();
    const events = await run.events(job.id);
    expect(
      ["message.received", "pull_request.merged", "pull_request.reopened"].map((type) => count(events, type)),
    ).toEqual([2, 1, 0]);
    expect(run.answers()).toEqual(DONE);
    expect(await run.pullRequests()).toMatchObject([{ number: 1, state: "merged" }]);
  });
});

describe("a branch that somebody rewrites", () => {
  it("is shown as it is now when it is that of the docs, and its pull request goes on", async () => {
    await using run = await open();
    await run.clone("main");
    await commitFiles(run.work, { "index.md": "# Draft\n\nHarbor Cloud is here.\n" }, "Draft");
    await git(run.work, "push", "--quiet", "origin", "main");
    const job = await run.job(RENAME);
    await git(run.work, "reset", "--quiet", "--hard", "HEAD~1");
    await commitFiles(run.work, { "guide.md": "# Guide\n\nUse it well.\n" }, "Rewritten");
    await git(run.work, "push", "--quiet", "--force", "origin", "main");
    run.lookAgain();
    await expect.poll(run.page).toContain("Welcome");
    await run.more(job.id, 'Add a page titled "Notes" with the text "Read me."');
    expect(await run.done(job.id)).toMatchObject({ status: "completed", pullRequest: { number: 1, state: "open" } });
    expect(await run.pullRequests()).toMatchObject([{ number: 1, state: "open" }]);
    expect(await run.file(job.source.ref!, "notes.md")).toContain("Read me.");
    expect(await run.file("main", "guide.md")).toContain("Use it well.");
  });

  it("keeps what they made of it when it is the agent's, also at the moment of its push", async () => {
    await using run = await open();
    const job = await run.job(RENAME);
    const branch = job.source.ref!;
    await run.clone(branch);
    const rewrite = async (text: string) => {
      await commitFiles(run.work, { "theirs.md": `# Theirs\n\n${text}\n` }, "Theirs");
      await git(run.work, "reset", "--quiet", "--soft", "HEAD~2");
      await git(run.work, "commit", "--quiet", "--message", `Squashed, ${text}`);
      await git(run.work, "push", "--quiet", "--force", "origin", branch);
      return (await git(run.work, "rev-parse", "HEAD")).trim();
    };
    await rewrite("once");
    await git(run.work, "fetch", "--quiet", "origin", "main");
    const theirs: string[] = [];
    run.host.state.fault = async (request) => {
      if (request.method !== "POST" || !request.url.endsWith("/git-receive-pack")) return null;
      run.host.state.fault = () => null;
      await commitFiles(run.work, { "more.md": "# More\n" }, "More");
      await git(run.work, "reset", "--quiet", "--soft", "HEAD~2");
      await git(run.work, "commit", "--quiet", "--message", "Squashed again");
      await git(run.work, "push", "--quiet", "--force", "origin", branch);
      theirs.push((await git(run.work, "rev-parse", "HEAD")).trim());
      return null;
    };
    await run.more(job.id, 'Add a page titled "Notes" with the text "Read me."');
    expect(await run.done(job.id)).toMatchObject({ status: "completed", pullRequest: { number: 1, state: "open" } });
    expect(theirs).toHaveLength(1);
    expect(await run.holds(branch, theirs)).toEqual(new Set(theirs));
    const files = ["theirs.md", "more.md", "notes.md", "index.md"];
    expect(await Promise.all(files.map((file) => run.file(branch, file)))).toEqual([
      "# Theirs\n\nonce\n",
      "# More\n",
      expect.stringContaining("Read me."),
      expect.stringContaining("Harbor Platform"),
    ]);
    expect(await run.pullRequests()).toMatchObject([{ number: 1, state: "open" }]);
  });
});

it("a host that takes its time for each answer gets one pull request and one follow-up", async () => {
  await using run = await open();
  run.host.state.fault = async (request) => {
    if (new URL(request.url).pathname.startsWith("/api/")) await sleep(3_000);
    return null;
  };
  const job = await run.job(RENAME);
  expect(job).toMatchObject({ status: "completed", pullRequest: { number: 1, state: "open" } });
  await run.more(job.id, 'Add a page titled "Notes" with the text "Read me."');
  expect(await run.done(job.id)).toMatchObject({ status: "completed", pullRequest: { number: 1 } });
  expect(await run.pullRequests()).toHaveLength(1);
});

it.each(HOST_SHAPES.slice(0, 2))("looking at a $kind on which nothing happened gets 304 alone", async (shape) => {
  await using run = await open(shape);
  run.host.state.hasEtags = true;
  await run.job(RENAME);
  run.host.state.talk.say(run.jane, 1, COMMENT);
  await run.lookedAgain();
  await expect.poll(run.answers).toEqual(DONE);
  // What the answer itself changed is seen at first.
  for (let look = 0; look < 3; look++) await run.lookedAgain();
  const before = run.host.state.answers.length;
  for (let look = 0; look < 2; look++) await run.lookedAgain();
  const answers = run.host.state.answers.slice(before);
  expect(answers.length).toBeGreaterThanOrEqual(2);
  expect(answers.filter((answer) => !answer.startsWith("304 GET "))).toEqual([]);
});
