import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listApiKeys, revokeApiKey } from "#features/keys/api-keys.ts";
import { appendEvents, type JobEventData } from "#features/jobs/events.ts";
import { findJob } from "#features/jobs/jobs.ts";
import { jobError } from "#features/jobs/job.ts";
import type { JobId } from "#lib/ids.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { sealProjectKey } from "#features/projects/project-models.ts";
import { findProject, saveSettings } from "#features/projects/projects.ts";
import { browse, type Browsing, dangerousMarkup } from "#testing/browsing.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(2)>`;

let app: TestApp;
let member: Browsing;

beforeAll(async () => {
  app = await createTestApp("sqlite");
  member = await browse(app, app.key);
});
afterAll(() => app[Symbol.asyncDispose]());

async function createJob(prompt: string, title = ""): Promise<{ path: string; id: JobId }> {
  const made = await member.post("/harbor-docs/jobs", { prompt, title });
  expect(made.status).toBe(303);
  return { path: made.location!, id: made.location!.split("/").at(-1) as JobId };
}
const read = (id: JobId) => findJob(app, { projectId: app.project.id, jobId: id });

/** Appends events as a worker does. */
async function record(id: JobId, events: JobEventData[]): Promise<void> {
  await app.database.transaction(async (transaction) => {
    const row = await transaction.selectFrom("job").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const lastSeq = row.event_seq;
    const seq = await appendEvents(transaction, { jobId: id, lastSeq, turn: 1, at: 0, events, redact: (text) => text });
    await transaction.updateTable("job").set({ event_seq: seq }).where("id", "=", id).execute();
  });
}

it("adds a rule proposed by the agent to the project's instructions, once", async () => {
  const { path, id } = await createJob("Say sign in everywhere.");
  const rule = `Write “sign in”, not "log in". ${HOSTILE}`;
  await record(id, [{ type: "turn.finished", ok: true, summary: "Done.", forLaterJobs: [rule] }]);
  const page = await member.get(path);
  expect(page.text).toContain("For later jobs");
  expect(dangerousMarkup(page.text)).toEqual([]);
  await saveSettings(app, app.project, { instructions: "Be brief." });
  const sent = await member.post("/harbor-docs/settings/instruction", { rule, job: id });
  expect(sent.location).toBe(`${path}#rules`);
  const { settings } = (await findProject(app, app.project.id))!;
  expect(settings.instructions).toBe(`Be brief.\n- ${rule}`);
  expect((await member.get(path)).text).toContain('<span class="muted">Added</span>');
  await saveSettings(app, app.project, {});
  await app.carryOut();
});

it("shows the sub-tasks of the agent, with what each did and what it cost", async () => {
  const { path, id } = await createJob("Translate it.");
  const used = { steps: 2, inputTokens: 1_200, outputTokens: 34, costUsd: 0.0123 };
  await record(id, [
    { type: "tool.started", id: "a", tool: "run_subtasks", input: {} },
    { type: "tool.finished", id: "a", tool: "run_subtasks", ok: true, summary: "Started them", durationMs: 1 },
    { type: "subtasks.started", subtasks: [{ subtask: 1, title: `French ${HOSTILE}`, files: ["fr", HOSTILE] }] },
    { type: "tool.started", id: "a", tool: "edit_file", input: {}, subtask: 1 },
    { type: "tool.finished", id: "a", tool: "edit_file", ok: true, summary: "Edited it", durationMs: 1, subtask: 1 },
    {
      type: "subtask.finished",
      subtask: 1,
      title: "French",
      ok: true,
      summary: HOSTILE,
      changed: ["fr/a.md"],
      ...used,
    },
  ]);
  const { text } = await member.get(path);
  expect(dangerousMarkup(text)).toEqual([]);
  expect(text).toMatch(/Sub-tasks, side by side<\/p> <ol class="subtasks"><li>French /);
  expect(text).toMatch(/Sub-task 1<\/span><details class="tool ok"> <summary> <b>edit file<\/b> <span>Edited it/);
  expect(text).toContain('<b>Done: French</b> <span class="muted">1 file, 2 steps, 1,234 tokens, $0.0123</span>');
  expect(text).not.toContain("run subtasks");
  await app.carryOut();
});

