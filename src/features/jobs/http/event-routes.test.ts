import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { announceAnswer, followAnswer, type LiveAnswer } from "#features/jobs/live-answer.ts";
import { hashApiKey } from "#features/keys/api-key.ts";
import { appendEvents } from "#features/jobs/events.ts";
import type { JobId } from "#lib/ids.ts";
import { redact } from "#lib/secrets/secret-scan.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { ENGINES } from "#testing/databases.ts";

async function createJob(app: TestApp): Promise<JobId> {
  return (await app.call("POST", "/job", { body: { prompt: "Fix it." } })).json.id as JobId;
}

/** Appends messages of the agent, as a running worker does. */
async function append(app: TestApp, jobId: JobId, texts: readonly string[]): Promise<void> {
  await app.database.transaction(async (transaction) => {
    const job = await transaction
      .selectFrom("job")
      .select("event_seq")
      .where("id", "=", jobId)
      .executeTakeFirstOrThrow();
    const events = texts.map((text) => ({ type: "message", role: "assistant", text }) as const);
    const seq = await appendEvents(transaction, {
      jobId,
      lastSeq: job.event_seq,
      turn: 1,
      at: 0,
      events,
      redact: String,
    });
    await transaction.updateTable("job").set({ event_seq: seq }).where("id", "=", jobId).execute();
  });
  app.database.wakeUp.notify("job_event", jobId);
}

interface Received {
  id: string | null;
  event: string | null;
  data: { seq?: number; type?: string; data?: { text?: string }; status?: string } | null;
  comment: string | null;
}

/** A reader of server-sent events, written from the WHATWG specification alone. */
function readStream(response: Response) {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  const next = async (): Promise<Received | null> => {
    for (;;) {
      const end = buffer.indexOf("\n\n");
      if (end >= 0) {
        const lines = buffer.slice(0, end).split("\n");
        buffer = buffer.slice(end + 2);
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? null;
        if (field("retry") !== null) continue;
        const data = field("data");
        const comment =
          lines
            .find((line) => line.startsWith(":"))
            ?.slice(1)
            .trim() ?? null;
        return {
          id: field("id"),
          event: field("event"),
          data: data === null ? null : (JSON.parse(data) as Received["data"]),
          comment,
        };
      }
      const chunk = await reader.read();
      if (chunk.done) return null;
      buffer += chunk.value;
    }
  };
  return {
    next,
    async rest(): Promise<Received[]> {
      const all: Received[] = [];
      for (let one = await next(); one; one = await next()) all.push(one);
      return all;
    },
    cancel: () => reader.cancel(),
  };
}

