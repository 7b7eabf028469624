import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { browse, type Browsing } from "#testing/browsing.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let app: TestApp;
let member: Browsing;
beforeAll(async () => {
  const files = {
    "mkdocs.yml": "site_name: Harbor\n",
    "docs/index.md": "# Welcome\n\nHarbor sends events to your customers.\n",
    "docs/install.md": "# Install\n\nInstall Harbor with one command.\n",
  };
  app = await createTestApp("sqlite", { files, canTryChores: true });
  member = await browse(app, app.key);
});
afterAll(() => app[Symbol.asyncDispose]());

it("offers the chores that would change these docs, with the number of files", async () => {
  expect((await member.get("/harbor-docs/jobs")).text).toContain("Looking for what could be fixed in the docs…");
  const offered = await vi.waitFor(async () => {
    const { text } = await member.get("/harbor-docs/jobs");
    expect(text).not.toContain("Looking for what");
    return text;
  }, 20_000);
  expect(offered).toContain(
    '<a class="button" href="/harbor-docs/jobs/chores?chore=add_missing_descriptions&amp;try=yes">Add missing descriptions <span class="muted">2 files</span></a>',
  );
  // No link is broken and no entry of the navigation is dead.
  expect(offered).not.toContain("chore=fix_links");
  expect(offered).not.toContain("chore=repair_navigation");
});
