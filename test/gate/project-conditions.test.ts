import { expect, it } from "vitest";
import { ENGINES } from "#testing/databases.ts";
import { createTestApp } from "#testing/test-app.ts";

it.each(ENGINES)("only one of several project updates with the same ETag succeeds (%s)", async (engine) => {
  await using app = await createTestApp(engine);
  const ask = async (method: string, more: { body?: object; ifMatch?: string; query?: string } = {}) => {
    const response = await app.open(method, more.query ?? "", {
      project: `../project/${app.project.id}`, // beside `/v2/agent/`
      ...(more.body && { body: more.body }),
      ...(more.ifMatch !== undefined && { headers: { "If-Match": more.ifMatch } }),
    });
    const text = await response.text();
    const body = JSON.parse(text || "{}") as { version: number; name: string; settings: { instructions: string } };
    return { status: response.status, etag: response.headers.get("etag"), body };
  };
  const read = await ask("GET");
  const change = (number: number) => ({ name: `By ${number}`, settings: { instructions: `Of ${number}.` } });

  const answers = await Promise.all(
    [1, 2, 3, 4].map((number) => ask("PATCH", { body: change(number), ifMatch: `"${read.body.version}"` })),
  );
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 412, 412, 412]);
  const made = answers.find(({ status }) => status === 200)!;
  const now = await ask("GET");
  expect(now.body).toEqual(made.body);
  expect(now.body.settings.instructions).toBe(`Of ${now.body.name.slice(3)}.`); // both of one caller
  expect(answers.find(({ status }) => status === 412)!.body).toMatchObject({
    code: "precondition_failed",
    details: [{ path: "If-Match" }],
  });

  expect((await ask("PATCH", { body: { name: "Late" }, ifMatch: read.etag! })).status).toBe(412);
  const next = await ask("PATCH", { body: { name: "Harbor handbook" }, ifMatch: now.etag! });
  expect([next.status, next.body.name]).toEqual([200, "Harbor handbook"]);
  const query = "?name=Harbor%20handbook";
  expect((await ask("DELETE", { query, ifMatch: `"${now.body.version}"` })).status).toBe(412);
  expect((await ask("GET")).body).toEqual(next.body);
  expect((await ask("DELETE", { query, ifMatch: `"${next.body.version}"` })).status).toBe(204);
});

it.each(ENGINES)("a partly invalid update changes nothing (%s)", async (engine) => {
  await using app = await createTestApp(engine);
  const other = await app.makeProject("Other docs");
  const key = await app.instanceKey();
  const change = async (project: string, body: object) =>
    app.open("PATCH", "", { project: `../project/${project}`, key, body });
  expect((await change(other.id, { domains: ["taken.example.com"] })).status).toBe(200);
  const wanted = { name: "New", domains: ["free.example.com", "taken.example.com"], access: { mode: "key" } };
  const answer = await change(app.project.id, wanted);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  const read = await app.open("GET", "", { project: `../project/${app.project.id}`, key });
  expect(await read.json()).toMatchObject({ name: "Harbor docs", domains: [], access: { mode: "public" } });
});

it.each(ENGINES)("only one of several updates of API hosts with the same ETag succeeds, and no other setting is lost (%s)", async (engine) => {
  await using app = await createTestApp(engine);
  const ask = async (method: string, at: string, body?: object, ifMatch?: string) => {
    const answer = await app.call(method, at, {
      project: `../project/${app.project.id}`,
      ...(body && { body }),
      ...(ifMatch !== undefined && { headers: { "If-Match": ifMatch } }),
    });
    const json = JSON.parse(answer.text || "{}") as { hosts: string[]; proxy: boolean; version: string; settings: object };
    return { status: answer.status, etag: answer.headers.get("etag"), json };
  };
  const at = "/api-addresses";
  const read = await ask("GET", at);
  const answers = await Promise.all(
    [1, 2, 3].map((number) => ask("PUT", at, { hosts: [`api-${number}.example.com`] }, read.etag!)),
  );
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 412, 412]);
  const made = answers.find(({ status }) => status === 200)!;
  const now = await ask("GET", at);
  expect([now.json, now.etag]).toEqual([made.json, made.etag]); // who made it goes on from its answer
  expect((await ask("PUT", at, { proxy: true }, `"${read.json.version}"`)).status).toBe(412);
  const next = await ask("PUT", at, { proxy: true }, `"${now.json.version}"`);
  expect([next.status, next.json.hosts, next.json.proxy]).toEqual([200, now.json.hosts, true]);
  expect(next.json.version).not.toBe(now.json.version);

  await Promise.all([ask("PUT", at, { hosts: [] }), ask("PATCH", "", { settings: { instructions: "Short." } })]);
  expect((await ask("GET", "")).json.settings).toEqual({ apiProxy: true, instructions: "Short." });
}); // oxfmt-ignore

it.each(ENGINES)("only one of several updates of the pin with the same ETag succeeds (%s)", async (engine) => {
  await using app = await createTestApp(engine);
  const ask = async (method: string, body?: object, ifMatch?: string) => {
    const answer = await app.call(method, "/pin", {
      project: `../project/${app.project.id}`,
      ...(body && { body }),
      ...(ifMatch !== undefined && { headers: { "If-Match": ifMatch } }),
    });
    const json = JSON.parse(answer.text || "{}") as { pin: { commit: string } | null };
    return { status: answer.status, etag: answer.headers.get("etag"), json };
  };
  const { id } = app.project;
  const first = (await app.repoStore.resolve(id, "refs/heads/main"))!;
  const second = await app.pushCommit("main", { "index.md": "# Changed\n" });
  const unpinned = await ask("GET");
  expect(unpinned.json).toEqual({ pin: null });
  const answers = await Promise.all([first, second].map((commit) => ask("POST", { commit }, unpinned.etag!)));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 412]);
  const now = await ask("GET");
  const pinned = now.json.pin!.commit;
  expect(pinned).toBe([first, second][answers.findIndex(({ status }) => status === 200)]);
  // The refused one left its reference nowhere: what is kept from deletion is what readers see.
  expect(await app.repoStore.resolve(id, "refs/docent/pinned")).toBe(pinned);

  expect((await ask("DELETE", undefined, unpinned.etag!)).status).toBe(412);
  expect((await ask("GET")).json.pin!.commit).toBe(pinned);
  expect((await ask("POST", { commit: second }, now.etag!)).status).toBe(200);
  expect((await ask("DELETE")).status).toBe(204);
  expect((await ask("GET")).json).toEqual({ pin: null });
});
