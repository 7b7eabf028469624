import { expect, it } from "vitest";
import { createTestSite } from "#testing/site.ts";

it("a site with only one API has its overview at the root, and its operations below", async () => {
  await using site = await createTestSite({
    "docs.json": JSON.stringify({
      name: "Harbor",
      navigation: { groups: [{ group: "API", openapi: { source: "api.json", directory: "/" } }] },
    }),
    "api.json": JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Harbor API", version: "1" },
      paths: { "/ships": { get: { summary: "List ships", tags: ["Ships"], responses: {} } } },
    }),
  });
  const root = await site.request("/");
  expect([root.status, await root.text()]).toEqual([200, expect.stringContaining("Harbor API")]);
  expect((await site.request("/ships/list-ships")).status).toBe(200);
});
