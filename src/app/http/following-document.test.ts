import { expect, test } from "vitest";
import { createTestApp } from "#testing/test-app.ts";

test("the document describes streams, webhooks and automations, and other methods are rejected", async () => {
  await using app = await createTestApp("sqlite");
  const response = await app.openPath("/openapi.json");
  const document = (await response.json()) as { paths: Record<string, Record<string, { parameters?: object[] }>> };
  const paths = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  );
  const base = "/v2/agent/{projectId}";
  expect(paths).toEqual(
    expect.arrayContaining([
      `get ${base}/jobs`,
      `post ${base}/job/{id}/archive`,
      `post ${base}/job/{id}/unarchive`,
      `delete ${base}/job/{id}`,
      `get ${base}/job/{id}/events`,
      `get ${base}/job/{id}/stream`,
      `get ${base}/job/{id}/diff`,
      `post ${base}/webhooks`,
      `patch ${base}/webhooks/{id}`,
      `post ${base}/webhooks/{id}/rotate`,
      `post ${base}/webhooks/{id}/deliveries/{deliveryId}/redeliver`,
      `post ${base}/automations`,
      `post ${base}/automation/{id}/run`,
    ]),
  );
  expect(document.paths[`${base}/jobs`]!["get"]!.parameters).toContainEqual(
    expect.objectContaining({
      name: "limit",
      in: "query",
      required: false,
      schema: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "Number of results per page." },
    }),
  );
  const refused = await app.call("PUT", "/jobs");
  expect({ status: refused.status, allow: refused.headers.get("allow") }).toEqual({ status: 405, allow: "GET, HEAD" });
});
