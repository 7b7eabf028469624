import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setRole } from "#features/accounts/members.ts";
import type { Person } from "#features/accounts/people.ts";
import { changeProject } from "#features/projects/change-project.ts";
import { newId } from "#lib/ids.ts";
import { ENGINES } from "#testing/databases.ts";
import { openBrowser } from "#testing/browsing.ts";
import { browseAs, makePerson } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

/** Stores comments without their form, numbered from 1. */
async function store(
  app: TestApp,
  { number, by, count, characters = 0 }: { number: number; by: Person; count: number; characters?: number },
) {
  const { head } = (await app.codeHost.getPullRequest(app.repository, number))!;
  const rows = Array.from({ length: count }, (_, index) => ({
    id: newId("cmt", new Date(1_000 * index)),
    project_id: app.project.id,
    number,
    thread_id: null,
    verdict: "comment" as const,
    body: `Remark ${index + 1}.`.padEnd(characters, " word"),
    commit_sha: head.commit,
    person_id: by.id,
    author: by.name,
    job_id: null,
    message_seq: null,
    note: null,
    created_at: 1_000 * index,
    edited_at: null,
  }));
  await app.database.kysely.insertInto("pull_request_comment").values(rows).execute();
}

const shownIn = (text: string) => [...text.matchAll(/Remark (\d+)\./g)].map(([, number]) => Number(number));
const countTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe.each(ENGINES)("a long conversation of a pull request, on %s", (engine) => {
  let app: TestApp;
  let viewer: { person: Person; browser: Awaited<ReturnType<typeof browseAs>> };
  let editor: typeof viewer;
  let made = 0;
  const enter = async (role: "viewer" | "editor") => {
    const person = await makePerson(app, { role });
    return { person, browser: await browseAs(app, person) };
  };
  const propose = async () => {
    const number = ++made;
    await app.call("POST", "/job", { body: { prompt: "Change the pages." } });
    await app.carryOut({ files: { [`page-${number}.md`]: "# Page\n" } });
    return { number, path: `/harbor-docs/pull/${number}` };
  };
  beforeAll(async () => {
    app = await createTestApp(engine, { files: { "index.md": "# Start\n" } });
    viewer = await enter("viewer");
    editor = await enter("editor");
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it("shows the newest 50 comments, and leads to those before and after them", async () => {
    const { number, path } = await propose();
    await store(app, { number, by: viewer.person, count: 120 });
    const newest = (await editor.browser.get(path)).text;
    expect(shownIn(newest)).toEqual(countTo(71, 120));
    expect(newest).toMatch(/Conversation <span class="count">120</);
    const earlier = /href="([^"]*)#cmt_[^"]*">Show 70 earlier comments</.exec(newest)?.[1] ?? "";
    const second = (await editor.browser.get(earlier)).text;
    expect(shownIn(second)).toEqual(countTo(21, 70));
    expect(second).toContain(">Show 20 earlier comments<");
    const later = /href="([^"]*)#cmt_[^"]*">Show 50 later comments</.exec(second)?.[1] ?? "";
    expect(shownIn((await editor.browser.get(later)).text)).toEqual(countTo(71, 120));
  });

  it("edits a comment of an earlier page there", async () => {
    const { number, path } = await propose();
    await store(app, { number, by: viewer.person, count: 60 });
    const { id } = await app.database.kysely.selectFrom("pull_request_comment").select("id").where("number", "=", number).orderBy("id").limit(1).executeTakeFirstOrThrow(); // oxfmt-ignore
    const { text } = await viewer.browser.get(`${path}?edit=${id}`);
    expect(text).toContain(">Remark 1.</textarea>");
    const sent = await viewer.browser.post(`${path}/comments/${id}/edit`, { body: "Better.", comments: id });
    expect(sent.location).toBe(`${path}?comments=${id}#${id}`);
    expect((await viewer.browser.get(sent.location!.split("#")[0]!)).text).toContain("Better.");
  });

  it("renders a bounded number of characters, also for a refused form", async () => {
    const { number, path } = await propose();
    await store(app, { number, by: viewer.person, count: 100, characters: 10_000 });
    const page = await editor.browser.get(path);
    expect(shownIn(page.text)).toEqual(countTo(81, 100));
    expect(page.text.length).toBeLessThan(1_000_000);
    const refused = await editor.browser.post(`${path}/comment`, { body: "" });
    expect([refused.status, shownIn(refused.text).length]).toEqual([400, 20]);
  });

  it("shows a text as it is whose markup would be far longer", async () => {
    const { path } = await propose();
    await viewer.browser.get(path);
    await viewer.browser.post(`${path}/comment`, {
      body: `[a]: https://example.com/${"x".repeat(2_000)}\n\n${"[a] ".repeat(1_000)}`,
    });
    const { text } = await editor.browser.get(path);
    expect(text).toContain('<pre class="plain">[a]: https://example.com/xxx');
  });

  it("limits the comments of each person, and neither those of others nor reviews", async () => {
    const { number, path } = await propose();
    await store(app, { number, by: viewer.person, count: 200 });
    await store(app, { number, by: editor.person, count: 200 });
    await viewer.browser.get(path);
    const refused = await viewer.browser.post(`${path}/comment`, { body: "One more." });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining("You have 200 comments on this pull request"),
    ]);
    await editor.browser.get(path);
    expect((await editor.browser.post(`${path}/comment`, { verdict: "approve", body: "" })).status).toBe(303);
    const other = await enter("viewer");
    await other.browser.get(path);
    expect((await other.browser.post(`${path}/comment`, { body: "Another view." })).status).toBe(303);
  });

  it("admits 30 comments of a person per minute, and says when the next one is", async () => {
    const { path } = await propose();
    const fast = await enter("viewer");
    app.time.now = app.clock.now(); // stays in this minute
    await fast.browser.get(path);
    for (let sent = 0; sent < 30; sent++)
      expect((await fast.browser.post(`${path}/comment`, { body: `Number ${sent}.` })).status).toBe(303);
    const { status, text, headers } = await fast.browser.post(`${path}/comment`, { body: "Too fast." });
    expect([status, text]).toEqual([429, expect.stringMatching(/Send this one again in \d+ seconds\./)]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(text).toContain(">Too fast.</textarea>");
    await viewer.browser.get(path);
    expect((await viewer.browser.post(`${path}/comment`, { body: "Slowly." })).status).toBe(303);
  });

  it("marks the approval of a person who lost the role", async () => {
    const { path } = await propose();
    const leaving = await enter("editor");
    await leaving.browser.get(path);
    await leaving.browser.post(`${path}/comment`, { verdict: "approve", body: "" });
    expect((await viewer.browser.get(path)).text).not.toContain("no longer a reviewer");
    await setRole(app, { projectId: app.project.id, personId: leaving.person.id, role: "viewer" });
    expect((await viewer.browser.get(path)).text).toMatch(
      /approved<\/a>\s*<span class="badge"[^>]*>no longer a reviewer</,
    );
  });

  it("refuses a review of a commit that is not part of the pull request", async () => {
    const { path } = await propose();
    await editor.browser.get(path);
    const { status, text } = await editor.browser.post(`${path}/comment`, { verdict: "approve", body: "", head: "0".repeat(40) }); // oxfmt-ignore
    expect([status, text]).toEqual([
      400,
      expect.stringContaining("The branch was replaced since you opened this page."),
    ]);
  });

  it("shows the address of an author to members, and not to the public", async () => {
    const { number, path } = await propose();
    await store(app, { number, by: viewer.person, count: 1 });
    expect((await editor.browser.get(path)).text).toContain(`<b title="${viewer.person.email}">`);
    await changeProject({ ...app, admitDomain: async () => undefined }, app.project, {
      settings: { publicPullRequests: true },
    });
    const { status, text } = await openBrowser(app).get(path);
    expect([status, text.includes("Remark 1."), text.includes(viewer.person.email)]).toEqual([200, true, false]);
  });
});