it("accepts images with an instruction and a follow-up, and shows them to members of the project only", async () => {
  const png = Buffer.from("iVBORw0KGgo=", "base64");
  const image = (content: string | Buffer<ArrayBuffer>, name = "screen.png") =>
    new File([content], name, { type: "image/png" });
  const made = await member.upload("/harbor-docs/jobs", { prompt: "As in the image.", image: image(png) });
  expect(made.status).toBe(303);
  const path = made.location!;
  await member.upload(`${path}/message`, { prompt: "And this.", image: image(png) });
  const { text } = await member.get(path);
  expect(text).toContain(`<img src="${path}/images/1/1" alt="Image 1 of 1 of the instruction"`);
  expect(text).toContain(`${path}/images/2/1`);
  const shown = await member.get(`${path}/images/1/1`);
  expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(shown.headers.get("content-security-policy")).toContain("sandbox");
  expect((await member.get(`${path}/images/1/2`)).status).toBe(404);
  expect((await (await browse(app, null)).get(`${path}/images/1/1`)).status).not.toBe(200);

  const refused = await member.upload("/harbor-docs/jobs", { prompt: "Look.", image: image("<svg/>", "a.svg") });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("“a.svg” is not a PNG, JPEG, WebP")]);
  expect(refused.text).toContain("Look.</textarea>");
  const unknown = await member.upload("/harbor-docs/jobs", { prompt: "Look.", model: "nobody/m", image: image(png) });
  expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining("Choose the images again")]);
  await app.carryOut();
  await app.carryOut();
});

