import { expect, it } from "vitest";
import { createTestApp } from "#testing/test-app.ts";

interface Operation {
  operationId: string;
  responses: Record<
    string,
    { headers?: Record<string, unknown>; content?: Record<string, { schema?: { $ref?: string } }> }
  >;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
}

it("every list of the document says that it links its next page", async () => {
  await using app = await createTestApp("sqlite");
  const { paths, components } = (await (await app.openPath("/openapi.json")).json()) as Document;
  const lists = Object.values(paths).flatMap(({ get }) => {
    const good = get?.responses["200"];
    const name = good?.content?.["application/json"]?.schema?.$ref?.split("/").at(-1) ?? "";
    const { nextCursor, hasMore } = components.schemas[name]?.properties ?? {};
    return get && (nextCursor ?? hasMore) !== undefined
      ? [{ id: get.operationId, links: "Link" in (good?.headers ?? {}) }]
      : [];
  });
  expect(lists.length).toBeGreaterThan(8);
  expect(lists.filter(({ links }) => !links)).toEqual([]);
});

it("a list is read to its end by its links alone, each thing once", async () => {
  await using app = await createTestApp("sqlite");
  for (const number of [1, 2, 3]) {
    const { json } = await app.call("POST", "/job", { body: { prompt: `Fix link ${number}.` } });
    await app.call("POST", "/webhooks", { body: { url: `http://127.0.0.1:9/${number}` } });
    await app.call("POST", "/automations", {
      body: { name: `A${number}`, prompt: "Fix links.", trigger: { kind: "api" } },
    });
    expect(json.id).toMatch(/^job_/);
  }
  const { jobs } = (await app.call("GET", "/jobs?limit=1")).json;
  const lists = { "/jobs?limit=1&status=active": "jobs", "/webhooks?limit=2": "webhooks", "/automations?limit=1": "automations", [`/job/${jobs[0]!.id}/events?limit=1`]: "events" }; // oxfmt-ignore
  for (const [first, field] of Object.entries(lists)) {
    const seen: unknown[] = [];
    let at: string | null = first;
    for (let pages = 0; at !== null; pages++) {
      expect([field, pages < 5]).toEqual([field, true]);
      const { json, headers } = await app.call("GET", at);
      seen.push(
        ...(json as unknown as Record<string, { id?: string; seq?: number }[]>)[field]!.map(({ id, seq }) => id ?? seq),
      );
      const query = /^<(\?[^>]+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
      at = query === undefined ? null : first.replace(/\?.*/, "") + query;
    }
    expect([field, seen.length, new Set(seen).size]).toEqual([
      field,
      field === "events" ? 2 : 3,
      field === "events" ? 2 : 3,
    ]);
  }
});

it("a stream that has nothing more ends who connects again: 204, while the job is at rest", async () => {
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
