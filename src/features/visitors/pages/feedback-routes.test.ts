import { expect, test } from "vitest";
import { keepFeedback } from "#features/visitors/feedback/feedback-book.ts";
import { browse } from "#testing/browsing.ts";
import { createTestApp } from "#testing/test-app.ts";

test("comments are shown as text, move from status to status, and are visible to the project only", async () => {
  await using app = await createTestApp("sqlite", { now: new Date("2026-11-20T12:00:00Z") });
  const { database, vault, clock, project } = app;
  const other = await app.makeProject("Other docs");
  const say = (projectId: typeof project.id, page: string, comment: string | null) =>
    keepFeedback(
      { database, vault, clock, time: { now: async () => clock.now() } },
      {
        projectId,
        page,
        comment,
        helpful: comment === null,
        author: "reader",
        keyProduct: "Firefox on Linux",
        address: "192.0.2.1",
        cookie: null,
        isPrivate: false,
      },
    );
  await say(project.id, "/guide", "<img src=x onerror=alert(1)> half\u202ehidden");
  await say(project.id, "/", null);
  await say(other.id, "/theirs", "Secret words");

  const browsing = await browse(app, app.key);
  const overview = await browsing.get("/harbor-docs/analytics?days=7");
  expect(overview.text).toContain("50 % of 2 votes by readers say yes.");
  expect(overview.text).toMatch(
    /&lt;img src=x onerror=alert\(1\)&gt; half<span class="control"[^>]*>[^<]+<\/span>hidden/,
  );
  const list = await browsing.get("/harbor-docs/analytics/feedback?days=7&status=pending");
  expect(list.text).toContain("&lt;img src=x");
  expect(overview.text + list.text).not.toMatch(/<img src=x|Secret words/);
  const id = /analytics\/feedback\/(fbk_\w+)/.exec(list.text)![1]!;
  const fields = { status: "resolved", shown: "pending", days: "7" };
  expect(await browsing.post(`/harbor-docs/analytics/feedback/${id}`, fields)).toMatchObject({
    status: 303,
    location: "/harbor-docs/analytics/feedback?days=7&status=pending",
  });
  expect((await browsing.get("/harbor-docs/analytics/feedback?status=pending")).text).toContain(
    "There is nothing here.",
  );
  expect((await browsing.get("/harbor-docs/analytics/feedback?status=resolved")).text).toContain(id);

  const theirs = (
    await database.kysely
      .selectFrom("feedback")
      .select("id")
      .where("project_id", "=", other.id)
      .executeTakeFirstOrThrow()
  ).id;
  for (const [entry, sent] of [
    [theirs, fields],
    [id, { ...fields, status: "gone" }],
  ] as const)
    expect((await browsing.post(`/harbor-docs/analytics/feedback/${entry}`, sent)).status).toBe(404);
  expect((await browsing.post(`/harbor-docs/analytics/feedback/${id}`, { ...fields, csrf: "x" })).status).toBe(403);
  const stranger = await browse(app, null);
  expect((await stranger.get("/harbor-docs/analytics/feedback")).status).toBe(303);
  const csv = await browsing.get("/harbor-docs/analytics/feedback.csv?days=7");
  expect(csv.text).toContain(",resolved,no");
  expect((await browsing.get("/harbor-docs/analytics/helpful.csv?days=7")).text).toContain("/guide,0,1,0,1");
});
