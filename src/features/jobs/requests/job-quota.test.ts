import { describe, expect, it } from "vitest";
import { browse } from "#testing/browsing.ts";
import { BOTH_ENGINES } from "#testing/databases.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

const BODY = { prompt: "Fix the links." };

/** Changes the quotas of the project with a key of the instance. */
async function setQuotas(app: TestApp, quotas: object | null, key?: string) {
  const request = new Request(`http://localhost:4000/v2/project/${app.project.id}`, {
    method: "PATCH",
    headers: { Authorization: `Bearer ${key ?? (await app.instanceKey())}`, "Content-Type": "application/json" },
    body: JSON.stringify({ settings: { quotas } }),
  });
  const answer = await app.app.fetch(request, { peerAddress: "127.0.0.1" });
  return { status: answer.status, json: (await answer.json()) as { error: string; settings: object } };
}

describe.each(BOTH_ENGINES)("the quota of jobs on %s", (engine) => {
  it("refuses the next job of a day and names the quota, its value and who can raise it", async () => {
    await using app = await createTestApp(engine, { now: new Date("2026-11-20T21:00:00Z") });
    expect((await setQuotas(app, { jobsPerDay: 3 })).status).toBe(200);
    const all = await Promise.all(Array.from({ length: 5 }, () => app.call("POST", "/job", { body: BODY })));
    expect(all.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 201, 201, 429, 429]);
    const refused = await app.call("POST", "/job", { body: BODY });
    expect([refused.json.code, refused.json.error, refused.headers.get("retry-after")]).toEqual([
      "rate_limited",
      `This project has created 3 jobs today, which is its quota (jobsPerDay). It takes new ones from 00:00 UTC. An owner of the server can raise it: docent projects set harbor-docs quotas '{"jobsPerDay": N}'.`,
      "10800",
    ]);
    const { text } = await (await browse(app, app.key)).get("/harbor-docs");
    expect(text).toContain('<dd>3 of 3</dd> <progress value="3" max="3"');
    await setQuotas(app, { jobsPerDay: 4 });
    const last = await app.call("POST", "/job", { body: BODY });
    expect(last.status).toBe(201);
    expect((await app.call("POST", `/job/${last.json.id}/message`, { body: BODY })).status).toBe(200);
    app.time.now = new Date("2026-11-21T00:00:00Z");
    expect((await app.call("POST", "/job", { body: BODY })).status).toBe(201);
  });
});

it("only the instance can change the quotas of a project, one field at a time", async () => {
  await using app = await createTestApp("sqlite");
  expect(await setQuotas(app, { jobsPerDay: 500 }, app.key)).toMatchObject({
    status: 403,
    json: { error: "Quotas of a project are set by an owner of the server, or with a key of the instance." },
  });
  await setQuotas(app, { jobsPerDay: 5 });
  const both = await setQuotas(app, { storageMb: 200 });
  expect(both.json.settings).toMatchObject({ quotas: { jobsPerDay: 5, storageMb: 200 } });
  expect((await setQuotas(app, { jobsPerDay: 0 })).status).toBe(400);
  const page = await (await browse(app, app.key)).get("/harbor-docs/settings");
  expect(page.text).toContain("Owners of the server change quotas.");
  expect(page.text).not.toContain('name="settings.quotas.jobsPerDay"');
  const operator = await browse(app, await app.instanceKey());
  expect((await operator.get("/harbor-docs/settings")).text).toContain('name="settings.quotas.jobsPerDay"');
  const saved = await operator.post("/harbor-docs/settings/quotas", {
    "loaded.settings.quotas.jobsPerDay": "5",
    "settings.quotas.jobsPerDay": "",
    "loaded.settings.quotas.storageMb": "200",
    "settings.quotas.storageMb": "200",
  });
  expect(saved.status).toBe(303);
  expect((await setQuotas(app, {})).json.settings).toMatchObject({ quotas: { storageMb: 200 } });
});
