import { expect, it } from "vitest";
import { readSiteAccess, setSiteAccess } from "#features/projects/site-access.ts";
import { ENGINES } from "#testing/databases.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

interface LinkJson {
  url: string;
  token: string;
  expiresAt: string;
  code: string;
}

async function ask(app: TestApp, method: string, at: string, more: { body?: object; idempotencyKey?: string } = {}) {
  const { body, idempotencyKey } = more;
  const answer = await app.call(method, at, {
    project: `../project/${app.project.id}`, // not below `/v2/agent/`
    ...(body && { body }),
    ...(idempotencyKey !== undefined && { headers: { "Idempotency-Key": idempotencyKey } }),
  });
  return { ...answer, json: JSON.parse(answer.text || "{}") as LinkJson };
}

/** Whether the gate of the site accepts a token. */
async function opens(app: TestApp, { token }: LinkJson): Promise<boolean> {
  const { id } = app.project;
  const { version } = await readSiteAccess(app.database.kysely, id);
  return app.siteTokens.read({ id, version }, token, ["link"]) !== null;
}

it.each(ENGINES)("links to a private site can be created over HTTP, and revoked all at once, on %s", async (engine) => {
  await using app = await createTestApp(engine, { now: new Date("2026-11-20T12:00:00Z") });
  expect(await ask(app, "POST", "/site-links", { body: {} })).toMatchObject({
    status: 409,
    json: { code: "conflict" },
  });
  await setSiteAccess(app, app.project.id, { mode: "links" });
  const body = { path: "/guides/setup", expiresInSeconds: 3_600 };
  const made = await ask(app, "POST", "/site-links", { body, idempotencyKey: "k" });
  expect(made).toMatchObject({ status: 201, json: { expiresAt: "2026-11-20T13:00:00.000Z" } });
  expect(made.headers.get("cache-control")).toBe("no-store");
  const { host, pathname, searchParams } = new URL(made.json.url);
  expect([host, pathname, searchParams.get("access")]).toEqual([
    "harbor-docs.localhost:4000",
    "/guides/setup",
    made.json.token,
  ]);
  expect(await opens(app, made.json)).toBe(true);
  const usual = await ask(app, "POST", "/site-links", { body: {} });
  expect(usual.json.expiresAt).toBe("2026-11-27T12:00:00.000Z");

  // A repeated request gets the same link, though no link is stored.
  app.time.now = new Date("2026-11-20T12:10:00Z");
  expect((await ask(app, "POST", "/site-links", { body, idempotencyKey: "k" })).json).toEqual(made.json);
  const kept = JSON.stringify(await app.database.kysely.selectFrom("idempotency_key").selectAll().execute());
  expect(kept).not.toContain(made.json.token.split(".").at(-1));

  expect((await ask(app, "DELETE", "/site-sessions")).status).toBe(204);
  expect([await opens(app, made.json), await opens(app, usual.json)]).toEqual([false, false]);
  expect((await readSiteAccess(app.database.kysely, app.project.id)).mode).toBe("links");
  expect(await ask(app, "POST", "/site-links", { body, idempotencyKey: "k" })).toMatchObject({ status: 409 });
});

it("refuses invalid paths and times", async () => {
  await using app = await createTestApp("sqlite");
  await setSiteAccess(app, app.project.id, { mode: "links" });
  for (const body of [
    { path: "guides" },
    { path: "//evil.example" },
    { path: "/\\evil.example" },
    { path: `/${"x".repeat(1_000)}` },
    { expiresInSeconds: 59 },
    { expiresInSeconds: 366 * 86_400 + 1 },
    { expiresInSeconds: 90.5 },
    { days: 7 },
  ]) {
    expect([body, (await ask(app, "POST", "/site-links", { body })).status]).toEqual([body, 400]);
  }
});

it("readers who were signed out stay signed out even if the password is changed at the same time", async () => {
  await using app = await createTestApp("sqlite");
  const secret = { mode: "password", password: "long enough" };
  const change = { project: `../project/${app.project.id}`, body: { access: secret } };
  await Promise.all([app.call("PATCH", "", change), ask(app, "DELETE", "/site-sessions")]);
  expect(await readSiteAccess(app.database.kysely, app.project.id)).toMatchObject({ mode: "password", version: 2 });
});
