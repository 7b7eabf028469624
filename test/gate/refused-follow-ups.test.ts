import { describe, expect, it } from "vitest";
import { ENGINES } from "#testing/databases.ts";
import { createTestApp } from "#testing/test-app.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { startTestServer } from "#test/support/server.ts";

const files = {
  "docs.json": '{ "navigation": { "pages": ["index"] } }',
  "index.md": "# Start\n\nHarbor Cloud.\n",
};
const REPLACE = 'Replace "Harbor Cloud" with "Harbor Platform".';
const NOT_UNDERSTOOD = "Make it sound nicer.";

type Server = Awaited<ReturnType<typeof startTestServer>>;

async function say({ baseUrl, instance }: Server, jobId: string | null, prompt: string) {
  const path = jobId === null ? "/job" : `/job/${jobId}/message`;
  const { body } = await callApi(baseUrl, instance, { path, body: { prompt } });
  return waitForJob(baseUrl, instance, body.id);
}

async function eventsOf({ baseUrl, instance }: Server, jobId: string): Promise<{ type: string; data: object }[]> {
  const { body } = await callApi(baseUrl, instance, { path: `/job/${jobId}/events` });
  return (body as unknown as { events: { type: string; data: object }[] }).events;
}

describe.each(ENGINES)("a refused follow-up on %s", (engine) => {
  it("does not change a completed job, and is recorded as its last message", async () => {
    await using server = await startTestServer({ engine, files });
    const done = await say(server, null, REPLACE);
    expect(done).toMatchObject({ status: "completed", error: null, lastMessage: { seq: 1, error: null } });
    const tip = await server.instance.repoStore.branches(server.instance.project.id);

    const refused = await say(server, done.id, NOT_UNDERSTOOD);
    expect(refused).toMatchObject({
      status: "completed",
      error: null,
      prLink: done.prLink,
      title: done.title,
      summary: done.summary,
      pullRequest: { state: "open", draft: false },
      lastMessage: { seq: 2, error: { code: "not_understood" } },
    });
    expect(await server.instance.repoStore.branches(server.instance.project.id)).toEqual(tip);
    const impossible = await say(server, done.id, 'On the page nowhere, replace "Harbor" with "Haven".');
    expect(impossible).toMatchObject({ status: "completed", lastMessage: { seq: 3, error: { code: "impossible" } } });

    const told = (await eventsOf(server, done.id)).filter(({ type }) => /^(?:job|turn|message)\.[a-z]+ed$/.test(type));
    const later = told.filter(({ type }) => type !== "turn.started").slice(-8);
    expect(later.map(({ type }) => type)).toEqual([
      "message.received",
      "turn.finished",
      "message.refused",
      "job.completed",
      "message.received",
      "turn.finished",
      "message.refused",
      "job.completed",
    ]);
    expect(later[2]?.data).toMatchObject({ seq: 2, error: { code: "not_understood" } });

    const next = await say(server, done.id, 'Replace "Start" with "Begin".');
    expect(next).toMatchObject({ status: "completed", prLink: done.prLink, lastMessage: { seq: 4, error: null } });
  });

  it("fails a job without completed work, or that failed before", async () => {
    await using server = await startTestServer({ engine, files });
    const failed = await say(server, null, NOT_UNDERSTOOD);
    const told = { status: "failed", error: { code: "not_understood" } };
    expect(failed).toMatchObject({ ...told, lastMessage: { seq: 1, error: failed.error } });
    expect(await say(server, failed.id, "And even nicer.")).toMatchObject({ ...told, lastMessage: { seq: 2 } });
    expect(await say(server, failed.id, REPLACE)).toMatchObject({ status: "completed", lastMessage: { error: null } });
  });

  it("keeps the earlier state, also of a cancelled job, and for one of several queued messages", async () => {
    await using app = await createTestApp(engine);
    const told = async (id: string) => {
      const { status, lastMessage } = (await app.call("GET", `/job/${id}`)).json as unknown as {
        status: string;
        lastMessage: { error: { code: string } | null };
      };
      return [status, lastMessage.error?.code ?? null];
    };
    const say = (id: string, prompt = "More.") => app.call("POST", `/job/${id}/message`, { body: { prompt } });
    const { id } = (await app.call("POST", "/job", { body: { prompt: "Fix links." } })).json;
    await say(id);
    await app.carryOut({});
    await app.carryOut({ fail: "not_understood" });
    expect(await told(id)).toEqual(["completed", "not_understood"]);
    await say(id);
    await app.carryOut({ fail: "impossible" });
    expect(await told(id)).toEqual(["completed", "impossible"]);
    await say(id);
    expect(await told(id)).toEqual(["active", null]);
    await app.call("POST", `/job/${id}/cancel`);
    expect(await told(id)).toEqual(["failed", "cancelled"]);
    await say(id);
    await app.carryOut({ fail: "not_understood" });
    expect(await told(id)).toEqual(["failed", "not_understood"]);
    await say(id);
    await app.carryOut({});
    expect(await told(id)).toEqual(["completed", null]);
  });
});
