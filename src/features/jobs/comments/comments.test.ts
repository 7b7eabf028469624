import { testVault } from "#testing/vault.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, it, type TestContext } from "vitest";
import type { RemoteKind } from "#hosts/code-host.ts";
import { forgejoApi, giteaApi } from "#hosts/gitea/gitea-api.ts";
import { githubApi } from "#hosts/github/github-api.ts";
import { gitlabApi } from "#hosts/gitlab/gitlab-api.ts";
import { answerMark } from "#hosts/remote/addressed.ts";
import { listRemarks } from "#hosts/remote/connection-remarks.ts";
import { createConversations } from "#hosts/remote/conversations.ts";
import type { HostApi } from "#hosts/remote/host-api.ts";
import { createHostCalls } from "#hosts/remote/host-call.ts";
import { reachHost } from "#hosts/remote/reach-host.ts";
import type { Engine } from "#db/database.ts";
import { claimJob } from "#features/jobs/queue/queue.ts";
import { createJob } from "#features/jobs/requests/submit.ts";
import { finishTurn } from "#features/jobs/turn/finish-turn.ts";
import { recordProgress } from "#features/jobs/turn/turns.ts";
import { systemClock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { openConnectedHost } from "#testing/hosts/connected-host.ts";
import { startForgejoServer, startGiteaServer } from "#testing/hosts/gitea-server.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { startGitlabServer } from "#testing/hosts/gitlab-server.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { insertTestProject } from "#testing/projects.ts";
import { findJobPullRequests, startCommentWorker } from "./comment-worker.ts";

const SERVERS: Record<RemoteKind, typeof startGitlabServer> = {
  github: startGithubServer,
  gitlab: startGitlabServer,
  gitea: startGiteaServer,
  forgejo: startForgejoServer,
};
const APIS: HostApi[] = LONG_TESTS ? [githubApi, gitlabApi, giteaApi, forgejoApi] : [githubApi, gitlabApi, forgejoApi];
const redact = (text: string) => text.replaceAll("hunter2", "[redacted]");

/** Opens a connected project with a job whose pull request has number 1. Its comments are read until the test ends. */
async function open(
  { onTestFinished, expect }: TestContext,
  api: HostApi,
  { engine = "sqlite" as Engine, model = "test/model" } = {},
) {
  const connected = await openConnectedHost({
    kind: api.kind,
    api,
    server: SERVERS[api.kind]({ "index.md": "one\n" }),
    engine,
  });
  onTestFinished(() => connected[Symbol.asyncDispose]());
  const { hostApps, database, vault, server, main } = connected;
  const { projectId } = connected.repository;
  // At the host itself: through Docent it would take three times as many processes of git.
  const { embedded: host, repository, repoStore } = server.parts;
  const openPullRequest = async (branch: string) => {
    const edits = [{ path: "index.md", content: Buffer.from(`${branch}\n`) }];
    const tree = await repoStore.snapshot(repository.projectId, { base: main, edits });
    const author = { name: "Docent", email: "docent@example.com" };
    const commit = await repoStore.commit(repository.projectId, {
      tree,
      parents: [main],
      message: "Edit",
      author,
      at: new Date(0),
    });
    await host.push(repository, { branch, commit, expected: null });
    const made = await host.ensurePullRequest(repository, {
      head: branch,
      base: "main",
      title: "Edit",
      body: "",
      draft: false,
    });
    if (made.outcome !== "created") throw new Error(made.outcome);
    return { ...made.pullRequest, previewUrl: null };
  };
  const { number, url, state, draft, previewUrl } = await openPullRequest("docent/one");
  const submit = {
    database,
    clock: systemClock,
    redact,
    vault: testVault,
    redactFor: async () => redact,
    agentCallsPerHour: 100,
  };
  const { job } = await createJob(
    submit,
    { projectId, prompt: "One.", model, baseRef: "main", draft: false, title: null },
    null,
  );
  const turns = { database, clock: systemClock, redact };
  const endTurn = async (turn: number, summary: string, commit: string | null) => {
    const claim = (await claimJob(turns, { owner: "test", leaseMs: 60_000 }))!;
    const pullRequest = { number, url, state, draft, previewUrl };
    const start = {
      turn,
      baseCommit: "a".repeat(40),
      branch: "docent/one",
      startedAt: new Date(),
      commitId: commit,
      waitedMs: 0,
      endedEarly: null,
    };
    const pushed = commit === null ? [] : [{ type: "commit.pushed" as const, commit, branch: "docent/one" }];
    await recordProgress(turns, claim, { turn, start, events: pushed });
    await finishTurn(turns, {
      claim,
      turn,
      outcome: { ok: true, title: "Done", summary, pullRequest, handledSeq: turn },
    });
  };
  await endTurn(1, "First.", "b".repeat(40));

  const outboundHttp = createOutboundHttp({ allow: ["127.0.0.1/32"] });
  const calls = createHostCalls({ outboundHttp, clock: systemClock, version: "0.0.0", sleep: async () => undefined });
  const reaching = { database, vault, hostApps, calls, apis: { [api.kind]: api } };
  const start = () => {
    const conversations = createConversations({
      ...reaching,
      clock: systemClock,
      logger: silentLogger,
      findOurs: (id, pullRequests) => findJobPullRequests({ database }, id, pullRequests),
      recordStates: async () => undefined,
      mentionName: async () => "docent",
      previewPosting: async () => ({ how: "off", link: () => "" }),
      redactFor: async () => redact,
      webhookUrl: () => null,
    });
    const worker = startCommentWorker({
      submit,
      leaseMs: 60_000,
      logger: silentLogger,
      markKey: Buffer.alloc(32, 1),
      reach: (id, signal) => reachHost(reaching, id, signal),
      jobUrl: async (_id, jobId) => `http://docent.test/acme/jobs/${jobId}`,
    });
    onTestFinished(async () => {
      await conversations[Symbol.asyncDispose]();
      await worker[Symbol.asyncDispose]();
    });
    return conversations;
  };
  /** Adds another job that has finished its first turn. */
  const addJob = async (owner: ProjectId, at: { branch: string; number: number }) => {
    const asked = { projectId: owner, prompt: "Theirs.", model, baseRef: "main", draft: false, title: null };
    const added = (await createJob(submit, asked, null)).job;
    const pullRequest = JSON.stringify({ number: at.number, url, state, draft, previewUrl });
    await database.kysely
      .updateTable("job")
      .set({ status: "completed", phase: "idle", done_seq: 1, branch: at.branch, pull_request: pullRequest })
      .where("id", "=", added.id)
      .execute();
    return added.id;
  };
  const conversations = start();
  const seen = async () =>
    (await database.kysely.selectFrom("connection").select("comments_seen_at").executeTakeFirstOrThrow())
      .comments_seen_at;
  await conversations.look(projectId);
  await expect.poll(seen).not.toBeNull();
  const { talk } = server.state;
  return {
    ...connected,
    talk,
    job,
    endTurn,
    addJob,
    openPullRequest,
    start,
    look: () => void conversations.look(projectId),
    jane: talk.person("jane", "write"),
    prompts: async () => {
      const rows = await database.kysely
        .selectFrom("job_message")
        .select("prompt")
        .where("seq", ">", 1)
        .orderBy("seq")
        .execute();
      return rows.map(({ prompt }) => prompt);
    },
    /** Whether the id of every written answer is recorded. */
    areAnswersKnown: async () => {
      const rows = await database.kysely.selectFrom("host_comment").select("answer_id").execute();
      return rows.every(({ answer_id: id }) => id !== null);
    },
    states: async () => {
      const rows = await database.kysely.selectFrom("host_comment").select(["id", "state"]).execute();
      return rows.map(({ state }) => state).sort();
    },
    answers: () => talk.comments.filter(({ author }) => author === talk.self).map(({ body }) => body),
    remarks: () => listRemarks({ database }, projectId),
  };
}

describe.concurrent.each(APIS)("a comment on the pull request of a job on $name", (api) => {
  it("becomes one message of the job and gets one reply, which in the end says what was done", async (context) => {
    const { expect } = context;
    const run = await open(context, api);
    const asked = run.talk.say(run.jane, 1, "Nice.\n\n@docent fix the title\n\nand the links of hunter2");
    for (let webhook = 0; webhook < 5; webhook++) run.look();
    await expect.poll(run.prompts).toEqual(["fix the title\n\nand the links of [redacted]"]);
    const rows = await run.database.kysely.selectFrom("host_comment").select("prompt").execute();
    expect(rows).toEqual([{ prompt: "fix the title\n\nand the links of [redacted]" }]);
    await expect
      .poll(run.answers)
      .toEqual([expect.stringMatching(/Docent works on it: \[job\]\(http:\/\/docent\.test\/acme\/jobs\/job_/)]);
    run.look();
    await run.endTurn(2, "Fixed @jane's title.", "c".repeat(40));
    await expect
      .poll(run.answers)
      .toEqual([expect.stringContaining("Done in cccccccccccc. Fixed @\u200bjane's title.")]);
    expect(run.answers()[0]).toContain(String(asked.id));
    Object.assign(asked, { body: "@docent fix it all", changedAt: new Date() });
    run.look();
    run.look();
    await expect.poll(run.states).toEqual(["answered"]);
    expect(await run.prompts()).toHaveLength(1);
    expect(await run.remarks()).toEqual([]);
  });

  it.runIf(LONG_TESTS || api === githubApi)("gets a reply that keeps the shape of a list", async (context) => {
    const { expect } = context;
    const run = await open(context, api);
    run.talk.say(run.jane, 1, "@docent fix the links");
    run.look();
    await expect.poll(run.prompts).toHaveLength(1);
    await run.endTurn(2, "- Fixed 2 links.\n  - Left one.\n\nMade by rules.", "c".repeat(40));
    const text = "Done in cccccccccccc.\n\n- Fixed 2 links.\n  - Left one.\n\nMade by rules.";
    await expect.poll(run.answers).toEqual([expect.stringContaining(text)]);
  });

  it.runIf(LONG_TESTS || api === forgejoApi)(
    "has only one reply even when the database is restored to a state before it",
    async (context) => {
      const { expect } = context;
      const run = await open(context, api);
      run.talk.say(run.jane, 1, "@docent fix the title");
      run.look();
      await expect.poll(run.answers).toHaveLength(1);
      await run.endTurn(2, "Fixed.", "c".repeat(40));
      await expect.poll(run.states).toEqual(["answered"]);
      await run.database.kysely.deleteFrom("host_comment").execute();
      run.look();
      await expect.poll(run.prompts).toHaveLength(2);
      await run.endTurn(3, "It was fixed.", null);
      await expect.poll(run.states).toEqual(["answered"]);
      expect(run.answers()).toEqual([expect.stringContaining("Nothing to commit. It was fixed.")]);
    },
  );

  it("is ignored without a reply when it is from a program, from Docent or from someone without write access", async (context) => {
    const { expect } = context;
    const run = await open(context, api);
    const { talk } = run;
    talk.say(talk.person("ci", "write", { isBot: true }), 1, "@docent fix it");
    talk.say(talk.person("reader", "read"), 1, "@docent fix it");
    talk.say(talk.person("stranger", "none"), 1, "@docent fix it");
    talk.say(talk.self, 1, "@docent again\n\n<!-- docent-answer issue:1 -->");
    talk.say(run.jane, 1, `${"> @docent fix it\n".repeat(3_000)}\n\`\`\`\n@docent fix it\n\`\`\``);
    talk.say(run.jane, 1, "@docent");
    run.look();
    await expect.poll(run.answers).toEqual([expect.any(String), expect.stringMatching(/says nothing after the name/)]);
    await expect.poll(async () => (await run.states()).filter((state) => state !== "ignored")).toEqual(["answered"]);
    expect(await run.prompts()).toEqual([]);
  });

  it("in a file tells the model the place, and is answered in its thread on hosts that have threads", async (context) => {
    const { expect } = context;
    const run = await open(context, api);
    const asked = run.talk.say(run.jane, 1, "@docent say more", { place: { path: "index.md", line: 3 } });
    run.look();
    await expect.poll(run.prompts).toEqual(["say more\n\n(This is about index.md, line 3.)"]);
    await expect.poll(run.answers).toHaveLength(1);
    const answer = run.talk.comments.at(-1)!;
    expect(answer.thread).toBe(api.kind === "github" || api.kind === "gitlab" ? asked.id : null);
  });

  it.runIf(LONG_TESTS || api === githubApi)("is ignored on a pull request that belongs to no job", async (context) => {
    const { expect } = context;
    const run = await open(context, api);
    await run.openPullRequest("feature");
    run.talk.say(run.jane, 2, "@docent fix it");
    run.talk.say(run.jane, 1, "@docent fix the title");
    run.look();
    await expect.poll(run.prompts).toEqual(["fix the title"]);
    expect(await run.states()).toHaveLength(1);
  });

  it.runIf(LONG_TESTS || api === gitlabApi)(
    "gets one reply when the host's response is lost, and a new one when its reply was deleted",
    async (context) => {
      const { expect } = context;
      const run = await open(context, api);
      run.server.state.fault = async (request, answer) => {
        const isNew = request.method === "POST" && /comments|notes/.test(request.url);
        if (!isNew) return null;
        run.server.state.fault = () => null;
        await answer();
        return "cut";
      };
      run.talk.say(run.jane, 1, "@docent fix the title");
      run.look();
      await expect.poll(run.states).toEqual(["accepted"]);
      await run.endTurn(2, "Fixed.", null);
      await expect
        .poll(run.answers, { timeout: 20_000 })
        .toEqual([expect.stringContaining("Nothing to commit. Fixed.")]);

      run.talk.say(run.jane, 1, "@docent fix the links");
      run.look();
      await expect.poll(run.answers).toHaveLength(2);
      await expect.poll(run.areAnswersKnown).toBe(true);
      run.talk.remove(run.talk.comments.at(-1)!.id);
      await run.endTurn(3, "Fixed them.", null);
      await expect.poll(run.answers).toEqual([expect.any(String), expect.stringContaining("Fixed them.")]);
    },
  );

  it.runIf(LONG_TESTS || api === githubApi)(
    "is answered in Docent's own comment even when a stranger's comment looks like the reply",
    async (context) => {
      const { expect } = context;
      const run = await open(context, api);
      const { talk, server } = run;
      let tries = 0;
      server.state.fault = (request) => {
        if (request.method !== "POST") return null;
        tries += 1;
        return new Response(null, { status: 502 });
      };
      const asked = talk.say(run.jane, 1, "@docent fix the title");
      const kind = api === gitlabApi ? "note" : "issue";
      const claim = talk.say(talk.person("stranger", "none"), 1, `Mine.\n\n${answerMark(`${kind}:${asked.id}`)}`);
      run.look();
      await expect.poll(run.states).toEqual(["accepted"]);
      await expect.poll(() => tries).toBeGreaterThan(0);
      server.state.fault = () => null;
      await expect.poll(run.answers, { timeout: 20_000 }).toHaveLength(1);
      expect(claim.body).toMatch(/^Mine\./);
    },
  );

  it.runIf(LONG_TESTS || api === githubApi)(
    "is read even after a comment with a date in the future",
    async (context) => {
      const { expect } = context;
      const run = await open(context, api);
      const first = run.talk.say(run.jane, 1, "@docent fix the title");
      first.changedAt = new Date(Date.now() + 365 * 86_400_000);
      run.look();
      await expect.poll(run.prompts).toEqual(["fix the title"]);
      run.talk.say(run.jane, 1, "@docent fix the links");
      run.look();
      await expect.poll(run.prompts).toEqual(["fix the title", "fix the links"]);
    },
  );

  it.runIf(LONG_TESTS || api === githubApi)(
    "is retried when the host refuses the reply, and the project shows that the token may not comment",
    async (context) => {
      const { expect } = context;
      const run = await open(context, api);
      run.server.state.fault = (request) =>
        request.method === "POST" ? Response.json({ message: "no" }, { status: 403 }) : null;
      run.talk.say(run.jane, 1, "@docent fix the title");
      run.look();
      await expect.poll(run.prompts).toEqual(["fix the title"]);
      await expect
        .poll(async () => (await run.remarks()).map(({ about, text }) => `${about} ${text}`))
        .toEqual([expect.stringMatching(/^answers A comment is not answered: .*not allow it/)]);
      const asked = run.server.state.requests.length;
      await sleep(1_500);
      expect(run.server.state.requests.length).toBe(asked);
      run.server.state.fault = () => null;
      await expect.poll(run.answers, { timeout: 20_000 }).toHaveLength(1);
      await expect.poll(run.remarks).toEqual([]);
    },
  );
});

describe.concurrent("a comment on a server with several projects", () => {
  it("is answered with the outcome of its own job, not of another project's job", async (context) => {
    const { expect } = context;
    const run = await open(context, githubApi);
    const other = await run.addJob(await insertTestProject(run.database, "other"), { branch: "docent/two", number: 2 });
    const data = JSON.stringify({ ok: true, summary: "Theirs." });
    const event = { job_id: other, seq: 1_000, turn: 2, type: "turn.finished", data, created_at: Date.now() };
    await run.database.kysely.insertInto("job_event").values(event).execute();
    run.talk.say(run.jane, 1, "@docent fix the title");
    run.look();
    await expect.poll(run.prompts).toHaveLength(1);
    await run.endTurn(2, "Ours.", null);
    await expect.poll(run.states).toEqual(["answered"]);
    expect(run.answers()).toEqual([expect.stringContaining("Nothing to commit. Ours.")]);
  });

  it("is ignored on a pull request that has the number and branch of another project's job", async (context) => {
    const { expect } = context;
    const run = await open(context, githubApi);
    await run.openPullRequest("feature");
    await run.addJob(await insertTestProject(run.database, "other"), { branch: "feature", number: 2 });
    run.talk.say(run.jane, 2, "@docent fix it");
    run.talk.say(run.jane, 1, "@docent fix the title");
    run.look();
    await expect.poll(run.prompts).toEqual(["fix the title"]);
    expect(await run.states()).toEqual(["accepted"]);
  });

  it("is carried out even when another project has a newer job on a branch of the same name", async (context) => {
    const { expect } = context;
    const run = await open(context, githubApi);
    await run.addJob(await insertTestProject(run.database, "other"), { branch: "docent/one", number: 7 });
    run.talk.say(run.jane, 1, "@docent fix the title");
    run.look();
    await expect.poll(run.states).toEqual(["accepted"]);
    expect(await run.prompts()).toEqual(["fix the title"]);
  });
});

describe.concurrent("a comment", () => {
  it("is ignored when its job has moved to another pull request meanwhile", async (context) => {
    const { expect } = context;
    const run = await open(context, githubApi);
    const next = JSON.stringify({ number: 2, url: "http://host.test/2", state: "open", draft: false });
    run.server.state.fault = async (request) => {
      const isAsking = request.url.includes("/collaborators/");
      if (isAsking) await run.database.kysely.updateTable("job").set({ pull_request: next }).execute();
      return null;
    };
    run.talk.say(run.jane, 1, "@docent fix the title");
    run.look();
    await expect.poll(run.states).toEqual(["ignored"]);
    expect(await run.prompts()).toEqual([]);
  });

  it("gets no second reply when the host no longer allows the first to be changed", async (context) => {
    const { expect } = context;
    const run = await open(context, githubApi);
    run.talk.say(run.jane, 1, "@docent fix the title");
    run.look();
    await expect.poll(run.states).toEqual(["accepted"]);
    await expect.poll(run.areAnswersKnown).toBe(true);
    run.server.state.fault = (request) =>
      request.method === "PATCH" ? Response.json({ message: "no" }, { status: 403 }) : null;
    await run.endTurn(2, "Fixed.", null);
    await expect.poll(run.remarks).toEqual([expect.objectContaining({ about: "answers" })]);
    expect(run.answers()).toHaveLength(1);
  });

  it("is read even when the host lists it only after newer changes were read", async (context) => {
    const { expect } = context;
    const run = await open(context, githubApi);
    const late = run.talk.say(run.jane, 1, "@docent fix the title");
    late.changedAt = new Date(Date.now() - 60_000);
    run.look();
    await expect.poll(run.prompts).toEqual(["fix the title"]);
  });

  it("on GitLab is ignored when it is an internal note", async (context) => {
    const { expect } = context;
    const run = await open(context, gitlabApi);
    run.server.state.fault = async (request, answer) => {
      if (request.method !== "GET" || !/\/notes\?/.test(request.url)) return null;
      const notes = (await (await answer()).json()) as { body: string }[];
      return Response.json(notes.map((note) => ({ ...note, internal: note.body.includes("among us") })));
    };
    run.talk.say(run.jane, 1, "@docent fix what stays among us");
    run.talk.say(run.jane, 1, "@docent fix the title");
    run.look();
    await expect.poll(run.prompts).toEqual(["fix the title"]);
    expect(await run.states()).toEqual(["accepted"]);
  });

  it("on GitLab is answered in its thread even after a hundred other threads", async (context) => {
    const { expect } = context;
    const run = await open(context, gitlabApi);
    for (let index = 0; index < 100; index++) run.talk.say(run.jane, 1, "Nice.").changedAt = new Date(0);
    const asked = run.talk.say(run.jane, 1, "@docent say more", { place: { path: "index.md", line: 3 } });
    run.look();
    await expect.poll(run.answers).toHaveLength(1);
    expect(run.talk.comments.at(-1)!.thread).toBe(asked.id);
  });

  it("on Forgejo is ignored when the host tells an administrator that its author may only read", async (context) => {
    const { expect } = context;
    const run = await open(context, forgejoApi);
    run.talk.self.access = "admin";
    run.talk.say(run.talk.person("reader", "read"), 1, "@docent fix the links");
    run.talk.say(run.jane, 1, "@docent fix the title");
    run.look();
    await expect.poll(run.states).toEqual(["accepted", "ignored"]);
    expect(await run.prompts()).toEqual(["fix the title"]);
  });

  it("on Forgejo is ignored while its review is pending", async (context) => {
    const { expect } = context;
    const run = await open(context, forgejoApi);
    run.server.state.fault = async (request, answer) => {
      if (!/\/reviews\?/.test(request.url)) return null;
      const reviews = (await (await answer()).json()) as object[];
      return Response.json(reviews.map((review) => ({ ...review, state: "PENDING" })));
    };
    run.talk.say(run.jane, 1, "@docent fix the links", { place: { path: "index.md", line: 1 } });
    run.talk.say(run.jane, 1, "@docent fix the title");
    run.look();
    await expect.poll(run.prompts).toEqual(["fix the title"]);
    expect(await run.states()).toEqual(["accepted"]);
  });
});

it("several servers on PostgreSQL carry out each comment once", async (context) => {
  const { expect } = context;
  const run = await open(context, githubApi, { engine: "postgres" });
  const others = [run.start(), run.start()];
  for (let index = 1; index <= 5; index++) run.talk.say(run.jane, 1, `@docent fix page ${index}`);
  for (const each of [...others, { look: run.look }]) void each.look(run.repository.projectId);
  await expect.poll(run.prompts, { timeout: 30_000 }).toHaveLength(5);
  await expect.poll(run.answers, { timeout: 30_000 }).toHaveLength(5);
  expect(new Set(await run.prompts()).size).toBe(5);
});
