import { expect, it } from "vitest";
import { insertTestSource } from "#testing/sources.ts";
import { createTestApp } from "#testing/test-app.ts";
import { type InterfaceDocument, readInterface } from "#test/support/contract/described-interface.ts";

const FILES = { "a.ts": "a\n" };

it("every documented list declares the link to its next page", async () => {
  await using app = await createTestApp("sqlite");
  const document = (await (await app.openPath("/openapi.json")).json()) as InterfaceDocument;
  const { operations, resolve } = readInterface(document);
  const lists = operations.flatMap(({ id, method, responses: { 200: good } }) => {
    const { nextCursor, hasMore } = resolve(good?.content?.["application/json"]?.schema ?? {}).properties ?? {};
    return method === "GET" && (nextCursor ?? hasMore) !== undefined
      ? [{ id, links: "Link" in (good?.headers ?? {}) }]
      : [];
  });
  expect(lists.length).toBeGreaterThan(8);
  expect(lists.filter(({ links }) => !links)).toEqual([]);
});

it("every list can be read to its end by its links, each item once", async () => {
  await using app = await createTestApp("sqlite");
  for (const number of [1, 2, 3]) {
    const { json } = await app.call("POST", "/job", { body: { prompt: `Fix link ${number}.` } });
    await app.call("POST", "/webhooks", { body: { url: `http://127.0.0.1:9/${number}` } });
    await app.call("POST", "/automations", {
      body: { name: `A${number}`, prompt: "Fix links.", trigger: { kind: "api" } },
    });
    expect(json.id).toMatch(/^job_/);
  }
  const ofProject = { project: `../project/${app.project.id}` }; // beside `/v2/agent/`
  const ofInstance = { project: "../instance", key: await app.instanceKey() };
  for (const name of ["Two", "Three"]) {
    await app.call("POST", "/keys", { ...ofProject, body: { name, scope: "read" } });
    await app.call("POST", "/keys", { ...ofInstance, body: { name, scope: "read" } });
  }
  for (const name of ["api", "api-2", "cli"])
    await insertTestSource(app, { projectId: app.project.id, name, files: FILES });
  for (const title of ["One", "Two", "Three"]) {
    await app.pushCommit("main", { "index.md": `# ${title}\n` });
    await app.deployments.watch.look(app.project.id);
  }
  const { jobs } = (await app.call("GET", "/jobs?limit=1")).json;
  const { automations } = (await app.call("GET", "/automations")).json as unknown as { automations: { id: string }[] };
  const runs = `/automations/${automations[0]!.id}/run`;
  for (const _ of [1, 2]) expect((await app.call("POST", runs)).status).toBe(200);

  const lists: [first: string, field: string, entries: number, of?: object][] = [
    ["/jobs?limit=1&status=active", "jobs", 4], // the second run goes on with the first one's job
    ["/webhooks?limit=2", "webhooks", 3],
    ["/automations?limit=1", "automations", 3],
    [`/job/${jobs[0]!.id}/events?limit=1`, "events", 2],
    [`${runs}s?limit=1`, "runs", 2],
    ["/keys?limit=1", "keys", 3, ofProject],
    ["/keys?limit=2", "keys", 3, ofInstance],
    ["/sources?limit=1", "sources", 3, ofProject],
    ["/deployments?limit=1", "deployments", 3, ofProject],
  ];
  for (const [first, field, entries, of] of lists) {
    const seen: unknown[] = [];
    let at: string | null = first;
    for (let pages = 0; at !== null; pages++) {
      expect([field, pages < 6]).toEqual([field, true]);
      const { json, headers } = await app.call("GET", at, of);
      const page = (json as unknown as Record<string, { id?: string; seq?: number; number?: number }[]>)[field]!;
      seen.push(...page.map(({ id, seq, number }) => id ?? seq ?? number));
      const query = /^<(\?[^>]+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
      // The body says the same.
      expect(new URLSearchParams(query ?? "").get("cursor")).toBe(json.nextCursor);
      at = query === undefined ? null : first.replace(/\?.*/, "") + query;
    }
    expect([first, seen.length, new Set(seen).size]).toEqual([first, entries, entries]);
    const wrong = await app.call("GET", `${first}&cursor=x.y`, of);
    expect([first, wrong.status, wrong.json]).toMatchObject([first, 400, { details: [{ path: "cursor" }] }]);
  }
});

it("a stream without further events returns 204 to a client that reconnects, while the job is inactive", async () => {
  await using app = await createTestApp("sqlite");
  const { json } = await app.call("POST", "/job", { body: { prompt: "Fix links." } });
  const connect = async (seen: string) => {
    const response = await app.open("GET", `/job/${json.id}/stream`, { headers: { "Last-Event-ID": seen } });
    await response.body?.cancel();
    return response.status;
  };
  expect(await connect("2")).toBe(200); // it is active
  await app.carryOut({});
  const { events } = (await app.call("GET", `/job/${json.id}/events`)).json;
  const last = events.at(-1)!.seq;
  expect([await connect(String(last)), await connect(String(last - 1)), await connect("1")]).toEqual([204, 200, 200]);
});
