import { expect, it } from "vitest";
import { ENGINES } from "#testing/databases.ts";
import { openBrowser } from "#testing/browsing.ts";
import { makePerson } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

/** Calls of `/v2/project/{projectId}`, or of another path and key. */
const askerOf =
  (app: TestApp, { base = `/v2/project/${app.project.id}`, key = app.key } = {}) =>
  async (method: string, path: string, body?: object) => {
    const init = {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    };
    const request = new Request(`http://localhost:4000${base}${path}`, init);
    const response = await app.app.fetch(request, { peerAddress: "127.0.0.1" });
    return { status: response.status, json: response.status === 204 ? null : ((await response.json()) as unknown) };
  };

it.each(ENGINES)("lists, sets and removes members over HTTP, and records the caller, on %s", async (engine) => {
  await using app = await createTestApp(engine);
  const ada = await makePerson(app, { role: "viewer" });
  const ben = await makePerson(app, {});
  const ask = askerOf(app);
  const set = await ask("PUT", "/members", { email: ben.email.toUpperCase(), role: "editor" });
  expect(set).toMatchObject({ status: 200, json: { id: ben.id, role: "editor", isOwner: false } });
  expect(await ask("PUT", "/members", { email: "nobody@example.com", role: "editor" })).toMatchObject({ status: 409 });
  expect(await ask("PUT", "/members", { email: ben.email, role: "king" })).toMatchObject({ status: 400 });
  const first = (await ask("GET", "/members?limit=1")).json as { members: { id: string }[]; nextCursor: string };
  const second = await ask("GET", `/members?limit=1&cursor=${first.nextCursor}`);
  // IDs of the same millisecond have no order.
  const ids = [ada.id, ben.id].toSorted();
  expect(first.members.map(({ id }) => id)).toEqual([ids[0]]);
  expect(second.json).toMatchObject({ members: [{ id: ids[1] }], nextCursor: null });
  expect((await ask("DELETE", `/members/${ben.id}`)).status).toBe(204);
  expect((await ask("DELETE", `/members/${ben.id}`)).status).toBe(404);
  const { events } = (await ask("GET", "/audit")).json as { events: object[] };
  expect(events.slice(0, 2)).toMatchObject([
    { action: "removeMember", actor: { kind: "key", name: "test" }, sentence: `removed a member: ${ben.name}` },
    { action: "setMember", sentence: `set a member's role: ${ben.name} is editor`, subject: `${ben.name} is editor` },
  ]);
});

it("invites a person by a link that works once, lists the invitation, and withdraws it", async () => {
  await using app = await createTestApp("sqlite");
  const ask = askerOf(app);
  const invite = (email: string) => ask("PUT", "/invitations", { email, role: "editor" });
  const first = (await invite("Grace@Example.com")).json as { id: string; url: string };
  expect(first).toMatchObject({ email: "grace@example.com", role: "editor", invitedBy: "test", isMailed: false });
  const again = (await invite("grace@example.com")).json as { id: string; url: string };
  const listed = await ask("GET", "/invitations");
  expect(listed.json).toEqual({ invitations: [expect.objectContaining({ id: again.id, role: "editor" })] });
  expect(JSON.stringify(listed.json)).not.toContain("/-/join/");
  const open = async (url: string) => (await openBrowser(app).get(new URL(url).pathname)).text.includes("grace@example.com"); // oxfmt-ignore
  expect([await open(first.url), await open(again.url)]).toEqual([false, true]);
  expect((await ask("DELETE", `/invitations/${again.id}`)).status).toBe(204);
  expect(await open(again.url)).toBe(false);
  expect((await ask("DELETE", `/invitations/${again.id}`)).status).toBe(404);
  expect((await invite((await makePerson(app, {})).email)).status).toBe(409);
});

it("filters the audit log, and lists that of the server with an instance key", async () => {
  await using app = await createTestApp("sqlite");
  app.time.now = new Date("2026-11-20T12:00:00Z");
  const ask = askerOf(app);
  await ask("PUT", "/invitations", { email: "grace@example.com", role: "editor" });
  app.time.now = new Date("2026-11-20T12:00:01Z");
  await app.call("POST", "/job", { body: { prompt: "Fix the links." } });
  const actionsOf = ({ json }: { json: unknown }) => (json as { events: { action: string }[] }).events.map(({ action }) => action); // oxfmt-ignore
  const list = async (query: string) => actionsOf(await ask("GET", `/audit?${query}`));
  expect(await list("")).toEqual(["createAgentJob", "inviteMember"]);
  expect(await list("action=invite")).toEqual(["inviteMember"]);
  expect(await list("kind=members-and-accounts")).toEqual(["inviteMember"]);
  expect(await list("actor=TES&from=2026-11-20&to=2026-11-20&limit=1")).toEqual(["createAgentJob"]);
  expect(await list("to=2026-11-19")).toEqual([]);
  expect((await ask("GET", "/audit?from=yesterday")).status).toBe(400);
  expect((await ask("GET", "/audit?actor=%00")).status).toBe(400);
  expect((await askerOf(app, { base: "/v2/instance" })("GET", "/audit")).status).toBe(403);
  const everything = askerOf(app, { base: "/v2/instance", key: await app.instanceKey() });
  expect((await everything("GET", "/audit?action=inviteMember")).json).toMatchObject({
    events: [{ action: "inviteMember", projectId: app.project.id, subject: "grace@example.com as editor" }],
  });
});
