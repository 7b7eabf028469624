import { expect, it, vi } from "vitest";
import { browse } from "#testing/browsing.ts";
import { makePerson } from "#testing/people.ts";
import { createTestApp } from "#testing/test-app.ts";

const steps = (text: string) =>
  [...text.matchAll(/<li class="(done|todo)">[^]*?<b>([^<]+)<\/b>/g)].map(([, state, title]) => `${state}: ${title}`);

it("lists the first steps of a project until they are done", async () => {
  const files = { "index.md": "# Welcome\n\nHarbor sends events to customers.\n" };
  await using app = await createTestApp("sqlite", { files, canTryChores: true });
  const admin = await browse(app, app.key);
  const overview = async () => (await admin.get("/harbor-docs")).text;
  expect(steps(await overview())).toEqual([
    "todo: Publish the site",
    "todo: Audit the docs",
    "todo: Choose a language model",
    "todo: Run a job and merge its pull request",
    "todo: Invite your team",
  ]);
  await app.deployments.watch.look(app.project.id);
  await makePerson(app, { role: "editor" });
  await vi.waitFor(async () => expect(await overview()).toContain("Looked over 1 page: 1 flaw found."), 20_000);
  await admin.post("/harbor-docs/jobs", { prompt: "Say hello." });
  await app.carryOut({ files: { "hello.md": "# Hello\n" } });
  expect(await overview()).toContain("See the job</a>, and merge its pull request.");
  await admin.post("/harbor-docs/pull/1/merge", {});
  expect(steps(await overview())).toEqual([
    "done: Publish the site",
    "done: Audit the docs",
    "todo: Choose a language model",
    "done: Run a job and merge its pull request",
    "done: Invite your team",
  ]);
});

it("is dismissed by an admin, for everyone", async () => {
  await using app = await createTestApp("sqlite");
  const admin = await browse(app, app.key);
  expect((await admin.get("/harbor-docs")).text).toContain("First steps");
  expect(await admin.post("/harbor-docs/first-steps/dismiss", {})).toMatchObject({ status: 303, location: "/harbor-docs" });
  expect((await admin.get("/harbor-docs")).text).not.toContain("First steps");
}); // oxfmt-ignore

it("says to push where the repository is empty", async () => {
  await using app = await createTestApp("sqlite");
  const empty = await app.makeProject("Empty docs");
  const admin = await browse(app, await app.makeKey(empty));
  const { text } = await admin.get("/empty-docs");
  expect(text).toContain("Push the docs, as shown below.");
  expect(text).toContain("use a personal access token with the scope <code>write</code>, or an <a href=\"/empty-docs/keys\">API key</a> with it"); // oxfmt-ignore
});
