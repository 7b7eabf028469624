import { afterAll, beforeAll, expect, it } from "vitest";
import type { Person } from "#features/accounts/people.ts";
import type { Browsing } from "#testing/browsing.ts";
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
