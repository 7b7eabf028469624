import { afterAll, beforeAll, expect, it } from "vitest";
import { browse, type Browsing } from "#testing/browsing.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let app: TestApp;
let member: Browsing;
beforeAll(async () => {
  const navigation = { pages: ["index", "gone"] };
  const files = {
    "docs.json": JSON.stringify({ name: "Harbor", navigation }),
    "index.md": "# Welcome\n\nRead [more](/nowhere). ![](/img/a.png)\n",
    "more.md": "# Welcome\n\nMore text is here.\n",
    "img/a.png": "x",
  };
  app = await createTestApp("sqlite", { files, canTryChores: true });
  member = await browse(app, app.key);
});
afterAll(() => app[Symbol.asyncDispose]());

it("shows the audit as a report, with the chore that fixes each kind of flaw", async () => {
  const list = await member.get("/harbor-docs/jobs");
  expect(list.text).toContain('href="/harbor-docs/jobs/chores?chore=audit&amp;try=yes">Audit the docs</a>');
  const { text } = await member.get("/harbor-docs/jobs/chores?chore=audit&try=yes");
  expect(text).toContain("<h2>Report</h2>");
  expect(text).not.toContain("Nothing would change");
  expect(text).not.toContain("Open a pull request</button>");
  const fixes = [...text.matchAll(/<a class="button" href="\/harbor-docs\/jobs\/chores\?([^"]+)">([^<]+)</g)];
  expect(fixes.map(([, query, words]) => [query?.replaceAll("&amp;", "&"), words])).toEqual([
    ["chore=fix_links&try=yes", "Fix broken links"],
    ["chore=add_missing_descriptions&try=yes", "Add missing descriptions"],
    ["chore=set_alt_text", "Set an alt text"],
    ["chore=repair_navigation&addOrphans=yes&try=yes", "Add them to the navigation"],
    ["chore=repair_navigation&try=yes", "Repair the navigation"],
    ["chore=set_front_matter&key=title", "Change a title"],
  ]);
});

it("opens a pull request only for a chore that changes files", async () => {
  const { text } = await member.get("/harbor-docs/jobs/chores?chore=add_missing_descriptions&try=yes");
  expect(text).toContain("Open a pull request</button>");
  expect(text).toContain('value="try">Dry run</button>');
});