describe.each(ENGINES)("following a job on %s", (engine) => {
  // One server for all of them. A job that is left would be the next that is carried out.
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp(engine);
  });
  afterEach(() => app.database.kysely.deleteFrom("job").execute());
  afterAll(() => app[Symbol.asyncDispose]());

  test("the transcript is read by sequence number", async () => {
    const id = await createJob(app);
    await append(app, id, ["one", "two", "three"]);
    const first = await app.call("GET", `/job/${id}/events?limit=3`);
    expect(first.json.hasMore).toBe(true);
    expect(first.json.events.map((event) => [event.seq, event.type])).toEqual([
      [1, "job.created"],
      [2, "message.received"],
      [3, "message"],
    ]);
    const rest = await app.call("GET", `/job/${id}/events?after=3`);
    expect(rest.json.events.map((event) => event.data.text)).toEqual(["two", "three"]);
    expect(rest.json.hasMore).toBe(false);
    expect((await app.call("GET", `/job/${id}/events?after=99`)).json).toEqual({
      events: [],
      hasMore: false,
      nextCursor: null,
    });
    for (const query of ["after=-1", "after=x", "limit=501", "limit=0"]) {
      expect((await app.call("GET", `/job/${id}/events?${query}`)).status).toBe(400);
    }
  });

  test("a page that starts after an event is continued by its cursor", async () => {
    const id = await createJob(app);
    await append(app, id, ["one", "two", "three"]);
    const first = `/job/${id}/events?after=1&limit=2`;
    const { nextCursor } = (await app.call("GET", first)).json;
    const second = await app.call("GET", `${first}&cursor=${nextCursor}`);
    expect(second.json.events.map(({ seq }) => seq)).toEqual([4, 5]);
  });

  test("a stream sends earlier events, new events, and the end of the job", async () => {
    const id = await createJob(app);
    const response = await app.open("GET", `/job/${id}/stream`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const stream = readStream(response);
    expect(await stream.next()).toMatchObject({ id: "1", event: "job.created", data: { seq: 1, type: "job.created" } });
    expect(await stream.next()).toMatchObject({ id: "2", event: "message.received" });
    await append(app, id, ["working"]);
    expect(await stream.next()).toMatchObject({ id: "3", event: "message", data: { data: { text: "working" } } });
    await app.carryOut({ summary: "All well." });
    const rest = await stream.rest();
    expect(rest.map(({ id: seq, event }) => [seq, event])).toEqual([
      ["4", "turn.finished"],
      ["5", "job.completed"],
      [null, "done"],
    ]);
    expect(rest.at(-1)!.data).toMatchObject({ id, status: "completed", summary: "All well." });
  });

  test("a stream resumes after the client's last event, given by header or query", async () => {
    const id = await createJob(app);
    await append(
      app,
      id,
      Array.from({ length: 250 }, (_, index) => `event ${index}`),
    );
    const broken = readStream(await app.open("GET", `/job/${id}/stream`));
    let last: string | null = null;
    for (let count = 0; count < 120; count++) last = (await broken.next())!.id;
    await broken.cancel();
    expect(last).toBe("120");
    await app.carryOut();
    const resumed = await readStream(
      await app.open("GET", `/job/${id}/stream`, { headers: { "Last-Event-ID": "120" } }),
    ).rest();
    expect(resumed.map((event) => event.id)).toEqual([
      ...Array.from({ length: 134 }, (_, index) => String(121 + index)),
      null,
    ]);
    const byQuery = await readStream(await app.open("GET", `/job/${id}/stream?after=253`)).rest();
    expect(byQuery.map((event) => event.event)).toEqual(["job.completed", "done"]);
    expect((await app.call("GET", `/job/${id}/stream`, { headers: { "Last-Event-ID": "abc" } })).status).toBe(400);
  });

  test("a silent stream sends comments", async () => {
    const id = await createJob(app);
    const stream = readStream(await app.open("GET", `/job/${id}/stream?after=2`));
    expect(await stream.next()).toMatchObject({ comment: "still here", id: null, event: null });
    expect(await stream.next()).toMatchObject({ comment: "still here" });
    await stream.cancel();
  });

  test("an event whose notification was lost arrives with the next poll", async () => {
    const id = await createJob(app);
    const stream = readStream(await app.open("GET", `/job/${id}/stream?after=2`));
    const arrival = stream.next();
    await app.database.transaction(async (transaction) => {
      const events = [{ type: "message", role: "assistant", text: "far away" }] as const;
      await appendEvents(transaction, { jobId: id, lastSeq: 2, turn: 1, at: 0, events: [...events], redact: String });
      await transaction.updateTable("job").set({ event_seq: 3 }).where("id", "=", id).execute();
    });
    let received = await arrival;
    while (received?.comment) received = await stream.next();
    expect(received).toMatchObject({ id: "3", event: "message" });
    await stream.cancel();
  });

  test("a stream leaves no listener behind, whether the client or the server ends it", async () => {
    await using app = await createTestApp(engine);
    const id = await createJob(app);
    const { wakeUp } = app.database;
    let listeners = 0;
    const subscribe = wakeUp.subscribe.bind(wakeUp);
    wakeUp.subscribe = (channel, listener) => {
      const end = subscribe(channel, listener);
      listeners++;
      return () => {
        listeners--;
        end();
      };
    };
    const streams = await Promise.all(
      [1, 2, 3].map(async () => readStream(await app.open("GET", `/job/${id}/stream`))),
    );
    for (const stream of streams) await stream.next();
    expect(listeners).toBe(3);
    await streams[0]!.cancel(); // the client
    await expect.poll(() => listeners).toBe(2);
    app.closing.abort(); // the server
    expect((await streams[1]!.rest()).map((event) => event.event)).not.toContain("done");
    await streams[2]!.rest();
    expect(listeners).toBe(0);
    await (await app.open("GET", `/job/${id}/stream`)).body!.cancel(); // never read
    expect(listeners).toBe(0);
  });

  test("a stream that ended makes room for another", async () => {
    await using app = await createTestApp(engine, { maxStreams: 10 });
    const id = await createJob(app);
    const open = async () => {
      const response = await app.open("GET", `/job/${id}/stream`);
      return { status: response.status, stream: readStream(response) };
    };
    const both = [await open(), await open()];
    for (const { stream } of both) await stream.next();
    expect((await open()).status).toBe(503);
    await both[0]!.stream.cancel();
    await expect
      .poll(async () => {
        const { status, stream } = await open();
        await stream.cancel();
        return status;
      })
      .toBe(200);
    await both[1]!.stream.cancel();
  });

  test("a project may open a fifth of all streams, so that another project can open its own", async () => {
    await using app = await createTestApp(engine, { maxStreams: 10 });
    const other = await app.makeProject("Calm docs");
    const calm = { key: await app.makeKey(other), project: other.id };
    const id = await createJob(app);
    const created = await app.call("POST", "/job", { ...calm, body: { prompt: "Fix the typos in `index.md`." } });
    // All at the same time, and none of the responses is read yet.
    const answers = await Promise.all(Array.from({ length: 12 }, () => app.open("GET", `/job/${id}/stream`)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(2);
    const refused = answers.find(({ status }) => status !== 200)!;
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await refused.clone().json()).toMatchObject({
      error: "This project follows as many jobs at once as it may: 2 streams. Try again when one has ended.",
    });

    const followed = await app.open("GET", `/job/${created.json.id}/stream`, calm);
    expect(followed.status).toBe(200);
    await followed.body!.cancel();
    for (const each of answers) await each.body!.cancel();
    for (let times = 0; times < 3; times++) await app.open("HEAD", `/job/${id}/stream`);
    const again = await app.open("GET", `/job/${id}/stream`);
    expect(again.status).toBe(200);
    await again.body!.cancel();
  });

  test.each([
    ["revoked", "revoked_at"],
    ["expired", "expires_at"],
  ])("a stream ends without further events when its key is %s", async (_how, column) => {
    const id = await createJob(app);
    const key = await app.makeKey(app.project);
    const stream = readStream(await app.open("GET", `/job/${id}/stream?after=1`, { key }));
    const other = readStream(await app.open("GET", `/job/${id}/stream?after=1`));
    expect(await stream.next()).toMatchObject({ event: "message.received" });
    expect(await other.next()).toMatchObject({ event: "message.received" });
    const ended = sql`update api_key set ${sql.ref(column)} = 1 where hash = ${hashApiKey(key)}`;
    await ended.execute(app.database.kysely);
    expect((await stream.rest()).filter((event) => event.comment === null)).toEqual([]);
    await append(app, id, ["for the other"]);
    let received = await other.next();
    while (received?.comment) received = await other.next();
    expect(received).toMatchObject({ event: "message" });
    await other.cancel();
  });

  test("a stream of a deleted job ends", async () => {
    const id = await createJob(app);
    const stream = readStream(await app.open("GET", `/job/${id}/stream?after=2`));
    const rest = stream.rest();
    await app.database.kysely.deleteFrom("job").where("id", "=", id).execute();
    app.database.wakeUp.notify("job_event", id);
    expect((await rest).filter((event) => event.comment === null)).toEqual([]);
  });

  test("a reader that stops reading keeps only one page in memory", async () => {
    const id = await createJob(app);
    await append(
      app,
      id,
      Array.from({ length: 500 }, () => "x".repeat(4_000)),
    );
    const response = await app.open("GET", `/job/${id}/stream`);
    const reader = response.body!.getReader();
    await reader.read(); // the retry line
    const page = (await reader.read()).value as Uint8Array;
    expect(page.length).toBeLessThan(100 * 4_400);
    await reader.cancel();
  });
});