describe("the form for a new job", () => {
  it("creates the same job as the API", async () => {
    const { id } = await createJob("First line\r\nSecond line", " A title ");
    expect(await read(id)).toMatchObject({
      status: "active",
      title: "A title",
      model: "docent/builtin-rules",
      baseRef: "main",
    });
    const { text } = await app.call("GET", `/job/${id}/events`);
    expect(text).toContain(String.raw`First line\nSecond line`);
    await app.carryOut();
  });

  it("creates one job however often it is sent, and another when the instruction has changed", async () => {
    const form = await member.get("/harbor-docs/jobs");
    const once = /name="once" value="([^"]+)"/.exec(form.text)![1]!;
    const fields = { prompt: "Fix the links.", title: "", once };
    const answers = await Promise.all([1, 2, 3].map(() => member.post("/harbor-docs/jobs", fields)));
    expect(new Set(answers.map((answer) => answer.location)).size).toBe(1);
    const changed = await member.post("/harbor-docs/jobs", { ...fields, prompt: "Fix the other links." });
    expect(changed.location).not.toBe(answers[0]!.location);
    await app.carryOut();
    await app.carryOut();
  });

  it("offers the models that the project may use and the branches that people created", async () => {
    await using chosen = await createTestApp("sqlite", {
      models: {
        providers: { local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1" } },
        allowed: ["local/qwen3", "local/<tiny>"],
      },
    });
    const tip = await chosen.repoStore.resolve(chosen.project.id, "refs/heads/main");
    for (const branch of ["next", "docent/edit-12345678", "docent-edit-12345678"]) {
      const update = { ref: `refs/heads/${branch}`, to: tip!, expected: null };
      await chosen.repoStore.updateRef(chosen.project.id, update);
    }
    const reader = await browse(chosen, chosen.key);
    const optionsOf = (text: string, name: string) => {
      const list = new RegExp(`<select name="${name}">(.*?)</select>`).exec(text)?.[1] ?? "";
      return [...list.matchAll(/<option value="([^"]+)"( selected)?>/g)].map(([, value, on]) => value + (on ?? ""));
    };
    for (const path of ["/harbor-docs", "/harbor-docs/jobs"]) {
      const { text } = await reader.get(path);
      expect(optionsOf(text, "model")).toEqual(["docent/builtin-rules selected", "local/qwen3", "local/&lt;tiny&gt;"]);
      expect(optionsOf(text, "ref")).toEqual(["main selected", "next"]);
    }
    const made = await reader.post("/harbor-docs/jobs", { prompt: "Edit.", model: "local/qwen3", ref: "next" });
    const jobId = made.location!.split("/").at(-1) as JobId;
    const job = await findJob(chosen, { projectId: chosen.project.id, jobId });
    expect(job).toMatchObject({ model: "local/qwen3", baseRef: "next" });

    for (const [fields, reason] of [
      [{ model: "local/other" }, "The model &quot;local/other&quot; is not allowed here."],
      [{ model: "openai/gpt-9" }, "No provider &quot;openai&quot; is set up."],
      [{ ref: "gone" }, "The repository has no branch &quot;gone&quot;."],
      [{ ref: "--upload-pack=x" }, "The repository has no branch"],
      [{ ref: "x".repeat(201) }, "The base branch must have at most 200 characters."],
      [{ model: "a\0b" }, "The model must be one line of text."],
    ] as const) {
      const answer = await reader.post("/harbor-docs/jobs", { prompt: "Keep me.", ...fields });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(reason);
      expect(answer.text).toContain("Keep me.</textarea>");
    }
    const corrected = await reader.post("/harbor-docs/jobs", { prompt: "Keep me.", model: "local/qwen3", ref: "gone" });
    expect(optionsOf(corrected.text, "model")).toContain("local/qwen3 selected");
    expect(corrected.text).toContain('<input name="ref" value="gone" placeholder="main" list="ref-options"');
  });

  it("suggests models when a provider has more models than are listed", async () => {
    await using open = await createTestApp("sqlite", {
      models: {
        providers: { local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1", models: { qwen3: {} } } },
      },
    });
    const reader = await browse(open, open.key);
    const { text } = await reader.get("/harbor-docs/jobs");
    expect(text).toMatch(/<input name="model" value="" placeholder="docent\/builtin-rules" list="model-options"/);
    expect(text).toMatch(
      /<datalist id="model-options"><option value="docent\/builtin-rules"><\/option><option value="local\/qwen3">/,
    );
    const made = await reader.post("/harbor-docs/jobs", { prompt: "Edit.", model: "local/anything", ref: "" });
    const jobId = made.location!.split("/").at(-1) as JobId;
    expect(await findJob(open, { projectId: open.project.id, jobId })).toMatchObject({
      model: "local/anything",
      baseRef: "main",
    });
  });

  it("keeps the entries that it refuses, and says why", async () => {
    for (const [fields, reason] of [
      [{ prompt: " \n" }, "The instruction must not be blank."],
      [{ prompt: "x".repeat(32_001) }, "The instruction must have at most 32000 characters."],
      [{ prompt: "a\0b" }, "The instruction must not contain NUL characters"],
      [{ prompt: "ok", title: `${"t".repeat(201)}` }, "The title must have at most 200 characters."],
    ] as const) {
      const answer = await member.post("/harbor-docs/jobs", fields);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(reason);
      expect(answer.text).toContain(fields.prompt.trim().slice(0, 100));
    }
    const hostile = await member.post("/harbor-docs/jobs", {
      prompt: `</textarea>${HOSTILE}`,
      title: HOSTILE.repeat(9),
    });
    expect(hostile.status).toBe(400);
    expect(dangerousMarkup(hostile.text)).toEqual([]);
    expect((await member.post("/harbor-docs/jobs", { prompt: "ä".repeat(32_000) })).status).toBe(303);
    await app.carryOut();
    expect((await member.post("/harbor-docs/jobs", { prompt: "x".repeat(600_000) })).status).toBe(413);
  });

  it("shares the hourly limit of the API and says when to try again", async () => {
    await using busy = await createTestApp("sqlite", { agentCallsPerHour: 2, now: new Date("2026-11-20T12:20:00Z") });
    const reader = await browse(busy, busy.key);
    await busy.call("POST", "/job", { body: { prompt: "One" } });
    const { location } = await reader.post("/harbor-docs/jobs", { prompt: "Two" });
    const third = await reader.post("/harbor-docs/jobs", { prompt: "Three" });
    expect(third.status).toBe(429);
    expect(third.headers.get("retry-after")).toBe("3660");
    expect(third.text).toContain("Try again in 61 minutes.");
    const message = await reader.post(`${location}/message`, { prompt: "More" });
    expect(message.status).toBe(429);
    expect(message.text).toContain(">More</textarea>");
  });
});

