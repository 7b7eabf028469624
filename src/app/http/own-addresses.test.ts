import { expect, it } from "vitest";
import { RESERVED_SLUGS, slugFor } from "#features/projects/project.ts";
import { createTestApp } from "#testing/test-app.ts";

it("no project can have a path of the server as its slug", async () => {
  await using app = await createTestApp("sqlite");
  const first = app.app.routes.flatMap(({ path }) => /^\/([a-z0-9][a-z0-9-]*)(?:\/|$)/.exec(path)?.[1] ?? []);
  expect(new Set(first).size).toBeGreaterThan(10);
  expect([...new Set(first)].filter((slug) => !RESERVED_SLUGS.has(slug))).toEqual([]);
  for (const slug of first) expect(() => slugFor(slug)).toThrow(`"${slug}" is an address of the server itself.`);

  const asked = { project: "../projects", key: await app.instanceKey() };
  for (const body of [
    { name: "Discovery" },
    { name: "Docs", slug: "discovery" },
    { name: "Docs", slug: "reference" },
  ]) {
    const answer = await app.open("POST", "", { ...asked, body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "invalid", details: [{ path: "slug" }] });
  }
});

it.each(["discovery", "mcp"])(
  "a project with the name %s from before the server reserved it still works",
  async (slug) => {
    await using app = await createTestApp("sqlite");
    await app.database.kysely.updateTable("project").set({ slug }).where("id", "=", app.project.id).execute();
    const send = (path: string, init: RequestInit) =>
      app.app.fetch(new Request(`http://localhost:4000${path}`, init), { peerAddress: "127.0.0.1" });
    const signedIn = await send("/sign-in", { method: "POST", body: new URLSearchParams({ key: app.key }) });
    const cookie = signedIn.headers.get("set-cookie")!.replace(/;.*/, "");
    const look = (path: string) => send(path, { headers: { cookie, accept: "text/html" } });
    for (const path of [`/${slug}`, `/${slug}/pulls`, `/${slug}/jobs`]) {
      const answer = await look(path);
      expect([path, answer.status]).toEqual([path, 200]);
    }
    const missing = await look("/discovery/v1/nothing/x");
    expect([missing.status, missing.headers.get("content-type")]).toEqual([404, "application/json"]);
  },
);
