import { afterAll, beforeAll, expect, it } from "vitest";
import { browse, type Browsing } from "#testing/browsing.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let app: TestApp;
let member: Browsing;
beforeAll(async () => {
  app = await createTestApp("sqlite");
  member = await browse(app, app.key);
  await member.post("/harbor-docs/jobs", { prompt: "Write." });
  const long = "A line of text.\n".repeat(130);
  await app.carryOut({ files: { "a.md": "# A\n", "long.md": long, "z.md": "# Z\n" } });
});
afterAll(() => app[Symbol.asyncDispose]());

const openFiles = (text: string) =>
  [...text.matchAll(/<details class="file" (open)?[^]*?<span class="file-name">([^<]+)</g)].map(([, open, name]) => [
    name,
    open !== undefined,
  ]);

it("starts with long diffs collapsed below the conversation, and with all open on their own tab", async () => {
  const { text } = await member.get("/harbor-docs/pull/1");
  expect(openFiles(text)).toEqual([["a.md", true], ["long.md", false], ["z.md", true]]); // oxfmt-ignore
  // The anchor is inside, so that a link to it opens the file.
  expect(text).toMatch(/<a href="#file-2">long\.md<[^]*<details class="file"[^]*<div class="as-lines" id="file-2">/);
  const tab = await member.get("/harbor-docs/pull/1/files");
  expect(openFiles(tab.text).every(([, isOpen]) => isOpen)).toBe(true);
});
