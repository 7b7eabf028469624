import { expect, it } from "vitest";
import { ENGINES } from "#testing/databases.ts";
import { makePerson } from "#testing/people.ts";
import { createTestApp } from "#testing/test-app.ts";

it.each(ENGINES)("lists, sets and removes members over HTTP, and records the caller, on %s", async (engine) => {
  await using app = await createTestApp(engine);
  const ada = await makePerson(app, { role: "viewer" });
  const ben = await makePerson(app, {});
  const ask = async (method: string, path: string, body?: object) => {
    const init = {
      method,
      headers: { authorization: `Bearer ${app.key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    };
    const request = new Request(`http://localhost:4000/v2/project/${app.project.id}${path}`, init);
    const response = await app.app.fetch(request, { peerAddress: "127.0.0.1" });
    return { status: response.status, json: response.status === 204 ? null : ((await response.json()) as unknown) };
  };
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
