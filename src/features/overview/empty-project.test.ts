import { expect, it } from "vitest";
import { browseAs, makePerson } from "#testing/people.ts";
import { createTestRepository, git } from "#testing/repositories.ts";
import { createTestApp } from "#testing/test-app.ts";

it("a project without commits explains how to push to it, until it has some", async () => {
  await using app = await createTestApp("sqlite");
  const project = await app.makeProject("Empty docs");
  const admin = await browseAs(app, await makePerson(app, { role: "admin", project }));
  const { text } = await admin.get("/empty-docs");
  expect(text).toContain("git remote add docent http");
  expect(text).toContain("/git/empty-docs.git git push docent HEAD:main<");
  expect(text).toContain('href="/empty-docs/keys"');
  expect(text).not.toContain("Create job");
  const viewer = await browseAs(app, await makePerson(app, { role: "viewer", project }));
  const seen = (await viewer.get("/empty-docs")).text;
  expect(seen).toContain("has no commits yet");
  expect(seen).not.toContain("git push");

  await using source = await createTestRepository({ "index.md": "# Hello\n" });
  await git(source.path, "push", "-q", app.repoStore.directory(project.id), "HEAD:main");
  const pushed = (await admin.get("/empty-docs")).text;
  expect(pushed).toContain("Create job");
  expect(pushed).not.toContain("git remote add");
});
