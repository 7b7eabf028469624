import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listAudit } from "#features/accounts/audit.ts";
import { type Browsing, browse } from "#testing/browsing.ts";
import { BOTH_ENGINES, ENGINES } from "#testing/databases.ts";
import type { JobId } from "#lib/ids.ts";
import { browseAs, makePerson } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { insertComment, readConversation } from "./comments.ts";

const FILES = { "index.md": "# Start\n\nOne.\n\nTwo.\n\nThree.\n", "old.md": "# Old\n\nAway.\n" };

interface Jobs {
  number: number;
  id: string;
  path: string;
}

/** A job with an open pull request that changes `index.md` and adds a page of its own. */
async function propose(app: TestApp, number: number, text = "# Start\n\nOne.\n\nSecond.\n\nThree.\n"): Promise<Jobs> {
  const { json } = await app.call("POST", "/job", { body: { prompt: "Change the pages." } });
  await app.carryOut({ files: { "index.md": text, [`page-${number}.md`]: "# Page\n" } });
  return { number, id: json.id, path: `/harbor-docs/pull/${number}` };
}

const idIn = (location: string | null, prefix: string) =>
  new RegExp(`${prefix}_[0-9a-z]{26}`).exec(location ?? "")?.[0] ?? "";

async function people(app: TestApp) {
  const [viewer, editor, admin] = await Promise.all(
    (["viewer", "editor", "admin"] as const).map(async (role) => {
      const person = await makePerson(app, { role });
      return { person, browser: await browseAs(app, person) };
    }),
  );
  return { viewer: viewer!, editor: editor!, admin: admin! };
}

/** Comments on a line of `index.md`; returns the ID of the thread. */
async function onLine(browser: Browsing, path: string, { line, body }: { line: string; body: string }) {
  const form = await browser.get(`${path}/files?path=index.md&line=${line}`);
  const head = /name="head" value="([0-9a-f]{40})"/.exec(form.text)?.[1] ?? "";
  const sent = await browser.post(`${path}/comment`, {
    body,
    path: "index.md",
    line,
    head,
    tab: "files",
    shown: "index.md",
  });
  expect([sent.status, sent.location]).toEqual([303, expect.stringContaining("/files?path=index.md#thr_")]);
  return idIn(sent.location, "thr");
}

