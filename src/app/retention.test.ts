import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLogger } from "#lib/logger.ts";
import { newId } from "#lib/ids.ts";
import { findInvitation, invite } from "#features/accounts/invitations.ts";
import { browse } from "#testing/browsing.ts";
import { browseAs, makePerson } from "#testing/people.ts";
import { BOTH_ENGINES } from "#testing/databases.ts";
import { PNG } from "#testing/sample-files.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { loadConfig } from "./instance/config.ts";
import { deleteOldRecords } from "./retention.ts";

const NEVER = new AbortController().signal;

describe.each(BOTH_ENGINES)("old records on %s", (engine) => {
  let app: TestApp;
  const purge = (now: string, environment: Record<string, string> = {}) => {
    const config = loadConfig({ data: "." }, environment);
    const { database } = app;
    return deleteOldRecords(
      { config, logger: silentLogger },
      { database, time: { now: async () => new Date(now) } },
      NEVER,
    );
  };
  const count = async (table: "job_step" | "job_event" | "deployment" | "audit_event" | "session" | "invitation") => {
    const query = app.database.kysely.selectFrom(table).select(({ fn }) => fn.countAll<number>().as("rows"));
    return Number((await query.executeTakeFirstOrThrow()).rows);
  };

  beforeAll(async () => {
    app = await createTestApp(engine, { now: new Date("2026-01-01T00:00:00Z") });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it("deletes expired sessions and invitations, but not those that only a wrong clock calls expired", async () => {
    const ada = await makePerson(app, {});
    const browser = await browseAs(app, ada);
    const offer = { projectId: null, isOwner: false };
    const { token } = await invite(app, { email: "bob@example.com", offer, invitedBy: "Ada" });
    const before = [await count("session"), await count("invitation")];
    const right = app.time.now;
    app.time.now = new Date("2026-04-01T00:00:00Z");
    await browseAs(app, ada);
    await invite(app, { email: "eve@example.com", offer, invitedBy: "Ada" });
    await purge("2026-01-02T00:00:00Z");
    app.time.now = right;
    expect((await browser.get("/-/account")).status).toBe(200);
    expect(await findInvitation(app, token)).toMatchObject({ email: "bob@example.com" });
    await purge("2026-03-01T00:00:00Z");
    expect([await count("session"), await count("invitation")]).toEqual([1, 1]);
    expect(before).toEqual([1, 1]);
    await app.database.kysely.deleteFrom("session").execute();
  });

  it("deletes a transcript some days after its job was archived, and keeps the outcome of the job", async () => {
    const prompt = "Say that Harbor moves to Utrecht.\nKeep it short.";
    const { id } = (await app.call("POST", "/job", { body: { prompt } })).json;
    await app.carryOut();
    const kept = (await app.call("POST", "/job", { body: { prompt: "A later one." } })).json.id;
    await app.carryOut();
    await app.call("POST", `/job/${id}/archive`);
    app.time.now = new Date("2026-03-01T00:00:00Z");
    await app.call("POST", `/job/${kept}/archive`);
    const before = (await app.call("GET", `/job/${id}`)).json;
    const etag = (await app.call("GET", `/job/${id}`)).headers.get("etag");

    await purge("2026-03-02T00:00:00Z");
    expect((await app.call("GET", `/job/${id}`)).json).toEqual(before);

    await purge("2026-03-02T00:00:00Z", { DOCENT_KEEP_TRANSCRIPTS_DAYS: "30" });
    const after = await app.call("GET", `/job/${id}`);
    expect(after.json).toEqual({ ...before, transcriptDeletedAt: "2026-03-02T00:00:00.000Z" });
    expect(after.headers.get("etag")).not.toBe(etag);
    expect((await app.call("GET", `/job/${id}/events`)).json.events).toEqual([]);
    expect((await app.call("GET", `/job/${kept}/events`)).json.events.length).toBeGreaterThan(3);
    const stored = await app.database.kysely.selectFrom("job_message").select(["job_id", "prompt"]).execute();
    expect(stored).toEqual(
      expect.arrayContaining([{ job_id: id, prompt: "" }, { job_id: kept, prompt: "A later one." }]),
    ); // oxfmt-ignore
    const steps = await app.database.kysely.selectFrom("job_step").select("job_id").execute();
    expect(steps.map((step) => step.job_id)).not.toContain(id);

    const refused = await app.call("POST", `/job/${id}/unarchive`);
    expect([refused.status, refused.json.error]).toEqual([
      409,
      "This job stays archived. Its transcript was deleted on 2026-03-02 by the server's retention. Create a new job instead.",
    ]);
    const { text } = await (await browse(app, app.key)).get(`/harbor-docs/jobs/${id}`);
    expect(text).toContain("by this server's retention");
    expect(text).toContain((before as unknown as { summary: string }).summary);
    expect(text).not.toContain("Bring back");
  });

  it("deletes the chores and images of a job with its transcript", async () => {
    const chores = [{ replace_term: { from: "Harbor", to: "Utrecht" } }];
    const attachments = [{ mediaType: "image/png", data: PNG.toString("base64") }];
    const ids: string[] = [];
    for (const body of [{ chores }, { prompt: "Look at it.", attachments }]) {
      const { status, json } = await app.call("POST", "/job", { body });
      expect(status).toBe(201);
      ids.push(json.id);
      await app.carryOut();
      await app.call("POST", `/job/${json.id}/archive`);
    }
    const kept = async () => {
      const { kysely } = app.database;
      const messages = kysely.selectFrom("job_message").select("job_id").where("chores", "is not", null);
      const rows = await messages.unionAll(kysely.selectFrom("job_attachment").select("job_id")).execute();
      return rows.map((row) => row.job_id as string).filter((id) => ids.includes(id));
    };
    expect((await kept()).toSorted()).toEqual(ids.toSorted());
    await purge("2026-05-01T00:00:00Z", { DOCENT_KEEP_TRANSCRIPTS_DAYS: "30" });
    expect(await kept()).toEqual([]);
  });

  it("names a job without a title by the first line of its instruction", async () => {
    const { id } = (await app.call("POST", "/job", { body: { prompt: "Rename the page.\nAnd more words." } })).json;
    await app.carryOut({ fail: "stuck" });
    await app.call("POST", `/job/${id}/archive`);
    await purge("2028-01-01T00:00:00Z", { DOCENT_KEEP_TRANSCRIPTS_DAYS: "1" });
    expect((await app.call("GET", `/job/${id}`)).json).toMatchObject({ title: "Rename the page." });
  });

  it("deletes old deployments, except the newest good one, those after it, and the pinned one", async () => {
    const { kysely } = app.database;
    const at = (day: number) => Date.UTC(2026, 0, day);
    const rows = ["pinned", "ready", "ready", "failed"].map((state, index) => ({
      id: newId("dep"),
      project_id: app.project.id,
      number: index + 1,
      commit_id: String(index + 1).repeat(40),
      branch: "main",
      subject: "",
      author: "",
      authored_at: at(1),
      pushed_at: null,
      noticed_at: at(index + 1),
      claimed_at: at(index + 1),
      state: state === "failed" ? ("failed" as const) : ("ready" as const),
    }));
    await kysely.insertInto("deployment").values(rows).execute();
    const pinned_commit = rows[0]!.commit_id;
    await kysely
      .updateTable("project")
      .set({ pinned_commit, pinned_at: at(1), pinned_by: "Ada" })
      .execute();
    await purge("2027-01-01T00:00:00Z");
    expect(await count("deployment")).toBe(4);
    await purge("2027-01-01T00:00:00Z", { DOCENT_KEEP_DEPLOYMENTS_DAYS: "90" });
    const left = await kysely.selectFrom("deployment").select("number").orderBy("number").execute();
    expect(left.map(({ number }) => number)).toEqual([1, 3, 4]);
  });

  it("deletes entries of the audit log after 400 days, or after the configured number", async () => {
    await app.call("POST", "/job", { body: { prompt: "One more." } });
    const entries = await count("audit_event");
    expect(entries).toBeGreaterThan(0);
    await purge("2027-02-01T00:00:00Z");
    expect(await count("audit_event")).toBe(entries);
    await purge("2026-06-01T00:00:00Z", { DOCENT_KEEP_AUDIT_DAYS: "30" });
    expect(await count("audit_event")).toBe(0);
  });
});
