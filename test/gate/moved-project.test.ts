import path from "node:path";
import { expect, it } from "vitest";
import { createTestDirectory, git } from "#testing/repositories.ts";
import { createSiteClient } from "#test/support/site-client.ts";
import { startTestServer } from "#test/support/server.ts";

it("a project keeps its former slugs for readers and git, and rejects pushes while it is archived", async () => {
  await using server = await startTestServer({
    engine: "sqlite",
    files: { "index.md": "# Welcome\n", "a.md": "# A\n" },
  });
  await using folder = await createTestDirectory();
  const { project, key } = server.instance;
  const change = async (body: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const init = { method: "PATCH", headers, body: JSON.stringify(body) };
    return (await fetch(`${server.baseUrl}/v2/project/${project.id}`, init)).json();
  };
  expect(await change({ slug: "handbook" })).toMatchObject({ slug: "handbook", archivedAt: null });
  using former = createSiteClient(server);
  await expect
    .poll(async () => (await former.send("/a?x=1")).headers.location)
    .toBe(`http://handbook.localhost:${server.port}/a?x=1`);
  using now = createSiteClient({ port: server.port, instance: { project: { slug: "handbook" } } });
  expect((await now.send("/a")).text).toContain("A");

  const address = `${server.baseUrl.replace("//", `//x:${key}@`)}/git/${project.slug}.git`;
  await git(folder.path, "clone", "--quiet", address, "work");
  const work = path.join(folder.path, "work");
  await git(work, "commit", "--quiet", "--allow-empty", "--message", "One more");
  expect(await change({ archived: true })).toMatchObject({ archivedAt: expect.any(String) as string });
  await expect(git(work, "push", "--quiet", "origin", "HEAD")).rejects.toThrow("403");
  expect((await now.send("/a")).status).toBe(200);
  await change({ archived: false });
  await git(work, "push", "--quiet", "origin", "HEAD");
});