describe("the list", () => {
  it("is filtered by status and links to older jobs", async () => {
    await using many = await createTestApp("sqlite");
    const reader = await browse(many, many.key);
    for (let count = 1; count <= 32; count++)
      await reader.post("/harbor-docs/jobs", { prompt: `Job number ${count}.` });
    await many.carryOut({ fail: "impossible" });
    const first = await reader.get("/harbor-docs/jobs");
    expect(first.text.match(/<b>Job number/g)).toHaveLength(30);
    expect(first.text).toContain('data-refresh="4"');
    const older = /href="(\/harbor-docs\/jobs\?before=[^"]+)"/.exec(first.text)![1]!;
    const second = await reader.get(older);
    expect(second.text.match(/<b>Job number \d+/g)).toEqual(["<b>Job number 2", "<b>Job number 1"]);
    const failed = await reader.get("/harbor-docs/jobs?status=failed");
    expect(failed.text.match(/<b>Job number \d+/g)).toEqual(["<b>Job number 1"]);
    expect(failed.text).not.toContain("data-refresh");
    expect((await reader.get("/harbor-docs/jobs?status=archived")).text).toContain("No job is archived.");
    expect((await reader.get("/harbor-docs/jobs?before=nonsense&status=x")).status).toBe(200);
  });
});

it("says in the list that the last message of a job was not done", async () => {
  const { path } = await createJob("Say hello to everybody.");
  await app.carryOut({ files: { "hello-list.md": "# Hello\n" } });
  await member.post(`${path}/message`, { prompt: "Make it catchy." });
  await app.carryOut({ fail: "not_understood" });
  expect((await member.get("/harbor-docs/jobs")).text).toContain("last message: not done");
});

