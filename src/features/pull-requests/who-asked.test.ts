import { afterAll, beforeAll, expect, it } from "vitest";
import { browse, type Browsing } from "#testing/browsing.ts";
import { browseAs, makePerson } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let app: TestApp;
let ada: Browsing;
let name: string;
beforeAll(async () => {
  app = await createTestApp("sqlite");
  const person = await makePerson(app, { role: "editor" });
  name = person.name;
  ada = await browseAs(app, person);
});
afterAll(() => app[Symbol.asyncDispose]());

it("names the person who asked, and the one who merged, from the job to the deployment", async () => {
  const { location } = await ada.post("/harbor-docs/jobs", { prompt: "Say hello.", title: "Greet" });
  await app.carryOut({ files: { "hello.md": "# Hello\n" } });
  expect((await ada.get("/harbor-docs/jobs")).text).toMatch(new RegExp(`Greet[^]{0,300}· by ${name} ·`));
  expect((await ada.get(location!)).text).toContain(`<b>Instruction</b> <span>by ${name}, `);
  const open = await ada.get("/harbor-docs/pull/1");
  expect(open.text).toContain(`</b> for <b>${name}</b> wants to merge 1 commit into`);
  expect(open.text).toMatch(new RegExp(`</b> opened this for <b>${name}</b>`));
  expect((await ada.post("/harbor-docs/pull/1/merge", {})).status).toBe(303);
  expect((await ada.get("/harbor-docs/pull/1")).text).toMatch(new RegExp(`As commit <code>\\w{7}</code>, by <b>${name}</b>,`));
  await app.deployments.watch.look(app.project.id);
  const merged = `, merged by ${name}`;
  expect((await ada.get("/harbor-docs/deployments")).text).toContain(merged);
  const number = /\/harbor-docs\/deployments\/(\d+)/.exec((await ada.get("/harbor-docs/deployments")).text)![1];
  expect((await ada.get(`/harbor-docs/deployments/${number}`)).text).toContain(merged);
}); // oxfmt-ignore

it("does not believe a pushed commit about who merged it", async () => {
  await app.pushCommit("main", { "forged.md": "# Forged\n" }, `Forge\n\nMerged-by: Vera Victim <vera@example.com>`);
  await app.deployments.watch.look(app.project.id);
  const { text } = await ada.get("/harbor-docs/deployments");
  expect(text).toContain("Forge");
  expect(text).not.toContain("Vera Victim");
});

it("names the API key of a request by a program", async () => {
  await app.call("POST", "/job", { body: { prompt: "Say goodbye.", title: "Part" } });
  expect((await ada.get("/harbor-docs/jobs")).text).toMatch(/Part[^]{0,300}· by API key “test” ·/);
  const byKey = await browse(app, app.key);
  const { location } = await byKey.post("/harbor-docs/jobs", { prompt: "Say goodbye again." });
  expect((await byKey.get(location!)).text).toContain("by API key “test”, ");
});