describe.each(ENGINES)("the conversation of a pull request, on %s", (engine) => {
  let app: TestApp;
  let who: Awaited<ReturnType<typeof people>>;
  let pull: Jobs;
  beforeAll(async () => {
    app = await createTestApp(engine, { files: FILES });
    who = await people(app);
    pull = await propose(app, 1);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it("shows a viewer's comment, with safe Markdown, in order of time among commits", async () => {
    const { viewer, editor } = who;
    const sent = await viewer.browser.post(`${pull.path}/comment`, { body: "This **looks** wrong. <img src=x>" });
    expect([sent.status, sent.location]).toEqual([303, expect.stringContaining(`${pull.path}#cmt_`)]);
    const { text } = await editor.browser.get(pull.path);
    expect(text).toContain("This <strong>looks</strong> wrong.");
    expect(text).not.toContain("<img src=x");
    expect(text.indexOf(viewer.person.name)).toBeGreaterThan(text.indexOf('class="timeline"'));
    expect(text).toMatch(/Conversation <span class="count">1</);
  });

  it("is edited by the author of a comment alone, and deleted by them or an admin", async () => {
    const { viewer, editor, admin } = who;
    const id = idIn((await viewer.browser.post(`${pull.path}/comment`, { body: "Frist." })).location, "cmt");
    expect((await editor.browser.get(pull.path)).text).not.toContain(`comments/${id}/`);
    for (const action of ["edit", "delete"])
      expect((await editor.browser.post(`${pull.path}/comments/${id}/${action}`, { body: "Mine." })).status).toBe(403);
    expect((await viewer.browser.get(`${pull.path}?edit=${id}`)).text).toContain(">Frist.</textarea>");
    expect((await viewer.browser.post(`${pull.path}/comments/${id}/edit`, { body: "" })).text).toContain(
      "Write a comment first.",
    );
    await viewer.browser.post(`${pull.path}/comments/${id}/edit`, { body: "First." });
    expect((await editor.browser.get(pull.path)).text).toMatch(/First\./);
    expect((await admin.browser.get(pull.path)).text).not.toContain(`?edit=${id}`);
    // Or an admin could take the author's name and put words into their mouth.
    expect((await admin.browser.post(`${pull.path}/comments/${id}/edit`, { body: "Admin." })).status).toBe(403);
    expect((await admin.browser.post(`${pull.path}/comments/${id}/delete`, {})).status).toBe(303);
    expect((await editor.browser.get(pull.path)).text).not.toContain("First.");
    const [event] = await listAudit(app.database.kysely, { projectId: app.project.id, filter: {}, before: null, limit: 1 }); // oxfmt-ignore
    expect(event).toMatchObject({ action: "pull/comments/delete", subject: viewer.person.name });
  });

  it("is stored without the credentials in it, as sent and as edited", async () => {
    const { browser } = who.viewer;
    // Put together here, so that this file holds none.
    const key = ["AKIA", "QX7M2KJ4ZP5WN3TA"].join("");
    const sent = await browser.post(`${pull.path}/comment`, { body: `The key is ${key}.` });
    const id = idIn(sent.location, "cmt");
    const stored = async () =>
      (await app.database.kysely.selectFrom("pull_request_comment").select("body").where("id", "=", id).executeTakeFirst())?.body; // oxfmt-ignore
    expect(await stored()).toBe("The key is [redacted].");
    await browser.post(`${pull.path}/comments/${id}/edit`, { body: `It was ${key}.` });
    expect(await stored()).toBe("It was [redacted].");
    await browser.post(`${pull.path}/comments/${id}/delete`, {});
  });

  it("has reviews by editors, which name the commit that they are about", async () => {
    const { viewer, editor } = who;
    await viewer.browser.get(pull.path);
    const refused = await viewer.browser.post(`${pull.path}/comment`, { verdict: "approve", body: "" });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("needs the role editor")]);
    expect((await viewer.browser.get(pull.path)).text).not.toContain(">Approve<");
    await editor.browser.get(pull.path);
    const empty = await editor.browser.post(`${pull.path}/comment`, { verdict: "changes", body: "" });
    expect([empty.status, empty.text]).toEqual([400, expect.stringContaining("Say what should change.")]);
    await editor.browser.post(`${pull.path}/comment`, { verdict: "changes", body: "Line two." });
    expect((await viewer.browser.get(pull.path)).text).toMatch(/aria-label="Reviews">.*requested changes/);
    await editor.browser.post(`${pull.path}/comment`, { verdict: "approve", body: "" });
    const { text } = await viewer.browser.get(pull.path);
    expect(text).toMatch(/aria-label="Reviews"> <li class="approve">/);
    const events = await listAudit(app.database.kysely, { projectId: app.project.id, filter: {}, before: null, limit: 2 }); // oxfmt-ignore
    expect(events.map(({ action }) => action)).toEqual(["pull/approve", "pull/changes"]);
  });

  it("is read by a browser with an API key, which has no name to comment with", async () => {
    const key = await browse(app, app.key);
    expect((await key.get(pull.path)).text).toContain("To comment, sign in with an account");
    expect((await key.post(`${pull.path}/comment`, { body: "Hi." })).status).toBe(403);
  });

  it("refuses a form without its token and an address of another project's comment", async () => {
    const { viewer } = who;
    const { id: projectId } = await app.makeProject("Pier docs");
    const { kysely } = app.database;
    const existing = await kysely.selectFrom("pull_request").selectAll().executeTakeFirstOrThrow();
    await kysely
      .insertInto("pull_request")
      .values({ ...existing, project_id: projectId })
      .execute();
    const comment = { projectId, number: pull.number, body: "Hi.", verdict: "comment", commit: "0".repeat(40), by: viewer.person, at: app.clock.now(), on: null, message: null, note: null } as const; // oxfmt-ignore
    const { id } = await app.database.transaction((transaction) => insertComment(transaction, comment));
    expect((await viewer.browser.post(`${pull.path}/comment`, { csrf: "x", body: "Hi." })).status).toBe(403);
    expect((await viewer.browser.post(`${pull.path}/comments/${id}/delete`, {})).status).toBe(404);
    expect((await readConversation(kysely, { projectId, number: pull.number })).remarks).toHaveLength(1);
  });

  it("keeps the text of a comment that is too long, and says so", async () => {
    const { viewer } = who;
    const body = "x".repeat(10_001);
    const { status, text } = await viewer.browser.post(`${pull.path}/comment`, { body });
    expect([status, text.includes(body)]).toEqual([400, true]);
    expect(text).toContain("A comment must have at most 10000 characters.");
  });
});

