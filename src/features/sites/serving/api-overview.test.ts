import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestSite, type TestSite } from "#testing/site.ts";

const PETS_YAML = `openapi: 3.1.0
info: { title: Pets & friends, version: "4.2", description: "All about **pets**.\\n\\n## Limits\\nNone." }
servers: [{ url: https://api.pets.example, description: Live }]
security: [{ token: [] }]
paths:
  /pets: { get: { tags: [Pets], summary: List pets, description: Every one., responses: {} } }
  /quiet: { get: { tags: [Pets], summary: Quiet one, x-hidden: true, responses: {} } }
  /inner: { get: { tags: [Pets], summary: Inner one, x-excluded: true, responses: {} } }
  /staff: { get: { tags: [Pets], summary: For staff, x-internal: true, responses: {} } }
  /keys: { post: { tags: [Admin], summary: Add a key, responses: {} } }
  /rings: { post: { tags: [Admin], summary: "Add [many] keys", responses: {} } }
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
`;

let site: TestSite;

beforeAll(async () => {
  site = await createTestSite({
    "docs.json": JSON.stringify({
      name: "Pets",
      navigation: {
        tabs: [
          { tab: "Guides", groups: [{ group: "A", pages: ["index"] }] },
          { tab: "API", openapi: { source: "pets.yaml", directory: "api" } },
          { tab: "Again", openapi: { source: "pets.yaml", directory: "own" } },
        ],
      },
    }),
    "index.md": "# Home\n",
    "own.md": "# The own page\n",
    "pets.yaml": PETS_YAML,
  });
});
afterAll(() => site[Symbol.asyncDispose]());

const text = async (path: string) => (await site.request(path)).text();

it("shows the API as a whole at the address of its section's folder", async () => {
  const response = await site.request("/api");
  expect(response.status).toBe(200);
  const page = await response.text();
  expect(page).toContain("<title>Pets &amp; friends · Pets</title>");
  expect(page).toContain("<code>4.2</code>");
  expect(page).toContain('<p class="site-lead">All about pets.</p>');
  expect(page).toContain("<p>None.</p>");
  expect(page).toContain("<code>https://api.pets.example</code> Live");
  expect(page).toContain('<h2 id="authorization">');
  expect(page).toContain('<a href="/api/pets/list-pets">List pets</a><p>Every one.</p>');
  expect(page).toContain('<h2 id="admin">');
  expect(page).toContain('<a href="/api/admin/add-a-key">Add a key</a>');
});

it("lists exactly the operations in the navigation", async () => {
  const page = await text("/api");
  expect(page).not.toContain("Quiet one");
  expect(page).not.toContain("Inner one");
});

it("contains no operation that its author marks as internal", async () => {
  expect(await text("/api")).not.toContain("For staff");
  expect((await site.request("/api/pets/for-staff")).status).toBe(404);
});

it("escapes titles with brackets in the links of its Markdown", async () => {
  expect(await text("/api.md")).toContain("- POST [Add \\[many\\] keys](/api/admin/add-%5Bmany%5D-keys)");
});

it("has the same content as Markdown and in llms.txt, the sitemap and the tab", async () => {
  expect(await text("/api.md")).toContain("- GET [List pets](/api/pets/list-pets): Every one.");
  expect(await text("/llms.txt")).toContain("/api.md");
  expect(await text("/sitemap.xml")).toMatch(/<loc>[^<]*\/api<\/loc>/);
  expect(await text("/api/pets/list-pets")).toContain('<a href="/api" aria-current="true">API</a>');
});

it("leaves the address to a page of the repository", async () => {
  const page = await text("/own");
  expect(page).toContain("own page");
  expect(page).not.toContain("4.2");
});
