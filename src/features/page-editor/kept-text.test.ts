import { execFileSync } from "node:child_process";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import type { Browsing } from "#testing/browsing.ts";
import { browseAs, makePerson } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { canMount } from "#test/support/can-mount.ts";

const TEXT = "# Start\n\nAn hour of <careful> work.\n";
const SHOWN = "An hour of &lt;careful&gt; work.";

let app: TestApp;
let editor: Browsing;
beforeAll(async () => {
  app = await createTestApp("sqlite", { files: { "index.md": "# Start\n" }, canTryChores: true });
  editor = await browseAs(app, await makePerson(app, { role: "editor" }));
});
afterAll(() => app[Symbol.asyncDispose]());
let base: string;
beforeEach(async () => {
  base = (await app.repoStore.resolve(app.project.id, "refs/heads/main"))!;
});

const propose = (text = TEXT) =>
  editor.post("/harbor-docs/pages/edit?path=index.md", {
    base,
    text,
    title: "Work on it",
    description: "Why. ".repeat(900),
  });

it("keeps the text in the editor while the database is full, and proposes it afterwards", async () => {
  app.database.sqlite!.exec("pragma max_page_count = 1");
  const full = await propose();
  app.database.sqlite!.exec("pragma max_page_count = 1000000");
  expect(full.status).toBe(503);
  expect(full.text).toContain("The server&#39;s disk is full.");
  expect(full.text).toContain("send it again in a moment");
  expect(full.text).toContain(SHOWN);
  expect((await propose()).status).toBe(303);
});

it.runIf(canMount())("keeps the text in the editor while the repositories are read-only", async () => {
  const folder = path.dirname(app.repoStore.directory(app.project.id));
  execFileSync("mount", ["--bind", folder, folder]);
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
  execFileSync("mount", ["-o", "remount,ro,bind", folder]);
  const refused = await propose(`${TEXT}\nAnd more.\n`);
  expect(refused.status).toBeGreaterThanOrEqual(500);
  expect(refused.text).toContain(SHOWN);
  expect(refused.text).toContain('name="csrf"');
});

it("shows the text without the editor if not even the session can be read", async () => {
  app.database.sqlite!.exec("alter table project rename to project_away");
  const refused = await propose();
  app.database.sqlite!.exec("alter table project_away rename to project");
  expect(refused.status).toBe(500);
  expect(refused.text).toContain("The text was not saved");
  expect(refused.text).toContain(SHOWN);
});
