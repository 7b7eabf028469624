import { expect, it } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

const BARE = "There is nothing here, or this key may not see it.";
const ASKS_FOR_ID = "Use the project's ID here (`prj_…`), not its name. The API keys page of the project shows it.";

async function ask(app: TestApp, path: string, given: { key: string | null; method?: string }) {
  const { key, method = "GET" } = given;
  const headers = { "Content-Type": "application/json", ...(key !== null && { Authorization: `Bearer ${key}` }) };
  const request = new Request(`http://localhost:4000${path}`, { method, headers, ...(method === "POST" && { body: "{}" }) }); // oxfmt-ignore
  const answer = await app.app.fetch(request, { peerAddress: "127.0.0.1" });
  const { error, code } = (await answer.json()) as { error: string; code: string };
  return [answer.status, code, error];
}

it("asks for a project ID when a name is given, whether or not a project has that name", async () => {
  await using app = await createTestApp("sqlite");
  const other = await app.makeProject("Other");
  for (const key of [app.key, await app.instanceKey()]) {
    for (const slug of [app.project.slug, other.slug, "nobodys"]) {
      for (const [path, method] of [
        [`/v2/agent/${slug}/jobs`, "GET"],
        [`/v2/project/${slug}`, "GET"],
        [`/v1/analytics/${slug}/visitors`, "GET"],
        [`/mcp?project=${slug}`, "POST"],
        [`/ingest/${slug}`, "POST"],
      ] as const) {
        expect([path, await ask(app, path, { key, method })]).toEqual([path, [404, "not_found", ASKS_FOR_ID]]);
      }
    }
  }
});

it("returns the same 404 for every unknown ID", async () => {
  await using app = await createTestApp("sqlite");
  const other = await app.makeProject("Other");
  for (const path of [
    `/v2/project/${other.id}`,
    "/v2/project/prj_nowhere",
    `/v2/agent/${app.project.id}/job/harbor-docs`,
    "/v1/project/update-status/harbor-docs",
  ]) {
    expect([path, await ask(app, path, { key: app.key })]).toEqual([path, [404, "not_found", BARE]]);
  }
});

it("requires a key before anything else", async () => {
  await using app = await createTestApp("sqlite");
  expect((await ask(app, `/v2/project/${app.project.slug}`, { key: null }))[0]).toBe(401);
});
