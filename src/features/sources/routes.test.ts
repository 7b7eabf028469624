import { expect, it, onTestFinished } from "vitest";
import { ENGINES } from "#testing/databases.ts";
import { startSourceHost } from "#testing/hosts/source-host.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

interface SourceJson {
  id: string;
  name: string;
  trouble: string | null;
  code: string;
  error: string;
  sources: { id: string; name: string }[];
}

async function open(engine: (typeof ENGINES)[number]) {
  const app = await createTestApp(engine);
  onTestFinished(() => app[Symbol.asyncDispose]());
  const host = await startSourceHost({ "src/server.ts": "export const port = 4000;\n" });
  onTestFinished(() => host[Symbol.asyncDispose]());
  return { app, host, ask: asker(app) };
}

const asker =
  (app: TestApp) =>
  async (method: string, at = "", body?: object) => {
    const answer = await app.call(method, `/sources${at}`, {
      project: `../project/${app.project.id}`, // relative to `/v2/agent/`
      ...(body && { body }),
    });
    return { ...answer, json: JSON.parse(answer.text || "{}") as SourceJson };
  };

it.each(ENGINES)("sources can be added, read, given another token and removed over HTTP, on %s", async (engine) => {
  const { app, host, ask } = await open(engine);
  const body = { name: "api", url: host.server.url, token: host.token, host: "github" };
  const added = await ask("POST", "", body);
  expect([added.status, added.text]).toEqual([201, expect.not.stringContaining(host.token)]);
  const { id } = added.json;
  expect(added.json).toEqual({
    id,
    name: "api",
    host: "github",
    url: host.server.url,
    branch: "main",
    syncedAt: expect.any(String) as string,
    trouble: null,
  });
  expect(added.headers.get("location")).toBe(`/v2/project/${app.project.id}/sources/${id}`);
  const read = await ask("GET", `/${id}`);
  expect([read.status, read.json]).toEqual([200, added.json]);
  expect((await ask("GET")).json).toEqual({ sources: [added.json], nextCursor: null });
  const sealed = await app.database.kysely.selectFrom("source").select("sealed_token").executeTakeFirstOrThrow();
  expect(JSON.stringify(sealed)).not.toContain(host.token);

  expect(await ask("POST", "", body)).toMatchObject({ status: 409, json: { code: "conflict" } });
  expect(await ask("POST", `/${id}/token`, { token: "wrong-token-0123" })).toMatchObject({
    status: 403,
    json: { code: "forbidden", error: expect.stringContaining("refused the token") as string },
  });
  host.server.state.readers.add("another-reader-0123456789");
  const replaced = await ask("POST", `/${id}/token`, { token: "another-reader-0123456789" });
  expect(replaced).toMatchObject({ status: 200, json: { id, trouble: null } });
  expect(replaced.text).not.toContain("another-reader");

  expect((await ask("DELETE", `/${id}`)).status).toBe(204);
  for (const [method, at] of [["GET", `/${id}`], ["DELETE", `/${id}`], ["POST", `/${id}/token`]] as const) {
    const answer = await ask(method, at, method === "POST" ? { token: "x" } : undefined);
    expect([method, at, answer.status]).toEqual([method, at, 404]);
  }
  expect((await ask("GET")).json.sources).toEqual([]);
}); // oxfmt-ignore

it("an invalid source is rejected, and leaves nothing behind", async () => {
  const { app, host, ask } = await open("sqlite");
  const body = { name: "api", url: host.server.url, token: host.token, host: "github" };
  const refused: [change: object, status: number][] = [
    [{ name: "The API" }, 400],
    [{ url: "file:///etc" }, 400],
    [{ url: "https://someone:secret@example.com/a/b" }, 400],
    [{ url: "http://169.254.169.254/latest/meta-data" }, 403],
    [{ host: "sourceforge" }, 400],
    [{ branch: "gone" }, 404],
    [{ token: "wrong-token-0123" }, 403],
    [{ token: undefined }, 403],
    [{ unheardOf: 1 }, 400],
  ];
  for (const [change, status] of refused) {
    const answer = await ask("POST", "", { ...body, ...change });
    expect([change, answer.status, answer.text.includes("secret@")]).toEqual([change, status, false]);
  }
  expect((await ask("GET")).json.sources).toEqual([]);
  expect(await app.database.kysely.selectFrom("source").select("id").execute()).toEqual([]);
});