describe("a job's page", () => {
  it("shows the instruction, the work and the outcome", async () => {
    const { path, id } = await createJob("Say hello to everybody.");
    const active = await member.get(path);
    expect(active.text).toContain("Say hello to everybody.");
    expect(active.text).toContain('aria-current="step">Queued');
    expect(active.text).toContain(`data-stream="${path}/stream?after=2"`);
    expect(active.text).toContain('<noscript><meta http-equiv="refresh" content="3" /></noscript>');
    expect((await member.get(`${path}?paused=1`)).text).not.toContain("http-equiv");
    await app.carryOut({ files: { "hello.md": "# Hello\n" }, summary: "Said **hello** with `hello.md`." });
    const done = await member.get(path);
    expect(done.text).toContain("Said <strong>hello</strong> with <code>hello.md</code>.");
    const { number } = (await read(id))!.pullRequest!;
    expect(done.text).toContain(`Opened <a href="/harbor-docs/pull/${number}">pull request #${number}</a>`);
    expect(done.text).toContain("Review and merge");
    expect(done.text).not.toContain("data-stream");
    await app.codeHost.mergePullRequest(app.repository, number, { expectedHead: null });
    expect((await member.get(path)).text).toContain('<span class="muted">merged</span>');
  });

  it("marks a dry run from the start, in the list too", async () => {
    const made = await member.post("/harbor-docs/jobs", { prompt: "Try it.", dryRun: "yes" });
    expect((await member.get(made.location!)).text).toContain("Dry run: nothing is published");
    expect((await member.get("/harbor-docs/jobs")).text).toMatch(/Try it\.[^]{0,300}· dry run/);
    await app.carryOut();
  });

  it("says what failed, and what to do about it", async () => {
    const { path } = await createJob("Do the impossible.");
    await app.carryOut({ fail: "impossible" });
    const { text } = await member.get(path);
    expect(text).toContain("It did not work.");
    expect(text).toContain("The message says what is in the way");
  });

  it("shows a transcript in words and escapes hostile texts in it", async () => {
    const { path, id } = await createJob(`Greet ${HOSTILE}`, HOSTILE);
    await record(id, [
      { type: "turn.started", messages: [1], baseCommit: "0123456789abcdef", branch: `docent/${HOSTILE}` },
      { type: "message", role: "assistant", text: `I will. ${HOSTILE} \u202e` },
      { type: "tool.started", id: "1", tool: "edit_file", input: { path: HOSTILE } },
      {
        type: "tool.finished",
        id: "1",
        tool: "edit_file",
        ok: false,
        summary: `No ${HOSTILE}\nMore`,
        durationMs: 1_500,
      },
      { type: "tool.started", id: "2", tool: "read_file", input: { path: "index.md" } },
      { type: "tool.finished", id: "2", tool: "read_file", ok: true, summary: "12 lines", durationMs: 1_500 },
      { type: "usage", inputTokens: 1, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 1 },
      { type: "tool.started", id: "3", tool: "search_files", input: HOSTILE },
      { type: "plan.updated", steps: [{ text: `Step ${HOSTILE}`, state: "done" }] },
      { type: "notice", code: "model_error", text: `Busy ${HOSTILE}` },
      { type: "files.changed", added: ["new.md"], modified: [HOSTILE], removed: [] },
      { type: "files.changed", added: ["new.md"], modified: [HOSTILE], removed: [] },
      {
        type: "files.changed",
        added: ["b.md", "new.md"],
        modified: [HOSTILE],
        removed: [HOSTILE, "a.md"],
        moved: [{ from: "a.md", to: "b.md" }],
      },
      {
        type: "validation",
        errors: [{ check: "links", path: `a/${HOSTILE}`, line: 3, message: `Broken ${HOSTILE}` }],
        warnings: [{ check: "size", path: null, line: null, message: "Long" }],
        newHosts: [HOSTILE],
      },
      { type: "pull_request.opened", number: 7, url: "javascript:alert(1)", commit: "0123456789abcdef" },
      { type: "turn.finished", ok: true, summary: `Done [here](javascript:alert(1)) ${HOSTILE}` },
    ]);
    await app.database.kysely
      .insertInto("job_event")
      .values([
        { job_id: id, seq: 900, turn: 1, type: HOSTILE, data: "{}", created_at: 0 },
        { job_id: id, seq: 901, turn: 1, type: "tool.started", data: '{"tool":7}', created_at: 0 },
      ])
      .execute();
    const { text } = await member.get(path);
    expect(dangerousMarkup(text)).toEqual([]);
    expect(text).not.toMatch(/href="javascript:/i);
    expect(text).toContain("<b>edit file</b> <span>No &quot;&gt;&lt;script&gt;");
    expect(text).toContain('<b>read file</b> <span>12 lines</span> <span class="muted">1.5 s</span>');
    expect(text).toContain('<b>search files</b> <span></span> <span class="muted">running</span>');
    expect(text.match(/2 files changed so far/g)).toHaveLength(1);
    expect(text.match(/4 files changed so far/g)).toHaveLength(1);
    expect(text).toContain("<code>a.md → b.md</code>");
    expect(text).toContain("Checked: 1 error, 1 warning, 1 new host");
    expect(text).toContain('<span class="control" title="Control character U+202E">');
    await app.carryOut();
    expect((await member.get(path)).text).toContain('<span class="muted">not finished</span>');
  });

  it("shows the end of a long transcript and links to earlier events", async () => {
    const { path, id } = await createJob("Go on and on.");
    await record(
      id,
      Array.from({ length: 700 }, (_, index) => ({ type: "notice", code: "n", text: `Notice ${index + 1}.` }) as const),
    );
    const end = await member.get(path);
    expect(end.text).toContain("Notice 700.");
    expect(end.text).not.toContain("Notice 1.");
    const earlier = /href="([^"]+\?before=\d+)"/.exec(end.text)![1]!;
    const start = await member.get(earlier);
    expect(start.text).toContain("Notice 1.");
    expect(start.text).not.toContain("Notice 700.");
    expect(start.text).not.toContain("data-stream");
    await app.carryOut();
  });

  it("hides credentials that people paste into instructions", async () => {
    const { path } = await createJob(`Document the key ${app.key}.`);
    expect((await member.get(path)).text).not.toContain(app.key);
    expect((await member.get("/harbor-docs/jobs")).text).not.toContain(app.key);
    await app.carryOut();
  });

  it("also hides the keys of the project's own providers", async () => {
    const key = { name: "OWN_KEY", value: new Secret("nothing-that-looks-like-a-key") };
    const sealedKeys = { [key.name]: sealProjectKey(app.vault, app.project, key) };
    await saveSettings(app, app.project, { sealedKeys });
    const { path, id } = await createJob(`Say ${key.value.reveal()} aloud.`);
    for (const page of [path, "/harbor-docs/jobs", "/harbor-docs"]) {
      const { text } = await member.get(page);
      expect(text).toContain("Say [redacted] aloud.");
      expect(text).not.toContain(key.value.reveal());
    }
    const { text } = await app.call("GET", `/job/${id}/events`);
    expect(text).toContain("Say [redacted] aloud.");
    await saveSettings(app, app.project, {});
    await app.carryOut();
  });
});

