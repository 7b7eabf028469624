import { afterAll, beforeAll, expect, it } from "vitest";
import { invite } from "#features/accounts/invitations.ts";
import { setRole } from "#features/accounts/members.ts";
import type { Person } from "#features/accounts/people.ts";
import { recordJobMail } from "#features/jobs/job-mail.ts";
import type { JobId } from "#lib/ids.ts";
import { type Browsing, openBrowser } from "#testing/browsing.ts";
import { browseAs, makePerson, makeToken } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let app: TestApp;
let person: Person;
let reader: Browsing;
beforeAll(async () => {
  app = await createTestApp("sqlite");
  person = await makePerson(app, { role: "reader" });
  reader = await browseAs(app, person);
});
afterAll(() => app[Symbol.asyncDispose]());

it("a reader's list of projects leads to the site", async () => {
  const { text } = await reader.get("/");
  expect(text).toContain('href="http://harbor-docs.localhost:4000/"');
  expect(text).not.toContain('href="/harbor-docs"');
});

it("a reader opens the site", async () => {
  const { status, text } = await reader.get(`/open-site?project=${app.project.id}&path=/`);
  expect([status, text.includes("The site opens")]).toEqual([200, true]);
});

it("the command menu of a reader finds the site, and no job", async () => {
  await app.call("POST", "/job", { body: { prompt: "Fix the lantern." } });
  const { text } = await reader.get("/-/jump?project=harbor-docs&search=lantern");
  expect(text).not.toContain("lantern");
  const all = (await reader.get("/-/jump?project=harbor-docs")).text;
  expect([all.includes("Open the site"), all.includes("/harbor-docs/jobs")]).toEqual([true, false]);
});

it("a reader's token reads no jobs, and says why", async () => {
  const answer = await app.call("GET", "/jobs", { key: await makeToken(app, person) });
  expect(answer).toMatchObject({ status: 403, json: { code: "forbidden" } });
  expect(answer.text).toContain("Your role in this project is reader");
});

it("a reader's token does not clone the repository, and says why", async () => {
  const address = "http://localhost:4000/git/harbor-docs.git/info/refs?service=git-upload-pack";
  const headers = {
    Authorization: `Basic ${Buffer.from(`docent:${await makeToken(app, person)}`).toString("base64")}`,
  };
  const answer = await app.app.fetch(new Request(address, { headers }), { peerAddress: "127.0.0.1" });
  expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining("Your role in this project is reader")]); // oxfmt-ignore
});

it("a reader who accepts an invitation is led to the site", async () => {
  const offer = { projectId: app.project.id, role: "reader" } as const;
  const { token } = await invite(app, { email: "lin@example.com", offer, invitedBy: "Ada" });
  const browser = openBrowser(app);
  const joined = await browser.post(`/-/join/${token}`, { name: "Lin", password: "quiet harbor light" });
  expect([joined.status, joined.location]).toEqual([303, `/open-site?project=${app.project.id}`]);
  expect((await browser.get(joined.location!)).text).toContain("The site opens");
});

it("a person who becomes a reader is told nothing more of jobs", async () => {
  const editor = await makePerson(app, { role: "editor" });
  await app.database.kysely.updateTable("person").set({ mails_jobs: 1 }).where("id", "=", editor.id).execute();
  const key = await makeToken(app, editor);
  const create = async () => (await app.call("POST", "/job", { key, body: { prompt: "Fix the quay." } })).json.id;
  const jobs = [await create(), await create()];
  const end = async (id: string) => {
    const job = await app.database.kysely.selectFrom("job").selectAll().where("id", "=", id as JobId).executeTakeFirstOrThrow(); // oxfmt-ignore
    const events = [{ type: "job.completed", summary: null } as const];
    await app.database.transaction((transaction) => recordJobMail(transaction, { job, events, at: 1 }));
    return (await app.database.kysely.selectFrom("mail").select("recipient").execute()).length;
  };
  expect(await end(jobs[0]!)).toBe(1);
  await setRole(app, { projectId: app.project.id, personId: editor.id, role: "reader" });
  expect(await end(jobs[1]!)).toBe(1);
});
