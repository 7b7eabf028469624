import { expect, it } from "vitest";
import { changeProject } from "#features/projects/change-project.ts";
import { findProjectBySlug } from "#features/projects/projects.ts";
import { ENGINES } from "#testing/databases.ts";
import { browseAs, makePerson } from "#testing/people.ts";
import { createTestApp } from "#testing/test-app.ts";

it.each(ENGINES)(
  "an archived project rejects work and is listed separately, until it is unarchived, on %s",
  async (engine) => {
    await using app = await createTestApp(engine);
    const admin = await browseAs(app, await makePerson(app, { role: "admin" }));
    await app.makeProject("Other docs");
    const job = (await app.call("POST", "/job", { body: { prompt: "Fix the broken links." } })).json;
    const weekly = {
      name: "Weekly",
      prompt: "Fix the broken links.",
      trigger: { kind: "schedule", cron: "0 6 * * 1" },
    };
    const automation = (await app.call("POST", "/automations", { body: weekly })).json;
    expect((await admin.get("/harbor-docs/automations")).text).toContain("Run now</button>");
    await admin.get("/harbor-docs/settings");
    expect((await admin.post("/harbor-docs/settings/archive", {})).location).toBe("/harbor-docs/settings?done=archive");
    const refused = await app.call("POST", "/job", { body: { prompt: "Fix the broken links." } });
    expect([refused.status, refused.json.code]).toEqual([409, "conflict"]);
    expect(refused.json.error).toContain("This project is archived");
    expect((await admin.get("/harbor-docs/jobs")).text).toContain("This project is archived. Its site stays up");
    for (const page of [
      "/harbor-docs",
      "/harbor-docs/jobs",
      "/harbor-docs/automations",
      `/harbor-docs/automations/${automation.id}`,
    ]) {
      const { text } = await admin.get(page);
      expect(text).toContain("Unarchive it");
      expect(text).not.toMatch(/Create job|Dry run|Run a chore<|Run now<\/button>|Next run: /);
    }
    expect((await admin.get(`/harbor-docs/jobs/${job.id}`)).text).toContain("An archived project takes no messages.");
    const list = await admin.get("/");
    expect(list.text).not.toContain(">Harbor docs<");
    expect(list.text).toContain("1 archived");
    expect((await admin.get("/?archived")).text).toContain(">Harbor docs<");
    await admin.get("/harbor-docs/settings");
    await admin.post("/harbor-docs/settings/unarchive", {});
    expect((await app.call("POST", "/job", { body: { prompt: "Fix the broken links." } })).status).toBe(201);
    expect((await admin.get("/")).text).toContain(">Harbor docs<");
  },
);

it("an archived project is cloned, and takes no push", async () => {
  await using app = await createTestApp("sqlite");
  expect((await app.call("PATCH", `/../../project/${app.project.id}`, { body: { archived: true } })).status).toBe(200);
  const headers = { Authorization: `Basic ${Buffer.from(`docent:${app.key}`).toString("base64")}` };
  const ask = async (service: string) => {
    const address = `http://localhost:4000/git/harbor-docs.git/info/refs?service=${service}`;
    return app.app.fetch(new Request(address, { headers }), { peerAddress: "127.0.0.1" });
  };
  expect((await ask("git-upload-pack")).status).toBe(200);
  const push = await ask("git-receive-pack");
  expect([push.status, await push.text()]).toEqual([403, expect.stringContaining("This project is archived")]);
});

it.each(ENGINES)("a former address redirects to its project and stays reserved, on %s", async (engine) => {
  await using app = await createTestApp(engine);
  const admin = await browseAs(app, await makePerson(app, { role: "admin" }));
  const change = (slug: string) => changeProject({ ...app, admitDomain: async () => undefined }, app.project, { slug });
  await change("handbook");
  expect(await admin.get("/harbor-docs/jobs?status=failed")).toMatchObject({
    status: 308,
    location: "/handbook/jobs?status=failed",
  });
  expect(await findProjectBySlug(app, "harbor-docs")).toMatchObject({ id: app.project.id, slug: "handbook" });
  await expect(app.makeProject("Harbor docs")).rejects.toMatchObject({ code: "conflict" });
  const other = await app.makeProject("Other docs");
  const taken = changeProject({ ...app, admitDomain: async () => undefined }, other, { slug: "harbor-docs" });
  await expect(taken).rejects.toMatchObject({ code: "conflict" });
  await expect(change("Not a slug")).rejects.toMatchObject({ code: "invalid", details: [{ path: "slug" }] });
  await expect(change("admin")).rejects.toMatchObject({ code: "invalid" });
  await change("harbor-docs");
  expect(await findProjectBySlug(app, "handbook")).toMatchObject({ slug: "harbor-docs" });
  for (let number = 1; number <= 9; number++) await change(`docs-${number}`);
  await expect(change("docs-10")).rejects.toThrow("at most 10 earlier addresses");
});

it("every page of a project redirects from a former address, for members and for readers of public pull requests", async () => {
  await using app = await createTestApp("sqlite");
  const { id: personId } = await makePerson(app, { role: "admin" });
  const member = (await app.signIn({ personId, address: "127.0.0.1", browser: "test" })).split(";")[0]!;
  const deps = { ...app, admitDomain: async () => undefined };
  await changeProject(deps, app.project, { slug: "handbook", settings: { publicPullRequests: true } });
  const send = (method: string, path: string, cookie: string) =>
    app.app.fetch(new Request(`http://localhost:4000/harbor-docs${path}`, { method, headers: { cookie } }), {
      peerAddress: "127.0.0.1",
    });
  const open = ["/pulls?state=merged", "/pull/5", "/pull/5/commits", "/pull/5/files?path=a.md", "/pull/5.diff"];
  const own = ["", "/jobs", "/analytics", "/analytics/feedback", "/settings", "/pull/5/preview"];
  const cases = [...[...open, ...own].map((path) => [path, member]), ...open.map((path) => [path, ""])];
  for (const [path, cookie] of cases as [string, string][]) {
    for (const method of ["GET", "HEAD"]) {
      const answer = await send(method, path, cookie);
      expect([method, path, answer.status, answer.headers.get("location")]).toEqual([
        method,
        path,
        308,
        `/handbook${path}`,
      ]);
    }
  }
});
