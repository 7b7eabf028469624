import { expect, it } from "vitest";
import { BOTH_ENGINES } from "#testing/databases.ts";
import { browse } from "#testing/browsing.ts";
import { browseAs, makePerson } from "#testing/people.ts";
import { createTestApp } from "#testing/test-app.ts";

it.each(BOTH_ENGINES)("finds jobs by words, person and day on %s, in an address that can be shared", async (engine) => {
  await using app = await createTestApp(engine, { now: new Date("2026-11-20T12:00:00Z") });
  const [ada, grace] = [await makePerson(app, { role: "editor" }), await makePerson(app, { role: "editor" })];
  const [first, second] = [await browseAs(app, ada), await browseAs(app, grace)];
  await first.post("/harbor-docs/jobs", { prompt: "Rename the STORE to shop, 100% of it.", title: "Rename" });
  app.time.now = new Date("2026-11-22T23:59:00Z");
  await second.post("/harbor-docs/jobs", { prompt: "Fix the links of the store." });
  app.time.now = new Date("2026-11-22T23:59:01Z");
  const byKey = await browse(app, app.key); // the session of a key ends after a day
  await byKey.post("/harbor-docs/jobs", { prompt: "Add a page." });
  const found = async (query: string, browsing = first) => {
    const { text } = await browsing.get(`/harbor-docs/jobs?${query}`);
    return [...text.matchAll(/<a href="\/harbor-docs\/jobs\/job_[^"]+"><b>([^<]*)</g)].map(([, name]) => name);
  };
  const [rename, links, page] = ["Rename", "Fix the links of the store.", "Add a page."];
  expect(await found("search=store")).toEqual([links, rename]);
  expect(await found("search=shop+rename")).toEqual([rename]);
  expect(await found("search=100%25")).toEqual([rename]);
  expect(await found("search=1_0")).toEqual([]);
  expect(await found("by=me")).toEqual([rename]);
  expect(await found("by=me", second)).toEqual([links]);
  expect(await found(new URLSearchParams({ by: "API key “test”" }).toString())).toEqual([page]);
  expect(await found("from=2026-11-21")).toEqual([page, links]);
  expect(await found("to=2026-11-22&search=links")).toEqual([links]);
  expect(await found("to=2026-11-21")).toEqual([rename]);
  expect(await found("from=2026-02-30")).toEqual([page, links, rename]);
  const none = await first.get("/harbor-docs/jobs?status=active&search=nothing+here");
  expect(none.text).toContain('No active job matches. <a href="/harbor-docs/jobs">Show all jobs</a>');
  expect(none.text).toContain('<a href="/harbor-docs/jobs?status=failed&amp;search=nothing+here"');
  expect(none.text).toContain(`<option value="${grace.name}">`);
});