describe("the buttons of a job's page", () => {
  it("send a follow-up, which wakes the job", async () => {
    const { path, id } = await createJob("Begin.");
    await app.carryOut();
    const answer = await member.post(`${path}/message`, { prompt: "Go on." });
    expect(answer).toMatchObject({ status: 303, location: `${path}#follow-up` });
    expect(await read(id)).toMatchObject({ status: "active", messageCount: 2 });
    expect((await member.get(path)).text).toContain("<b>Follow-up 1</b>");
    expect((await member.post(`${path}/message`, { prompt: " " })).status).toBe(400);
    await app.carryOut();
  });

  it("cancel, archive and unarchive a job, and say when it is too late", async () => {
    const { path, id } = await createJob("Begin.");
    expect((await member.post(`${path}/archive`, {})).text).toContain("This job is active");
    expect((await member.post(`${path}/cancel`, {})).status).toBe(303);
    expect(await read(id)).toMatchObject({ status: "failed", error: { code: "cancelled" } });
    const late = await member.post(`${path}/cancel`, {});
    expect(late.status).toBe(409);
    expect(late.text).toContain("only an active job can be cancelled");
    await member.post(`${path}/archive`, {});
    const archived = await member.get(path);
    expect(archived.text).toContain("An archived job takes no messages.");
    const refused = await member.post(`${path}/message`, { prompt: "Still there?" });
    expect(refused.status).toBe(409);
    await member.post(`${path}/unarchive`, {});
    expect(await read(id)).toMatchObject({ status: "failed" });
  });

  it("answer 404 for a job that does not exist", async () => {
    const missing = "/harbor-docs/jobs/job_00000000000000000000000000";
    expect((await member.get(missing)).status).toBe(404);
    expect((await member.post(`${missing}/cancel`, {})).status).toBe(404);
    expect((await member.post(`${missing}/message`, { prompt: "x" })).status).toBe(404);
    expect((await member.get("/harbor-docs/jobs/nonsense")).status).toBe(404);
  });
});

it("the stream ends when the key that its reader signed in with is revoked", async () => {
  const key = await app.makeKey(app.project);
  const guest = await browse(app, key);
  const { path, id } = await createJob("Watched.");
  const stream = guest.get(`${path}/stream?after=2`);
  const made = (await listApiKeys(app, app.project.id)).at(-1)!;
  await revokeApiKey(app, made.id);
  expect((await stream).text).not.toContain("done");
  expect(await read(id)).toMatchObject({ status: "active" });
  await app.carryOut();
});

it("the stream sends each change and the end of the job", async () => {
  const { path } = await createJob("Begin.");
  const stream = member.get(`${path}/stream?after=2`);
  await app.carryOut({ files: { "streamed.md": "# Streamed\n" } });
  const { headers, text } = await stream;
  expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(text).toMatch(/id: \d+ event: change data: \d+ /);
  expect(text).toMatch(/event: done data: "completed" $/);
  expect(text).not.toContain("Edit pages");
});