describe.each(ENGINES)("the changes of a job on %s", (engine) => {
  const files = { "index.md": "# Welcome\n\nHello.\n", "guide.md": "# Guide\n" };
  const json = { headers: { Accept: "application/json" } };

  test("are empty before there is a branch", async () => {
    await using app = await createTestApp(engine, { files });
    const id = await createJob(app);
    const patch = await app.call("GET", `/job/${id}/diff`);
    expect({ status: patch.status, text: patch.text }).toEqual({ status: 200, text: "" });
    expect((await app.call("GET", `/job/${id}/diff`, json)).json).toEqual({
      base: null,
      head: null,
      files: [],
      hasMore: false,
      nextCursor: null,
    });
  });

  test("the links of the file list lead to its end, and a cursor of other changes is refused", async () => {
    await using app = await createTestApp(engine, { files });
    const id = await createJob(app);
    await app.carryOut({ files: { "a.md": "# A\n", "b.md": "# B\n", "c.md": "# C\n" } });
    const seen: string[][] = [];
    let at: string | null = "?limit=2";
    while (at !== null && seen.length < 5) {
      const page = await app.call("GET", `/job/${id}/diff${at}`, json);
      seen.push((page.json.files as { path: string }[]).map((file) => file.path));
      expect(page.json.hasMore).toBe(page.headers.has("link"));
      at = /^<(\?[^>]+)>; rel="next"$/.exec(page.headers.get("link") ?? "")?.[1] ?? null;
    }
    expect(seen).toEqual([["a.md", "b.md"], ["c.md"]]);
    const { nextCursor } = (await app.call("GET", `/job/${id}/diff?limit=1`, json)).json as unknown as {
      nextCursor: string;
    };
    const { json: job } = await app.call("GET", `/job/${id}`);
    await app.pushCommit(job.source.ref, { "by-hand.md": "# By hand\n" });
    for (const cursor of [nextCursor, "none"]) {
      const refused = await app.call("GET", `/job/${id}/diff?cursor=${cursor}`, json);
      expect([refused.status, refused.json.code]).toEqual([400, "invalid"]);
    }
  });

  test("stay the same after the merge, and include commits that people pushed to the branch", async () => {
    await using app = await createTestApp(engine, { files });
    const id = await createJob(app);
    await app.carryOut({ files: { "index.md": "# Welcome\n\nGood day.\n", "new.md": "# New\n" } });
    await app.pushCommit("main", { "guide.md": "# Another guide\n" });
    const { json: job } = await app.call("GET", `/job/${id}`);
    await app.pushCommit(job.source.ref, { "by-hand.md": "# By hand\n" });

    const patch = await app.call("GET", `/job/${id}/diff`);
    expect(patch.headers.get("content-type")).toBe("text/x-diff; charset=utf-8");
    expect(patch.text).toContain("-Hello.\n+Good day.\n");
    expect(patch.text).not.toContain("Another guide");
    const list = await app.call("GET", `/job/${id}/diff`, json);
    expect(list.json.files).toEqual([
      { status: "added", path: "by-hand.md", oldPath: null, additions: 1, deletions: 0 },
      { status: "modified", path: "index.md", oldPath: null, additions: 1, deletions: 1 },
      { status: "added", path: "new.md", oldPath: null, additions: 1, deletions: 0 },
    ]);
    expect(
      (await app.call("GET", `/job/${id}/diff`, { headers: { Accept: "text/plain" } })).headers.get("content-type"),
    ).toBe("text/plain; charset=utf-8");

    const merged = await app.codeHost.mergePullRequest(app.repository, 1, { expectedHead: null });
    expect(merged.ok).toBe(true);
    expect((await app.call("GET", `/job/${id}/diff`)).text).toBe(patch.text);
  });

  test("stay the same after the pull request is closed", async () => {
    await using app = await createTestApp(engine, { files });
    const id = await createJob(app);
    await app.carryOut({ files: { "new.md": "# New\n" } });
    const { text } = await app.call("GET", `/job/${id}/diff`);
    await app.codeHost.closePullRequest(app.repository, 1);
    expect((await app.call("GET", `/job/${id}/diff`)).text).toBe(text);
    expect(text).toContain("+# New");
  });

  test("a patch of more than 2 MiB is refused with advice, but its list of files is not", async () => {
    await using app = await createTestApp(engine, { files });
    const id = await createJob(app);
    await app.carryOut({ files: { "large.md": "All work and no play.\n".repeat(110_000) } });
    const patch = await app.call("GET", `/job/${id}/diff`);
    expect(patch.status).toBe(413);
    expect(patch.json.error).toContain("2 MiB");
    expect((await app.call("GET", `/job/${id}/diff`, json)).json.files).toHaveLength(1);
  });
});