describe.each(ENGINES)("a thread on a line, on %s", (engine) => {
  let app: TestApp;
  let who: Awaited<ReturnType<typeof people>>;
  beforeAll(async () => {
    app = await createTestApp(engine, { files: FILES });
    who = await people(app);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it("is answered, resolved and reopened by its author and by editors alone, and ends with its last comment", async () => {
    const { viewer, editor } = who;
    const { path } = await propose(app, 1);
    const thread = await onLine(viewer.browser, path, { line: "n5", body: "Why second?" });
    await editor.browser.get(path);
    const answer = await editor.browser.post(`${path}/comment`, { thread, body: "As the guide says." });
    expect(answer.location).toBe(`${path}#${thread}`);
    const { text } = await viewer.browser.get(`${path}/files`);
    const order = ["Second.", "Why second?", "As the guide says.", "Three."].map((words) => text.lastIndexOf(words));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect((await viewer.browser.get(path)).text).toContain(">2 comments by ");
    const other = await browseAs(app, await makePerson(app, { role: "viewer" }));
    const refused = await other.post(`${path}/threads/${thread}/resolve`, {});
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("needs the role editor")]);
    await editor.browser.post(`${path}/threads/${thread}/resolve`, {});
    expect((await viewer.browser.get(path)).text).toContain(`${editor.person.name} resolved this`);
    await viewer.browser.post(`${path}/threads/${thread}/reopen`, {});
    expect((await viewer.browser.get(path)).text).not.toContain("resolved this");
    const rows = await app.database.kysely.selectFrom("pull_request_comment").select(["id", "person_id"]).execute();
    for (const { id, person_id } of rows)
      await (person_id === viewer.person.id ? viewer : editor).browser.post(`${path}/comments/${id}/delete`, {});
    expect(await app.database.kysely.selectFrom("pull_request_thread").selectAll().execute()).toEqual([]);
  });

  it("moves with its line, and is marked as outdated when a commit changes the line", async () => {
    const { viewer } = who;
    const { path, number } = await propose(app, 2);
    await onLine(viewer.browser, path, { line: "n5", body: "About the second." });
    await onLine(viewer.browser, path, { line: "o5", body: "About what was there." });
    const { branch } = (await app.codeHost.getPullRequest(app.repository, number))!.head;
    await app.pushCommit(branch, { "index.md": "# Start\n\nNew.\n\nOne.\n\nSecond.\n\nThree.\n" });
    const moved = (await viewer.browser.get(path)).text;
    expect(moved).toContain("index.md, line 7");
    expect(moved).toContain("index.md, removed line 5");
    expect(moved).not.toContain(">outdated<");
    expect((await viewer.browser.get(`${path}/files`)).text).toContain("About the second.");
    await app.pushCommit(branch, { "index.md": "# Start\n\nNew.\n\nOne.\n\nOther.\n\nThree.\n" });
    const { text } = await viewer.browser.get(path);
    expect(text.match(/>outdated</g)).toHaveLength(1);
    expect(text).toMatch(/index.md, line 5 <span class="badge"[^>]*>outdated/);
    const files = (await viewer.browser.get(`${path}/files`)).text;
    expect(files).toMatch(/On lines that are not shown: <a [^>]*>1 comment by/);
  });

  it("is not started on a line of a commit that was replaced meanwhile", async () => {
    const { viewer } = who;
    const { path } = await propose(app, 3);
    const form = { body: "Late.", path: "index.md", line: "n5", tab: "files" };
    const { status, text } = await viewer.browser.post(`${path}/comment`, { ...form, head: "0".repeat(40) });
    expect(status).toBe(400);
    expect(text).toContain("The branch has new commits.");
    expect(text).toContain(">Late.</textarea>");
    const { head } = (await app.codeHost.getPullRequest(app.repository, 3))!;
    const absent = await viewer.browser.post(`${path}/comment`, { ...form, line: "n99", head: head.commit });
    expect(absent.text).toContain("This line is not part of the change.");
    expect(absent.text).toContain(">Late.</textarea>");
  });

  it("tells the agent the line as it is now, and quotes one that was removed or changed", async () => {
    const { editor } = who;
    const { path, number, id } = await propose(app, 4);
    // The built-in rules would get the mention alone.
    await sql`update job set model = 'anthropic/claude' where id = ${id}`.execute(app.database.kysely);
    const prompts = async () =>
      (await app.database.kysely.selectFrom("job_message").select("prompt").where("job_id", "=", id as JobId).where("seq", ">", 1).orderBy("seq").execute()).map(({ prompt }) => prompt.split("\n").at(-1)); // oxfmt-ignore
    const [added, removed] = [
      await onLine(editor.browser, path, { line: "n5", body: "Why?" }),
      await onLine(editor.browser, path, { line: "o5", body: "@docent put it back." }),
    ];
    const { branch } = (await app.codeHost.getPullRequest(app.repository, number))!.head;
    await app.pushCommit(branch, { "index.md": "# Start\n\nNew.\n\nOne.\n\nSecond.\n\nThree.\n" });
    const answer = (thread: string) =>
      editor.browser.post(`${path}/comment`, { thread, body: "@docent say it shorter." });
    await answer(added);
    await app.pushCommit(branch, { "index.md": "# Start\n\nNew.\n\nOne.\n\nOther.\n\nThree.\n" });
    await answer(added);
    await answer(removed);
    expect(await prompts()).toEqual([
      "(This is about index.md, removed line 5: “Two.”.)",
      "(This is about index.md, line 7.)",
      "(This is about index.md, line 5, which later commits changed: “Second.”.)",
      "(This is about index.md, removed line 5: “Two.”.)",
    ]);
  });
});