it("a project's readers may open a fifth of all streams, and the next is refused with 503", async () => {
  const { path } = await createJob("Watched by many.");
  const send = (at: string, init: RequestInit) =>
    app.app.fetch(new Request(`http://localhost:4000${at}`, init), { peerAddress: "127.0.0.1" });
  const signedIn = await send("/sign-in", { method: "POST", body: new URLSearchParams({ key: app.key }) });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const open = () => send(`${path}/stream`, { headers: { cookie, accept: "text/event-stream" } });
  const opened = await Promise.all(Array.from({ length: 61 }, open));
  expect(opened.filter(({ status }) => status === 200).length).toBe(60);
  const refused = opened.find(({ status }) => status !== 200)!;
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "30"]);
  for (const each of opened) await each.body!.cancel();
  const again = await open();
  expect(again.status).toBe(200);
  await again.body!.cancel();
  await app.carryOut();
});

describe("an instruction that was not understood", () => {
  it("shows the parts of the message as a list", async () => {
    const { path, id } = await createJob("Make it shine.");
    await app.carryOut({ fail: "not_understood" });
    const message = "Not done:\n\n- “a”: no page <b>\n  of that name.\n- “c”: no.\n\nUnderstood:\n- “d”";
    await record(id, [{ type: "job.failed", error: jobError("not_understood", message) }]);
    expect((await member.get(path)).text.replaceAll(/\s*\n\s*/g, " ")).toContain(
      '<p class="plain">Not done:</p><ul><li class="plain">“a”: no page &lt;b&gt; of that name.</li><li class="plain">“c”: no.</li></ul><p class="plain">Understood:</p><ul><li class="plain">“d”</li></ul>',
    );
  });

  it("keeps the list when the transcript was deleted", async () => {
    const { path, id } = await createJob("Make it shine.");
    await app.carryOut({ fail: "not_understood" });
    const error = JSON.stringify(jobError("not_understood", "Not done:\n- “a”: no."));
    await app.database.kysely
      .updateTable("job")
      .set({ error, transcript_deleted_at: 0 })
      .where("id", "=", id)
      .execute();
    expect((await member.get(path)).text).toContain('<ul><li class="plain">“a”: no.</li></ul>');
  });

  it("has a button for each suggested chore, which sends the chore as a follow-up", async () => {
    const { path, id } = await createJob("Make it shine.");
    await app.carryOut({ fail: "not_understood" });
    const error = {
      ...jobError("not_understood", "Nothing was changed."),
      suggestions: [{ chore: { fix_links: { in: ["a.md", "b.md"] } }, title: "Fix broken links", files: 1, places: 3 }],
    };
    await app.database.kysely
      .updateTable("job")
      .set({ error: JSON.stringify(error) })
      .where("id", "=", id)
      .execute();
    const { text } = await member.get(path);
    const form = /<section class="panel" id="suggestions"[^>]*>.*?<\/section>/.exec(text)?.[0] ?? "";
    expect(form).toContain("Fix broken links</b>");
    expect(form).toContain("1 file, 3 lines.");
    expect((await member.get(/href="([^"]+)">Show the change/.exec(form)![1]!.replaceAll("&amp;", "&"))).status).toBe(
      200,
    );
    const fields = [...form.matchAll(/name="(chore|job|in)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value] as const,
    );
    expect(Object.keys(Object.fromEntries(fields))).toEqual(["chore", "job", "in"]);
    const sent = await member.post("/harbor-docs/jobs/chores", { ...Object.fromEntries(fields), in: "a.md\nb.md" });
    expect(sent.location).toBe(path);
    const { text: events } = await app.call("GET", `/job/${id}/events`);
    expect(events).toContain('"chores":[{"fix_links":{"in":["a.md","b.md"]}}]');
    await app.carryOut();
  });
});

it("links a hunk of the pull request to a follow-up on its line", async () => {
  const { path, id } = await createJob("Add a page.");
  await app.carryOut({ files: { "guides/new.md": "# New\n" } });
  const { number } = (await read(id))!.pullRequest!;
  const { text } = await member.get(`/harbor-docs/pull/${number}/files`);
  const href = /href="([^"]+)" title="Follow up on line 1"/.exec(text)?.[1] ?? "";
  expect(href).toBe(`${path}?about=guides%2Fnew.md%3A1#follow-up`);
  expect((await member.get(href)).text).toContain("In guides/new.md, line 1: </textarea>");
  const hostile = await member.get(`${path}?about=${encodeURIComponent(`${HOSTILE}:1`)}`);
  expect(dangerousMarkup(hostile.text)).toEqual([]);
});
