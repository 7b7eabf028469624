import { expect, it } from "vitest";
import { setRole } from "#features/accounts/members.ts";
import type { Person } from "#features/accounts/people.ts";
import { createApiKey } from "#features/keys/api-keys.ts";
import { DAY_MS } from "#lib/clock.ts";
import { type JobId, newId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { ENGINES } from "#testing/databases.ts";
import { browseAs, makePerson, makeToken } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { createWebhookReceiver } from "#testing/webhook-receiver.ts";
import { claimMail, removeMail } from "./mail-queue.ts";
import { startMail } from "./mail-worker.ts";
import { tellNotices } from "./notice-worker.ts";

const NOON = Date.UTC(2026, 10, 27, 12);
const baseUrl = () => "http://localhost:4000";

/** Runs a round; returns the queued mail by recipient and clears the queue. */
async function tell(app: TestApp): Promise<Map<string, { subject: string; text: string }>> {
  await tellNotices({ ...app, baseUrl, canMail: true });
  const told = new Map<string, { subject: string; text: string }>();
  for (;;) {
    const mail = await claimMail(app);
    if (mail === null) return told;
    expect(told.has(mail.to)).toBe(false);
    if (mail.content !== null && "text" in mail.content) told.set(mail.to, mail.content);
    await removeMail(app.database, mail);
  }
}

const later = (app: TestApp, ms: number) => void (app.time.now = new Date(app.clock.now().getTime() + ms));

/** A job of the project that ended with a pull request for review. */
async function endJob(app: TestApp, number: number, person: Person, question: string | null = null): Promise<void> {
  const id = (await app.call("POST", "/job", { body: { prompt: "Fix the links." }, key: await makeToken(app, person) }))
    .json.id as JobId;
  const pull_request = JSON.stringify({ number, url: `http://localhost:4000/harbor-docs/pull/${number}`, state: "open", draft: false, previewUrl: null }); // oxfmt-ignore
  await app.database.kysely.updateTable("job").set({ status: "completed", done_seq: 1, title: "Fix links", pull_request, question, updated_at: app.clock.now().getTime() }).where("id", "=", id).execute(); // oxfmt-ignore
}

it.each(ENGINES)("sends each person the notices that they chose, once, and none from before, on %s", async (engine) => {
  await using app = await createTestApp(engine, { smtp: "smtp://localhost:2525" });
  app.time.now = new Date(NOON);
  const editor = await makePerson(app, { role: "editor" });
  const admin = await makePerson(app, { role: "admin" });
  const owner = await makePerson(app, { isOwner: true });
  const viewer = await makePerson(app, { role: "viewer" });
  await endJob(app, 1, editor);
  later(app, 60_000);
  const all = { reviews: "yes", links: "yes", connections: "yes", keys: "yes" };
  for (const person of [editor, admin, owner, viewer]) {
    const browser = await browseAs(app, person);
    expect((await browser.post("/-/account/mail", all)).status).toBe(303);
    expect((await browser.get("/-/account")).text.match(/checkbox" name="\w+" value="yes" checked/g)).toHaveLength(4);
  }
  await createApiKey({ ...app, keysPerHour: 10 }, { projectId: app.project.id, name: "CI", expiresInDays: 7, scope: "agent" }); // oxfmt-ignore
  await createApiKey({ ...app, keysPerHour: 10 }, { projectId: null, name: "Backup", expiresInDays: 7, scope: "read" });
  later(app, 60_000);
  await endJob(app, 2, editor);
  const first = await tell(app);
  expect(first.get(editor.email)).toEqual({
    subject: "[Harbor docs] Pull request #2 waits for your review: Fix links",
    text: `[Harbor docs] Pull request #2 waits for your review: Fix links\nhttp://localhost:4000/harbor-docs/pull/2\n\nChange your notification settings: http://localhost:4000/-/account\n`,
  });
  expect(first.get(admin.email)).toMatchObject({ subject: "2 notifications from Docent" });
  expect(first.get(admin.email)!.text).toMatch(
    /The API key “CI” \(docent_….{4}\) expires on 2026-12-04\n.*harbor-docs\/keys/,
  );
  expect(first.get(owner.email)!.text).toMatch(
    /The server's API key “Backup” \(docent_….{4}\) expires on 2026-12-04: “docent keys create --instance” on the server creates another\n/,
  );
  expect([first.has(viewer.email), (await tell(app)).size]).toEqual([false, 0]);
});

it("notifies everyone of a job's review except its author, who gets the mail about the job", async () => {
  await using app = await createTestApp("sqlite", { smtp: "smtp://localhost:2525" });
  app.time.now = new Date(NOON);
  const [asker, other] = [await makePerson(app, { role: "editor" }), await makePerson(app, { role: "editor" })];
  for (const person of [asker, other]) await (await browseAs(app, person)).post("/-/account/mail", { jobs: "yes", reviews: "yes" }); // oxfmt-ignore
  later(app, 60_000);
  await endJob(app, 1, asker);
  const told = await tell(app);
  expect([...told.keys()]).toEqual([other.email]);
});

it("notifies of a connection that fails for an hour, and again if it fails after a recovery", async () => {
  await using app = await createTestApp("sqlite", { smtp: "smtp://localhost:2525" });
  app.time.now = new Date(NOON);
  const owner = await makePerson(app, { isOwner: true });
  await (await browseAs(app, owner)).post("/-/account/mail", { connections: "yes" });
  const { kysely } = app.database;
  const at = NOON;
  await kysely.insertInto("connection").values({ project_id: app.project.id, url: "https://github.com/acme/docs", api_url: "https://api.github.com", remote_id: "1", sealed_token: null, app_id: null, installation_id: null, sealed_webhook_secret: "", synced_at: at, tried_at: at, trouble: "GitHub refuses the token.", refusal: null, webhook_at: null, webhook_tried: null, created_at: at }).execute(); // oxfmt-ignore
  later(app, 59 * 60_000);
  expect((await tell(app)).size).toBe(0);
  later(app, 120_000);
  expect((await tell(app)).get(owner.email)!.subject).toMatch(/failed for an hour: GitHub refuses the token\./);
  later(app, 60_000);
  expect((await tell(app)).size).toBe(0);
  await kysely.updateTable("connection").set({ trouble: null, synced_at: app.clock.now().getTime() }).execute();
  await tell(app);
  await kysely.updateTable("connection").set({ trouble: "GitHub is away." }).execute();
  later(app, 3_601_000);
  expect((await tell(app)).size).toBe(1);
});

it("notifies of a deployment with more broken links than the previous one", async () => {
  await using app = await createTestApp("sqlite", { smtp: "smtp://localhost:2525" });
  app.time.now = new Date(NOON);
  const ada = await makePerson(app, { role: "editor" });
  await (await browseAs(app, ada)).post("/-/account/mail", { links: "yes" });
  const deploy = (number: number, broken: number) =>
    app.database.kysely.insertInto("deployment").values({ id: `dep_${number}`, project_id: app.project.id, number, commit_id: String(number), branch: "main", subject: "s", author: "a", authored_at: 0, pushed_at: null, noticed_at: NOON, claimed_at: NOON, live_at: NOON, state: "ready", trouble: null, pages: 1, errors: broken, warnings: 0, report: JSON.stringify({ problems: [], leftOut: 0, links: { checked: 9, broken }, durationMs: 1 }), reported_at: NOON + number }).execute(); // oxfmt-ignore
  const told: (string | undefined)[] = [];
  for (const [index, broken] of [0, 2, 2, 1, 3].entries()) {
    await deploy(1_000 + index, broken);
    told.push((await tell(app)).get(ada.email)?.subject);
  }
  expect(told).toEqual([undefined, "[Harbor docs] 2 broken links on the site", undefined, undefined, "[Harbor docs] 3 broken links on the site"]); // oxfmt-ignore
});

it("combines a day's notices and ended jobs into one mail at six, for current members", async () => {
  await using app = await createTestApp("sqlite", { smtp: "smtp://localhost:2525" });
  app.time.now = new Date(NOON);
  const ada = await makePerson(app, { role: "editor" });
  await (await browseAs(app, ada)).post("/-/account/mail", { jobs: "yes", reviews: "yes", when: "daily" });
  later(app, 60_000);
  await endJob(app, 1, ada);
  await endJob(app, 3, ada, "Which port?");
  expect((await tell(app)).size).toBe(0);
  later(app, 18 * 3_600_000);
  const { text } = (await tell(app)).get(ada.email)!;
  expect(text).toContain("[Harbor docs] Done: Fix links\nhttp://localhost:4000/harbor-docs/jobs/job_");
  expect(text).toContain("[Harbor docs] Question: Fix links\n");
  expect(text).toContain("Pull request #1 waits for your review");
  await endJob(app, 2, ada);
  await tell(app);
  await setRole(app, { projectId: app.project.id, personId: ada.id, role: null });
  later(app, DAY_MS);
  expect((await tell(app)).size).toBe(0);
});

it("sends a daily mail that was stored while the clock was ahead", async () => {
  await using app = await createTestApp("sqlite", { smtp: "smtp://localhost:2525" });
  app.time.now = new Date(NOON);
  const ada = await makePerson(app, { role: "editor" });
  await (await browseAs(app, ada)).post("/-/account/mail", { jobs: "yes", when: "daily" });
  later(app, 400 * DAY_MS);
  await endJob(app, 1, ada);
  expect((await tell(app)).size).toBe(0);
  app.time.now = new Date(NOON);
  expect((await tell(app)).get(ada.email)?.text).toContain("Done: Fix links");
});

it("notifies of the keys that expire first if there are more than the limit", async () => {
  await using app = await createTestApp("sqlite", { smtp: "smtp://localhost:2525" });
  app.time.now = new Date(NOON);
  const ada = await makePerson(app, { role: "admin" });
  await (await browseAs(app, ada)).post("/-/account/mail", { keys: "yes" });
  const { kysely } = app.database;
  const { id } = await createApiKey({ ...app, keysPerHour: 10 }, { projectId: app.project.id, name: "last", expiresInDays: 7, scope: "agent" }); // oxfmt-ignore
  const row = await kysely.selectFrom("api_key").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const keys = Array.from({ length: 200 }, (_, index) => ({ ...row, id: newId("key"), name: `key ${index}`, hash: `hash ${index}`, expires_at: NOON + (200 - index) * 60_000 })); // oxfmt-ignore
  await kysely.insertInto("api_key").values(keys).execute();
  await tell(app);
  const notices = await kysely.selectFrom("notice").select("subject").execute();
  const told = new Set(notices.map(({ subject }) => subject));
  expect([told.size, told.has(keys.at(-1)!.id), told.has(id)]).toEqual([200, true, false]);
});

/** Sends messages to chats, without a mail server. */
const startChats = (app: TestApp) =>
  startMail({
    ...app,
    logger: silentLogger,
    settings: null,
    chat: { outboundHttp: createOutboundHttp({ allow: ["127.0.0.1/32"] }), userAgent: "Docent" },
    jobText: async () => null,
  });

it("posts notices to a person's chat, without a mail server too", async () => {
  await using app = await createTestApp("sqlite");
  await using chat = await createWebhookReceiver();
  app.time.now = new Date(NOON);
  const ada = await makePerson(app, { role: "editor" });
  const browser = await browseAs(app, ada);
  const choices = { jobs: "yes", reviews: "yes" };
  expect((await browser.post("/-/account/mail", choices)).text).toContain("This server sends no mail.");
  expect((await browser.post("/-/account/mail", { ...choices, chat: chat.url })).status).toBe(303);
  expect(chat.received.map(({ raw }) => raw)).toEqual(['{"text":"Docent will post your notifications here."}']);
  expect((await browser.get("/-/account")).text).toContain(`127.0.0.1:${chat.port}`);
  later(app, 60_000);
  await endJob(app, 7, ada);
  await tellNotices({ ...app, baseUrl, canMail: false });

  await using _ = startChats(app);
  await chat.arrived(2);
  const { text } = JSON.parse(chat.received[1]!.raw) as { text: string };
  expect(text).toContain("|[Harbor docs] Done: Fix links>");
  expect(text).toContain("Pull request #7 waits for your review");
});

it("shows on the account page why a chat accepts no more messages, until it does", async () => {
  await using app = await createTestApp("sqlite");
  let status = 200;
  await using chat = await createWebhookReceiver((response) => void response.writeHead(status).end());
  app.time.now = new Date(NOON);
  const ada = await makePerson(app, { role: "editor" });
  const browser = await browseAs(app, ada);
  await browser.post("/-/account/mail", { jobs: "yes", chat: chat.url });
  status = 404;
  later(app, 60_000);
  await endJob(app, 7, ada);
  await tellNotices({ ...app, baseUrl, canMail: false });
  await using _ = startChats(app);
  const account = async () => (await browser.get("/-/account")).text;
  await expect.poll(account).toMatch(/did not accept the last message[^]*It answered 404: check the address/);
  status = 200;
  await browser.post("/-/account/mail", { jobs: "yes", chat: chat.url });
  expect(await account()).not.toContain("did not accept");
});

it("does not save a chat that refuses the test message", async () => {
  await using app = await createTestApp("sqlite");
  await using chat = await createWebhookReceiver((response) => void response.writeHead(404).end("no_team"));
  const browser = await browseAs(app, await makePerson(app, { role: "editor" }));
  const { status, text } = await browser.post("/-/account/mail", { jobs: "yes", chat: chat.url });
  expect([status, text.includes("It answered 404: check the address in your chat.")]).toEqual([400, true]);
});

it("limits test messages to chats", async () => {
  await using app = await createTestApp("sqlite");
  app.time.now = new Date(NOON);
  await using chat = await createWebhookReceiver();
  const browser = await browseAs(app, await makePerson(app, { role: "reader" }));
  const statuses: number[] = [];
  for (let count = 0; count < 6; count++) {
    statuses.push((await browser.post("/-/account/mail", { jobs: "yes", chat: chat.url })).status);
  }
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
});

it("a comment is told to those who sent the job a message or commented before, and not to its author", async () => {
  await using app = await createTestApp("sqlite", { smtp: "smtp://localhost:2525" });
  app.time.now = new Date(NOON);
  const people = await Promise.all((["editor", "viewer", "viewer"] as const).map((role) => makePerson(app, { role })));
  const [sender, talker, other] = people as [Person, Person, Person];
  for (const person of people)
    await (await browseAs(app, person)).post("/-/account/mail", { comments: "yes", jobs: "" });
  const prompt = { prompt: "Add a page." };
  await app.call("POST", "/job", { body: prompt, key: await makeToken(app, sender) });
  await app.carryOut({ files: { "new.md": "# New\n" } });
  const say = async (person: Person, fields: Record<string, string>) => {
    later(app, 60_000);
    const browser = await browseAs(app, person);
    await browser.get("/harbor-docs/pull/1");
    expect((await browser.post("/harbor-docs/pull/1/comment", fields)).status).toBe(303);
    later(app, 60_000);
    return [...(await tell(app))].map(([to, { text }]) => [to, /\] (.*) pull request #1/.exec(text)?.[1]]);
  };
  expect(await say(talker, { body: "Looks wrong." })).toEqual([[sender.email, `${talker.name} commented on`]]);
  expect(await say(sender, { body: "", verdict: "approve" })).toEqual([[talker.email, `${sender.name} approved`]]);
  expect(new Set((await say(other, { body: "Good." })).map(([to]) => to))).toEqual(
    new Set([sender.email, talker.email]),
  );
});

it("a comment is not told to former members, nor to those who may read the site alone", async () => {
  await using app = await createTestApp("sqlite", { smtp: "smtp://localhost:2525" });
  app.time.now = new Date(NOON);
  const people = await Promise.all([1, 2, 3, 4].map(() => makePerson(app, { role: "viewer" })));
  const [member, former, reader, author] = people as [Person, Person, Person, Person];
  await app.call("POST", "/job", { body: { prompt: "Add a page." } });
  await app.carryOut({ files: { "new.md": "# New\n" } });
  const say = async (person: Person) => {
    later(app, 60_000);
    const browser = await browseAs(app, person);
    await browser.post("/-/account/mail", { comments: "yes", jobs: "" });
    await browser.get("/harbor-docs/pull/1");
    expect((await browser.post("/harbor-docs/pull/1/comment", { body: "Looks wrong." })).status).toBe(303);
  };
  for (const person of [member, former, reader]) await say(person);
  await tell(app);
  await setRole(app, { projectId: app.project.id, personId: former.id, role: null });
  await setRole(app, { projectId: app.project.id, personId: reader.id, role: "reader" });
  await say(author);
  later(app, 60_000);
  expect([...(await tell(app)).keys()]).toEqual([member.email]);
});

it("a project with many comments does not displace the notices of another", async () => {
  await using app = await createTestApp("sqlite", { smtp: "smtp://localhost:2525" });
  app.time.now = new Date(NOON);
  const [sender, talker] = [await makePerson(app, { role: "editor" }), await makePerson(app, { role: "viewer" })];
  await (await browseAs(app, sender)).post("/-/account/mail", { comments: "yes", jobs: "" });
  await app.call("POST", "/job", { body: { prompt: "Add a page." }, key: await makeToken(app, sender) });
  await app.carryOut({ files: { "new.md": "# New\n" } });
  later(app, 60_000);
  const browser = await browseAs(app, talker);
  await browser.get("/harbor-docs/pull/1");
  await browser.post("/harbor-docs/pull/1/comment", { body: "Looks wrong." });
  const busy = await app.makeProject("Busy docs");
  const { kysely } = app.database;
  const pull = await kysely.selectFrom("pull_request").selectAll().executeTakeFirstOrThrow();
  await kysely
    .insertInto("pull_request")
    .values({ ...pull, project_id: busy.id })
    .execute();
  const comment = await kysely.selectFrom("pull_request_comment").selectAll().executeTakeFirstOrThrow();
  const at = app.clock.now().getTime() + 1_000;
  const flood = Array.from({ length: 250 }, () => ({ ...comment, project_id: busy.id, id: newId("cmt", new Date(at)), created_at: at })); // oxfmt-ignore
  await kysely.insertInto("pull_request_comment").values(flood).execute();
  later(app, 60_000);
  expect((await tell(app)).get(sender.email)?.text).toMatch(
    /commented on pull request #1.*\n.*\/pull\/1\?comments=(cmt_\w+)#\1\n/,
  );
});

it("a name that looks like an address is no link in a notice", async () => {
  await using app = await createTestApp("sqlite", { smtp: "smtp://localhost:2525" });
  app.time.now = new Date(NOON);
  const [sender, talker] = [await makePerson(app, { role: "editor" }), await makePerson(app, { role: "viewer" })];
  await (await browseAs(app, sender)).post("/-/account/mail", { comments: "yes", jobs: "" });
  await app.call("POST", "/job", { body: { prompt: "Add a page." }, key: await makeToken(app, sender) });
  await app.carryOut({ files: { "new.md": "# New\n" } });
  later(app, 60_000);
  // A name of an earlier version: now they are refused.
  await app.database.kysely.updateTable("person").set({ name: "evil.example/login" }).where("id", "=", talker.id).execute(); // oxfmt-ignore
  const browser = await browseAs(app, talker);
  await browser.get("/harbor-docs/pull/1");
  await browser.post("/harbor-docs/pull/1/comment", { body: "Hi." });
  later(app, 60_000);
  expect((await tell(app)).get(sender.email)?.text).toContain("] evil example login commented on pull request #1");
});
