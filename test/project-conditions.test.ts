import { expect, it } from "vitest";
import { ENGINES } from "#testing/databases.ts";
import { createTestApp } from "#testing/test-app.ts";

it.each(ENGINES)("of changes of a project that were read alike, one is made (%s)", async (engine) => {
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

it.each(ENGINES)("a change of which a part is refused changes nothing (%s)", async (engine) => {
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
