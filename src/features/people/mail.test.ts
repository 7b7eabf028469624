import { Hono } from "hono";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { claimMail, deleteOldMail, MAIL_RETRY_SECONDS, queueJobMail, queueMail } from "#features/mail/mail-queue.ts";
import { startMail, tryMailServer } from "#features/mail/mail-worker.ts";
import { jobMailText } from "#features/jobs/job-mail.ts";
import { DAY_MS, systemClock } from "#lib/clock.ts";
import type { JobId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { noteDoer } from "#features/keys/actor.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { openBrowser, browse } from "#testing/browsing.ts";
import { browseAs, makePerson, makeToken, PASSWORD } from "#testing/people.ts";
import { startSmtpServer } from "#testing/smtp-server.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { testVault } from "#testing/vault.ts";
import { inviteByMail } from "./send-invitation.ts";

let smtp: Awaited<ReturnType<typeof startSmtpServer>>;
let app: TestApp;

beforeAll(async () => {
  smtp = await startSmtpServer();
  app = await createTestApp("sqlite", { smtp: smtp.url });
});
beforeEach(() => {
  smtp.received.length = 0;
  smtp.state.refusal = null;
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

const queued = async () => (await app.database.kysely.selectFrom("mail").selectAll().execute()).length;
const baseUrl = () => "http://localhost:4000";

/** Sends queued mail until `isDone`. */
async function sendUntil(isDone: () => boolean | Promise<boolean>, url = smtp.url): Promise<void> {
  const { database, vault, clock, project } = app;
  await using _ = startMail({
    database,
    vault,
    clock,
    logger: silentLogger,
    settings: { url: new Secret(url), from: "Docent <docs@example.com>" },
    chat: { outboundHttp: createOutboundHttp({ allow: [] }), userAgent: "Docent" },
    jobText: (jobId) => jobMailText({ database, baseUrl, findProjectById: async () => project }, jobId),
  });
  await expect.poll(isDone, { timeout: 10_000, interval: 20 }).toBe(true);
}
const sendAll = () => sendUntil(async () => (await queued()) === 0);
/** A reset link is queued after the response. */
const untilQueued = () => expect.poll(queued).toBe(1);

it("sends an invitation whose link creates the account", async () => {
  const owner = await browseAs(app, await makePerson(app, { isOwner: true }));
  await owner.get("/-/people");
  const page = await owner.post("/-/people/invite", { email: "grace@example.com", as: "member" });
  expect(page.text).toContain("The invitation is on its way to grace@example.com");
  const { content } = await app.database.kysely.selectFrom("mail").selectAll().executeTakeFirstOrThrow();
  expect(content).not.toContain("/-/join/");
  await sendAll();
  expect(smtp.received.map(({ to }) => to)).toEqual([["grace@example.com"]]);
  const link = /http:\/\/localhost:4000(\/-\/join\/\S+)/.exec(smtp.received[0]!.text)?.[1];
  const grace = openBrowser(app);
  await grace.get(link!);
  expect((await grace.post(link!, { name: "Grace", password: PASSWORD })).location).toBe("/");
});

it("names the project and the role in the invitation", async () => {
  const admin = await browseAs(app, await makePerson(app, { role: "admin" }));
  await admin.get("/harbor-docs/members");
  await admin.post("/harbor-docs/members/invite", { email: "vera@example.com", role: "viewer" });
  await sendAll();
  expect(smtp.received[0]!.text).toContain(
    'invites you to the documentation project "Harbor docs" as viewer at http://',
  );
});

it("sets a new password with a link, once, and ends the old sessions", async () => {
  const person = await makePerson(app, { role: "viewer" });
  const before = await browseAs(app, person, { byForm: true });
  const stranger = openBrowser(app);
  expect((await stranger.get("/sign-in")).text).toContain("Forgot your password?");
  const known = await stranger.post("/-/forgot", { email: person.email.toUpperCase() });
  const unknown = await stranger.post("/-/forgot", { email: "nobody@example.com" });
  expect(unknown.text).toBe(known.text.replaceAll(person.email, "nobody@example.com"));
  await untilQueued();
  await sendAll();
  expect(smtp.received.map(({ to }) => to)).toEqual([[person.email]]);
  const link = /http:\/\/localhost:4000(\/-\/reset\?token=\S+)/.exec(smtp.received[0]!.text)?.[1] ?? "";
  const token = new URLSearchParams(link.split("?")[1]).get("token")!;
  expect((await stranger.get(link)).text).toContain("Set a new password");
  expect((await stranger.post("/-/reset", { token, password: "short" })).status).toBe(400);
  expect((await stranger.post("/-/reset", { token: `${token}x`, password: "another password" })).status).toBe(404);
  const twice = await Promise.all([1, 2].map(() => stranger.post("/-/reset", { token, password: "another password" })));
  expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([303, 404]));
  expect((await stranger.post("/-/reset", { token, password: "a third password" })).status).toBe(404);
  expect((await stranger.get(link)).status).toBe(404);
  expect((await before.get("/-/account")).location).toContain("/sign-in");
  const signIn = async (password: string) =>
    (await openBrowser(app).post("/sign-in", { email: person.email, password })).status;
  expect([await signIn(PASSWORD), await signIn("another password")]).toEqual([401, 303]);
});

it("limits reset links per account, and rejects forms of other sites", async () => {
  const person = await makePerson(app, {});
  const stranger = openBrowser(app);
  const answers = [];
  for (let count = 0; count < 6; count += 1)
    answers.push((await stranger.post("/-/forgot", { email: person.email })).status);
  expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
  const elsewhere = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  expect((await stranger.post("/-/forgot", { email: person.email }, elsewhere)).status).toBe(403);
  await expect.poll(queued).toBe(5);
  await app.database.kysely.deleteFrom("mail").execute();
});

it("limits invitations per address to three a day, and removes names that could become links", async () => {
  const person = await makePerson(app, { role: "admin" });
  // A name of an earlier version: now they are refused.
  await app.database.kysely.updateTable("person").set({ name: "Go to https://evil.example/login . now" }).where("id", "=", person.id).execute(); // oxfmt-ignore
  const admin = await browseAs(app, person);
  await admin.get("/harbor-docs/members");
  const pages = [];
  for (let count = 0; count < 4; count += 1) pages.push((await admin.post("/harbor-docs/members/invite", { email: "alan@example.com", role: "editor" })).text); // oxfmt-ignore
  expect(pages.map((text) => text.includes("is on its way"))).toEqual([true, true, true, false]);
  await sendAll();
  expect(smtp.received).toHaveLength(3);
  expect(smtp.received[0]!.text).not.toContain("evil.example");
});

it("counts the invitations of a sender by their account, not by a name that they can change", async () => {
  const senders: string[] = [];
  const deps = {
    database: app.database,
    clock: systemClock,
    baseUrl: () => "http://localhost:4000",
    sendMail: async () => undefined,
    mayMailInvitation: ({ by }: { by: { id: string } }) => senders.push(by.id) > 0,
  };
  const routes = new Hono().post("/:name", async (c) => {
    noteDoer(c, { doer: { person: { id: "usr_1", name: c.req.param("name") } }, projectId: null });
    const offer = { projectId: null, isOwner: false } as const;
    return c.json(await inviteByMail(c, deps, { email: "alan@example.com", offer, projectName: null }));
  });
  for (const name of ["Ada", "Ada again"]) await routes.request(`/${name}`, { method: "POST" });
  expect(senders).toEqual(["usr_1", "usr_1"]);
});

it("notifies the author of a job when it ends, if they chose that, and no other member", async () => {
  const [ada, alan] = [await makePerson(app, { role: "editor" }), await makePerson(app, { role: "editor" })];
  const browser = await browseAs(app, ada);
  await browser.get("/-/account");
  expect((await browser.post("/-/account/mail", { jobs: "yes" })).location).toBe("/-/account?done=mail");
  for (const person of [ada, alan]) {
    const own = await browseAs(app, person);
    await own.get("/harbor-docs/jobs");
    await own.post("/harbor-docs/jobs", { prompt: `Fix the links for ${person.name}.` });
    await app.carryOut();
  }
  await sendAll();
  expect(smtp.received.map(({ to }) => to)).toEqual([[ada.email]]);
  expect(smtp.received[0]!.text).toMatch(
    /Subject: \[Harbor docs\] Done: [^]*http:\/\/localhost:4000\/harbor-docs\/jobs\/job_/,
  );
});

it("queues one mail for the ends of a job, and keeps the other mail to its author", async () => {
  const { kysely } = app.database;
  const ada = await makePerson(app, { role: "editor" });
  const key = await makeToken(app, ada);
  const jobs: JobId[] = [];
  for (const prompt of ["Fix the links.", "Fix the titles."]) {
    jobs.push((await app.call("POST", "/job", { key, body: { prompt } })).json.id as JobId);
    await app.carryOut();
  }
  const [first, second] = jobs as [JobId, JobId];
  await queueMail(app, ada.email, { subject: "Hello", text: "Hello" });
  for (const jobId of [first, second, first]) await queueJobMail(kysely, { to: ada.email, jobId, at: Date.now() });
  const rows = await kysely.selectFrom("mail").select("job_id").where("recipient", "=", ada.email).execute();
  await kysely.deleteFrom("mail").execute();
  expect([rows.length, new Set(rows.map((row) => row.job_id))]).toEqual([3, new Set([first, second, null])]);
});

it("formats the mail about a job as plain text", async () => {
  const ada = await makePerson(app, { role: "editor" });
  const browser = await browseAs(app, ada);
  await browser.get("/-/account");
  await browser.post("/-/account/mail", { jobs: "yes" });
  await browser.get("/harbor-docs/jobs");
  await browser.post("/harbor-docs/jobs", { prompt: "Rename the flag." });
  await app.carryOut({ summary: "Renamed `--old` to ``--new`` in **two** pages; 2 ** 3 stays." });
  await sendAll();
  expect(smtp.received[0]!.text).toContain("Renamed --old to --new in two pages; 2 ** 3 stays.");
});

it("notifies of a rejected follow-up, not of the success before it", async () => {
  const ada = await makePerson(app, { role: "editor" });
  const browser = await browseAs(app, ada);
  await browser.get("/-/account");
  await browser.post("/-/account/mail", { jobs: "yes" });
  await browser.get("/harbor-docs/jobs");
  const { location } = await browser.post("/harbor-docs/jobs", { prompt: "Fix the links." });
  await app.carryOut();
  const refusal = JSON.stringify({
    code: "not_understood",
    message: "This was not understood.",
    hint: "Say it otherwise.",
  });
  const id = location!.split("/").at(-1)!;
  await app.database.kysely
    .updateTable("job")
    .set({ refusal })
    .where("id", "=", id as JobId)
    .execute();
  await sendAll();
  expect(smtp.received).toHaveLength(1);
  expect(smtp.received[0]!.text).toMatch(
    /Subject: \[Harbor docs\] Refused: [^]*was not carried out\. This was not understood\./,
  );
});

it("retries while the mail server is down, gives up on permanent errors, and deletes mail that is no longer sent", async () => {
  const stranger = openBrowser(app);
  const person = await makePerson(app, {});
  const row = () => app.database.kysely.selectFrom("mail").select(["attempt", "next_attempt_at"]).executeTakeFirst();
  const owner = await browseAs(app, await makePerson(app, { isOwner: true }));
  const warns = async () => (await owner.get("/-/people")).text.includes("has not accepted a mail so far");
  smtp.state.refusal = { code: 451, message: "later" };
  await stranger.post("/-/forgot", { email: person.email });
  await untilQueued();
  expect(await claimMail(app)).toMatchObject({ attempt: 1 });
  expect(await warns()).toBe(false); // it is being sent
  await app.database.kysely.updateTable("mail").set({ attempt: 0, next_attempt_at: 0 }).execute();
  await sendUntil(async () => (await row())?.attempt === 1 && (await row())!.next_attempt_at < Date.now() + 70_000);
  expect((await row())!.next_attempt_at).toBeGreaterThan(Date.now() + (MAIL_RETRY_SECONDS[0] - 10) * 1_000);
  expect(await claimMail(app)).toBeNull();
  expect(await warns()).toBe(true);
  await app.database.kysely.updateTable("mail").set({ next_attempt_at: 0 }).execute();
  // A wrong password is an error of the configuration, so the mail stays queued.
  await sendUntil(async () => (await row())?.attempt === 2 && (await row())!.next_attempt_at < Date.now() + 310_000, smtp.url.replace("p%40ss", "wrong")); // oxfmt-ignore
  await app.database.kysely.updateTable("mail").set({ next_attempt_at: 0 }).execute();
  smtp.state.refusal = { code: 550, message: "no such user" };
  await sendAll();
  expect(smtp.received).toEqual([]);
  await stranger.post("/-/forgot", { email: person.email });
  await untilQueued();
  await deleteOldMail(app.database, new Date(Date.now() + 2 * DAY_MS));
  expect(await queued()).toBe(1);
  await deleteOldMail(app.database, new Date(Date.now() + 4 * DAY_MS));
  expect(await queued()).toBe(0);
});

it("gives its password to no mail server without TLS, except on this machine", async () => {
  const from = "Docent <docs@example.com>";
  expect(await tryMailServer({ url: new Secret(smtp.url), from })).toBeNull();
  // The same server by an address that is not one of this machine by its text.
  const elsewhere = new Secret(smtp.url.replace("127.0.0.1", "0.0.0.0"));
  expect(await tryMailServer({ url: elsewhere, from })).toEqual(expect.stringMatching(/STARTTLS/));
});

it("hides mail features if no mail server is configured", async () => {
  await using plain = await createTestApp("sqlite");
  const stranger = await browse(plain, null);
  expect((await stranger.get("/sign-in")).text).not.toContain("/-/forgot");
  expect((await stranger.get("/-/forgot")).status).toBe(404);
  const person = await browseAs(plain, await makePerson(plain, {}));
  expect((await person.get("/-/account")).text).not.toContain("sends you a mail");
});

it("removes mail that another server's key sealed", async () => {
  await using app = await createTestApp("sqlite", { smtp: "smtp://localhost:2525" });
  await queueMail({ ...app, vault: testVault }, "ada@example.com", { subject: "Hello", text: "Hello" });
  const { content, ...mail } = (await claimMail(app))!;
  expect([mail.to, content]).toEqual(["ada@example.com", null]);
});