it("shows no part of a credential in an answer that is still being written, and none of it afterwards", async () => {
  await using app = await createTestApp("sqlite");
  const id = await createJob(app);
  const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  const dsn = "user=docs password=Xk29fLqPz81Vn ";
  const key = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQ".repeat(20)}\n`;
  const seen: LiveAnswer[] = [];
  const payloads: string[] = [];
  const endPayloads = app.database.wakeUp.subscribe("job_answer", (payload) => payloads.push(payload));
  const end = followAnswer(app.database, id, (answer) => seen.push(answer));
  for (const text of [
    "Half",
    `Use ${token.slice(0, 20)}`,
    `Use ${token} for it`,
    `Key: ${key}more`,
    "word ".repeat(2_000),
    dsn,
    `${dsn}host=db.internal dbname=prod and ${"more ".repeat(100)}`,
    '"\n'.repeat(4_000),
  ])
    announceAnswer({ database: app.database, redact }, id)({ text, tool: null });
  end();
  endPayloads();
  const texts = seen.map(({ text }) => text);
  expect(texts.slice(0, 2)).toEqual(["", "Use"]);
  expect(texts[2]).toMatch(/^Use (?!ghp_).+ for$/);
  expect(texts[3]).toBe("Key: ");
  expect(texts[4]).toMatch(/^… word(?: word)+$/);
  expect(texts[4]!.length).toBeGreaterThan(3_000);
  expect(texts[5]).toBe("user=docs ");
  expect(texts.join("\n")).not.toContain("Xk29fLqPz81Vn");
  expect(texts[7]!.length).toBeGreaterThan(1_000);
  expect(Math.max(...payloads.map((payload) => payload.length))).toBeLessThan(7_900);
});
