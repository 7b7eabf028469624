import { expect, it } from "vitest";
import { BOTH_ENGINES } from "#testing/databases.ts";
import { createTestApp } from "#testing/test-app.ts";

const HOOK = { url: "http://127.0.0.1:9/hook" };

it("sends an ETag with every read, and 304 to a client that has it until something changes", async () => {
  await using app = await createTestApp("sqlite");
  const { json } = await app.call("POST", "/webhooks", { body: HOOK });
  for (const path of ["/webhooks", `/webhooks/${json.id}`, "/jobs", "/automations"]) {
    const first = await app.open("GET", path);
    const etag = first.headers.get("etag")!;
    expect([path, first.headers.get("cache-control")]).toEqual([path, "private, no-cache"]);
    const again = await app.open("GET", path, { headers: { "If-None-Match": `"other", ${etag}` } });
    expect([path, again.status, again.headers.get("etag"), await again.text()]).toEqual([path, 304, etag, ""]);
    expect(again.headers.get("content-type")).toBeNull();
  }
  const before = await app.open("GET", "/webhooks");
  await app.call("PATCH", `/webhooks/${json.id}`, { body: { description: "Other" } });
  const headers = { "If-None-Match": before.headers.get("etag")! };
  expect((await app.open("GET", "/webhooks", { headers })).status).toBe(200);
});

it("forbids caching of the responses to writes, and of errors", async () => {
  await using app = await createTestApp("sqlite");
  const made = await app.call("POST", "/webhooks", { body: HOOK });
  const gone = await app.call("DELETE", `/webhooks/${made.json.id}`);
  const missing = await app.call("GET", `/webhooks/${made.json.id}`);
  const locked = await app.open("GET", "/webhooks", { headers: { Authorization: "Bearer none" } });
  for (const { headers } of [made, gone, missing, locked]) expect(headers.get("cache-control")).toBe("no-store");
  expect(missing.headers.get("etag")).toBeNull();
});

const KINDS = {
  webhooks: { made: HOOK, change: (n: number) => ({ description: `By ${n}` }) },
  automations: {
    made: { name: "Links", prompt: "Fix links.", trigger: { kind: "api" } },
    change: (n: number) => ({ name: `By ${n}` }),
  },
};

for (const engine of BOTH_ENGINES) {
  for (const [kind, { made, change }] of Object.entries(KINDS)) {
    it(`applies one of two concurrent changes of ${kind} that were based on the same read (${engine})`, async () => {
      await using app = await createTestApp(engine);
      const { json } = await app.call("POST", `/${kind}`, { body: made });
      const at = `/${kind}/${json.id}`;
      const etag = (await app.open("GET", at)).headers.get("etag")!;
      const headers = { "If-Match": etag };
      const answers = await Promise.all(
        [1, 2, 3, 4].map((number) => app.call("PATCH", at, { body: change(number), headers })),
      );
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 412, 412, 412]);
      const refused = answers.find(({ status }) => status === 412)!;
      expect(refused.json).toMatchObject({ code: "precondition_failed", details: [{ path: "If-Match" }] });
      const now = (await app.open("GET", at)).headers.get("etag")!;
      expect(answers.find(({ status }) => status === 200)!.headers.get("etag")).toBe(now);
      expect((await app.call("DELETE", at, { headers })).status).toBe(412);
      expect((await app.call("DELETE", at, { headers: { "If-Match": `W/${now}` } })).status).toBe(412);
      expect((await app.call("PATCH", at, { body: change(5) })).status).toBe(200);
      expect((await app.call("DELETE", at, { headers: { "If-Match": "*" } })).status).toBe(204);
      expect((await app.call("DELETE", at, { headers })).status).toBe(404);
    });
  }
}
