import { expect, it } from "vitest";
import { saveSettings } from "#features/projects/projects.ts";
import { ENGINES } from "#testing/databases.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { userAgents } from "#testing/views.ts";

const ERASED = "198.51.100.77";
const OTHER = "192.0.2.1";

interface Answer {
  status: number;
  json: { visitors: number; views: number; notReached: string[]; snippet: string; totals: { human: number } };
  text: string;
  isReplay: boolean;
}

async function ask(
  app: TestApp,
  method: string,
  path: string,
  { body, headers, key = app.key }: { body?: object; headers?: Record<string, string>; key?: string } = {},
): Promise<Answer> {
  const request = new Request(`http://localhost:4000${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body && { "Content-Type": "application/json" }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const response = await app.app.fetch(request, { peerAddress: "127.0.0.1" });
  const text = await response.text();
  const isReplay = response.headers.get("idempotent-replayed") === "true";
  return { status: response.status, json: JSON.parse(text) as Answer["json"], text, isReplay };
}

async function view(app: TestApp, address: string, ...paths: string[]) {
  const views = paths.map((path) => ({ event_id: `${address} ${path}`, path, address, userAgent: userAgents.chrome }));
  expect((await ask(app, "POST", `/v1/analytics/${app.project.id}/views`, { body: { views } })).status).toBe(200);
}

it.each(ENGINES)("erases the readers of an address over HTTP, including those in the journal, on %s", async (engine) => {
  await using app = await createTestApp(engine);
  const erasures = `/v2/project/${app.project.id}/erasures`;
  await view(app, ERASED, "/", "/theirs");
  await view(app, OTHER, "/");
  const body = { address: ERASED };
  const erased = await ask(app, "POST", erasures, { body, headers: { "Idempotency-Key": "k" } });
  expect(erased).toMatchObject({
    status: 200,
    json: { address: ERASED, visitors: 1, views: 2, days: 1, feedback: 0, damagedFiles: null },
  });
  expect(erased.json.notReached.join("\n")).toMatch(/unused space[^]*could not be read[^]*backups/);
  const visitors = await ask(app, "GET", `/v1/analytics/${app.project.id}/visitors`);
  expect(visitors.json.totals.human).toBe(1);
  expect(visitors.text).not.toContain("/theirs");

  const again = await ask(app, "POST", erasures, { body, headers: { "Idempotency-Key": "k" } });
  expect(again).toEqual({ ...erased, isReplay: true });
  // The stored outcome does not contain the address.
  const kept = await app.database.kysely.selectFrom("idempotency_key").selectAll().execute();
  expect(JSON.stringify(kept)).not.toContain(ERASED);
  expect((await ask(app, "POST", erasures, { body })).json).toMatchObject({ visitors: 0, views: 0 });
}); // oxfmt-ignore

it("an erasure leaves what other projects store about the address", async () => {
  await using app = await createTestApp("sqlite");
  await view(app, ERASED, "/");
  const other = await app.makeProject("Other docs");
  const key = await app.makeKey(other);
  const body = { address: ERASED };
  const erased = await ask(app, "POST", `/v2/project/${other.id}/erasures`, { body, key });
  expect(erased.json).toMatchObject({ visitors: 0, views: 0, damagedFiles: null });
  expect((await ask(app, "GET", `/v1/analytics/${app.project.id}/visitors`)).json.totals.human).toBe(1);
  // An instance-wide key also covers the instance's files.
  const wide = await ask(app, "POST", `/v2/project/${other.id}/erasures`, { body, key: await app.instanceKey() });
  expect(wide.json).toMatchObject({ damagedFiles: 0 });
});

it("refuses an invalid address, and mentions cookies where they identify readers", async () => {
  await using app = await createTestApp("sqlite");
  const erasures = `/v2/project/${app.project.id}/erasures`;
  for (const body of [{}, { address: "" }, { address: "example.com" }, { address: "1.2.3" }, { address: 5 }, { address: OTHER, cookies: "x" }, { address: OTHER, unheardOf: 1 }]) {
    expect([body, (await ask(app, "POST", erasures, { body })).status]).toEqual([body, 400]);
  } // oxfmt-ignore
  await saveSettings(app, app.project, { analytics: { identity: "cookie" } });
  const erasedText = async (more: object) =>
    (await ask(app, "POST", erasures, { body: { address: "2001:db8:1:2:3::4", ...more } })).text;
  expect(await erasedText({})).toMatch(/"address":"2001:db8:1:2::\/64".*known by a cookie/);
  expect(await erasedText({ cookies: ["q3v0cVt2S7mB1xY9"] })).not.toContain("known by a cookie");
});

it("carries out at most 60 erasures an hour for a project", async () => {
  await using app = await createTestApp("sqlite");
  const now = new Date();
  app.time.now = now;
  const erase = (body: object) => ask(app, "POST", `/v2/project/${app.project.id}/erasures`, { body });
  await erase({ address: OTHER });
  // As after 59 more: see `sliding-window.ts`.
  await app.database.kysely
    .updateTable("rate_limit")
    .set({ calls: 100_000_000_060 })
    .where("bucket", "=", "erasures")
    .execute();
  expect((await erase({ address: OTHER })).status).toBe(429);
});

it("the script for other sites sends to the project, and lists the allowed origins", async () => {
  await using app = await createTestApp("sqlite");
  await saveSettings(app, app.project, { analytics: { allowedOrigins: ["https://docs.example.com"] } });
  const { json } = await ask(app, "GET", `/v2/project/${app.project.id}/analytics-snippet`);
  expect(json).toMatchObject({ allowedOrigins: ["https://docs.example.com"] });
  expect(json.snippet).toContain(`"http://localhost:4000/ingest/${app.project.id}"`);
});
