import { expect, it } from "vitest";
import { createTestApp } from "#testing/test-app.ts";

it("the former address of a run still works, and says since when it is deprecated and until when it works", async () => {
  await using app = await createTestApp("sqlite");
  const made = { name: "Links", prompt: "Fix links.", trigger: { kind: "api" } };
  const { json } = await app.call("POST", "/automations", { body: made });
  const now = await app.call("POST", `/automations/${json.id}/run`);
  expect([now.status, now.headers.get("deprecation"), now.headers.get("sunset")]).toEqual([200, null, null]);
  const { id } = (await app.call("POST", "/automations", { body: made })).json;
  const former = await app.call("POST", `/automation/${id}/run`);
  expect([former.status, former.json.status]).toEqual([200, "active"]);
  expect(former.headers.get("deprecation")).toBe("@1795478400");
  expect(former.headers.get("sunset")).toBe("Wed, 24 Nov 2027 00:00:00 GMT");
  const missing = await app.call("POST", "/automation/aut_none/run");
  expect([missing.status, missing.headers.get("deprecation")]).toEqual([404, "@1795478400"]);
});

it("the document marks exactly the operations as deprecated that say so in their responses", async () => {
  await using app = await createTestApp("sqlite");
  const { paths } = (await (await app.openPath("/openapi.json")).json()) as {
    paths: Record<string, Record<string, { deprecated?: boolean }>>;
  };
  const marked = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { deprecated }]) => (deprecated ? [`${method} ${path}`] : [])),
  );
  expect(marked.toSorted()).toEqual([
    "get /v1/agent/{projectId}/job/{id}",
    "get /v1/agent/{projectId}/jobs",
    "post /v2/agent/{projectId}/automation/{id}/run",
  ]);
});