describe.each(BOTH_ENGINES)("a comment that mentions the agent, on %s", (engine) => {
  it("is a follow-up to the job if an editor writes it, and says why not if a viewer does", async () => {
    await using app = await createTestApp(engine, { files: FILES });
    const { viewer, editor } = await people(app);
    const { path, id } = await propose(app, 1);
    const body = "Nice.\n\n@docent replace Second with Third.";
    await viewer.browser.get(path);
    await viewer.browser.post(`${path}/comment`, { body });
    expect((await editor.browser.get(path)).text).toContain("Not sent to the agent: your role must be editor or admin");
    expect((await app.call("GET", `/job/${id}`)).json.status).toBe("completed");
    await onLine(editor.browser, path, { line: "n5", body });
    expect((await app.call("GET", `/job/${id}`)).json.status).toBe("active");
    const message = await app.database.kysely.selectFrom("job_message").selectAll().where("seq", "=", 2).executeTakeFirstOrThrow(); // oxfmt-ignore
    expect(message).toMatchObject({ asked_by: editor.person.name, asked_by_email: editor.person.email });
    expect(message.prompt).toContain("replace Second with Third.");
    expect((await viewer.browser.get(path)).text).toContain("works on it.");
    await app.carryOut({ files: { "index.md": "# Start\n\nOne.\n\nThird.\n\nThree.\n" } });
    expect((await viewer.browser.get(path)).text).toMatch(/<b>Docent<\/b> answered:.*Done in [0-9a-f]{12}/);
  });

  it("stays with its author's name when the account is deleted, and goes with its project", async () => {
    await using app = await createTestApp(engine, { files: FILES });
    const { viewer, editor } = await people(app);
    const { path } = await propose(app, 1);
    await onLine(viewer.browser, path, { line: "n5", body: "I was here." });
    await app.database.kysely.deleteFrom("person").where("id", "=", viewer.person.id).execute();
    expect((await editor.browser.get(path)).text).toMatch(new RegExp(`${viewer.person.name}.*I was here\\.`));
    await app.database.kysely.deleteFrom("project").where("id", "=", app.project.id).execute();
    for (const table of ["pull_request_comment", "pull_request_thread"] as const)
      expect(await app.database.kysely.selectFrom(table).selectAll().execute()).toEqual([]);
  });
});
