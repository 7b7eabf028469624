import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createContentProcess } from "#docs/render/process/content-process.ts";
import { silentLogger } from "#lib/logger.ts";
import { pageSections } from "#features/sites/search/page-sections.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";

const PETS_YAML = `openapi: 3.1.0
info: { title: Pets, version: "1" }
servers:
  - url: https://api.pets.example/v1
security:
  - token: []
paths:
  /pets:
    get:
      tags: [Pets]
      summary: List pets
      description: |
        Answers with **all** pets.

        ## Paging
        Ask for the next page.
      parameters:
        - name: limit
          in: query
          description: How many at once.
          schema: { type: integer, minimum: 1, maximum: 100, default: 20 }
        - $ref: "./parts.yaml#/parameters/Trace"
      responses:
        "200":
          description: A page of pets.
          headers:
            X-Next: { description: Where to go on., schema: { type: string } }
          content:
            application/json:
              schema:
                type: array
                items: { $ref: "./parts.yaml#/schemas/Pet" }
        default:
          description: What went wrong.
          content:
            application/problem+json:
              schema: { $ref: "#/components/schemas/Problem" }
    post:
      tags: [Pets]
      summary: Add a pet
      deprecated: true
      requestBody:
        required: true
        content:
          application/json:
            schema:
              oneOf:
                - $ref: "#/components/schemas/Cat"
                - $ref: "#/components/schemas/Dog"
          application/x-www-form-urlencoded:
            schema: { type: object, properties: { name: { type: string } } }
      responses:
        "201": { description: Added. }
  /pets/{petId}:
    parameters:
      - { name: petId, in: path, required: true, schema: { type: string, format: uuid } }
    delete:
      tags: [Admin]
      summary: Remove a pet
      responses: { "204": { description: Gone. } }
  /inner:
    get: { summary: Not for readers, x-excluded: true, responses: {} }
  /quiet:
    get:
      summary: Quiet one
      x-hidden: true
      servers: [{ url: https://quiet.pets.example }]
      security: []
      responses: {}
webhooks:
  petBorn:
    post:
      summary: A pet was born
      requestBody:
        content:
          application/json:
            schema: { $ref: "./parts.yaml#/schemas/Pet" }
      responses: { "200": { description: Thank you. } }
components:
  securitySchemes:
    token: { type: http, scheme: bearer, description: A token of the dashboard. }
  schemas:
    Problem: { type: object, properties: { title: { type: string } } }
    Animal:
      type: object
      required: [name]
      properties:
        name: { type: string, minLength: 1, example: Misty }
    Cat:
      allOf:
        - $ref: "#/components/schemas/Animal"
        - type: object
          properties:
            lives: { type: integer, default: 9 }
    Dog:
      allOf:
        - $ref: "#/components/schemas/Animal"
        - type: object
          properties:
            size: { type: string, enum: [small, large] }
`;

const PARTS_YAML = `parameters:
  Trace: { name: X-Trace, in: header, schema: { type: string } }
schemas:
  Pet:
    type: object
    required: [id]
    properties:
      id: { type: string, format: uuid, readOnly: true }
      mood: { type: [string, "null"], enum: [calm, wild, null] }
      children:
        type: array
        items: { $ref: "#/schemas/Pet" }
`;

const SHOP_JSON = JSON.stringify({
  swagger: "2.0",
  info: { title: "Shop", version: "2" },
  host: "shop.example",
  basePath: "/v2",
  schemes: ["https"],
  paths: {
    "/orders": {
      post: {
        summary: "Place an order",
        consumes: ["application/json"],
        produces: ["application/json"],
        parameters: [
          { name: "order", in: "body", required: true, schema: { $ref: "#/definitions/Order" } },
          { name: "dry", in: "query", type: "boolean" },
        ],
        responses: { 200: { description: "Placed.", schema: { $ref: "#/definitions/Order" } } },
      },
    },
  },
  definitions: { Order: { type: "object", properties: { items: { type: "integer", "x-nullable": true } } } },
});

const OLD_JSON = JSON.stringify({
  openapi: "3.0.3",
  info: { title: "Old", version: "1" },
  servers: [{ url: "https://{region}.old.example", variables: { region: { default: "eu" } } }],
  paths: {
    "/things": {
      get: {
        operationId: "listThings",
        parameters: [
          { name: "after", in: "query", schema: { type: "string", nullable: true, exclusiveMinimum: true } },
        ],
        responses: { 200: { description: "Things." } },
      },
    },
  },
});

const FILES = {
  "docs.json": JSON.stringify({
    name: "Pets",
    navigation: {
      tabs: [
        { tab: "Guides", groups: [{ group: "Start", pages: ["index", "by-hand", "named", "with-file", "old"] }] },
        { tab: "API", openapi: "api/pets.yaml" },
        {
          tab: "Shop",
          openapi: { source: "shop.json", directory: "shop" },
          groups: [
            {
              group: "Orders",
              pages: ["POST /orders", "api/pets.yaml DELETE /pets/{petId}", "api/pets.yaml GET /inner", "GET /nowhere"],
            },
          ],
        },
        { tab: "Old", groups: [{ group: "Things", openapi: ["old.json"] }] },
      ],
    },
  }),
  "index.md": "# Welcome\n",
  "by-hand.mdx":
    '---\ntitle: By hand\napi: "GET https://hand.example/users/{id}"\n---\n\n<ParamField path="id" type="string" required>Which user.</ParamField>\n',
  "named.mdx": '---\nopenapi: "GET /pets"\n---\n\nWords of the **author**.\n',
  "with-file.mdx": '---\ntitle: Own title\nopenapi: "shop.json POST /orders"\n---\n',
  "old.mdx": '---\nopenapi: "/old.json get /things"\n---\n',
  "api/pets.yaml": PETS_YAML,
  "api/parts.yaml": PARTS_YAML,
  "shop.json": SHOP_JSON,
  "old.json": OLD_JSON,
};

let site: TestSite;

beforeAll(async () => {
  site = await createTestSite(FILES);
});
afterAll(() => site[Symbol.asyncDispose]());

async function html(path: string): Promise<string> {
  const response = await site.request(path);
  expect(response.status).toBe(200);
  return response.text();
}

async function markdown(path: string): Promise<string> {
  return (await site.request(path, { headers: { accept: "text/markdown" } })).text();
}

describe("the page of an operation", () => {
  it("shows method, address, authorization, parameters, and each response", async () => {
    const page = await html("/named");
    expect(page).toContain("<title>List pets · Pets</title>");
    expect(page).toContain('<span class="api-method" data-method="get">GET</span>');
    expect(page).toContain(
      '<span class="api-base">https://api.pets.example/v1</span><span class="api-path">/pets</span>',
    );
    expect(page).toContain("Words of the <strong>author</strong>.");
    expect(page).toContain("A token of the dashboard.");
    expect(page).toContain('<code class="field-name">limit</code>');
    expect(page).toContain("default <code>20</code>");
    expect(page).toContain("maximum <code>100</code>");
    expect(page).toContain('<code class="field-name">X-Trace</code>');
    expect(page).toMatch(/<summary class="api-response-head"><span class="api-status" data-status="2">200<\/span>/);
    expect(page).toContain("application/problem+json");
    expect(page).toContain('<code class="field-name">X-Next</code>');
  });

  it("expands nested schemas, and marks recursive ones", async () => {
    const page = await html("/named");
    expect(page).toContain('<span class="field-type">object[]</span> <span class="field-note">Pet</span>');
    expect(page).toContain("The same again: Pet.");
    expect(page).toContain("enum&lt;string&gt; | null");
    expect(page).toContain("<code>calm</code> <code>wild</code>");
  });

  it("has code in ten languages and an example of each response, without a script", async () => {
    const page = await html("/named");
    for (const name of ["cURL", "JavaScript", "Python", "Go", "PHP", "Ruby", "Java", "C#", "Rust", "Kotlin"]) {
      expect(page).toContain(`>${name}</label>`);
    }
    expect(page).toContain("https://api.pets.example/v1/pets");
    expect(page).toMatch(/Bearer &lt;token&gt;/);
    expect(page).toContain("3c90c3cc-0d44-4b50-8888-8dd25736052a");
  });

  it("merges the parts of an allOf and shows every variant", async () => {
    const page = await html("/api-reference/pets/add-a-pet");
    expect(page).toContain("One of these");
    expect(page).toMatch(/<summary>Cat <span class="field-type">object<\/span><\/summary>/);
    expect(page).toContain('<code class="field-name">lives</code>');
    expect(page).toContain("<code>small</code> <code>large</code>");
    expect(page).toContain("This operation is deprecated.");
    expect(page).toContain("application/x-www-form-urlencoded");
  });

  it("reads Swagger 2.0 and OpenAPI 3.0", async () => {
    const shop = await html("/with-file");
    expect(shop).toContain("<title>Own title · Pets</title>");
    expect(shop).toContain('<span class="api-base">https://shop.example/v2</span>');
    expect(shop).toContain('<code class="field-name">dry</code>');
    expect(shop).toContain('<code class="field-name">items</code>');
    const old = await html("/old");
    expect(old).toContain('<span class="api-base">https://eu.old.example</span>');
    expect(old).toContain("string | null");
  });

  it("uses the front matter alone when a page contains method and address itself", async () => {
    const page = await html("/by-hand");
    expect(page).toContain(
      '<span class="api-base">https://hand.example</span><span class="api-path">/users/<b>{id}</b>',
    );
    expect(page).toContain("Which user.");
    expect(page).toContain(">cURL</label>");
  });

  it("prefers the operation's own server to those of the document", async () => {
    expect(await html("/api-reference/quiet-one")).toContain(
      '<span class="api-base">https://quiet.pets.example</span>',
    );
  });

  it("asks for no token when the operation needs none, whatever the document's default", async () => {
    expect(await html("/api-reference/quiet-one")).not.toContain("A token of the dashboard.");
  });

  it("shows a webhook with its payload", async () => {
    const page = await html("/api-reference/a-pet-was-born");
    expect(page).toContain('data-method="webhook">WEBHOOK</span>');
    expect(page).toContain("Payload");
    expect(page).toContain('<code class="field-name">mood</code>');
  });
});

describe("the navigation", () => {
  it("has a page for each operation of a section that names only an API description, by tag", async () => {
    const page = await html("/api-reference/pets/list-pets");
    expect(page).toContain("<summary>Pets");
    expect(page).toContain("<summary>Admin");
    expect(page).toContain(
      '<a href="/api-reference/pets/list-pets" aria-current="page"><span class="site-method" data-method="get">GET</span> List pets</a>',
    );
    expect(page).toContain('href="/api-reference/admin/remove-a-pet"');
    expect(page).not.toContain("Not for readers");
    expect(page).not.toContain("Quiet one");
    await html("/api-reference/quiet-one");
    expect((await site.request("/api-reference/not-for-readers")).status).toBe(404);
  });

  it("accepts entries of method and path, in the folder that the section names", async () => {
    const page = await html("/shop/place-an-order");
    expect(page).toContain('<span class="api-base">https://shop.example/v2</span>');
    expect(page).toContain('href="/shop/admin/remove-a-pet"');
    expect(page).not.toContain("nowhere");
  });

  it("has no page for an excluded operation, even if an entry names it", async () => {
    expect(await html("/shop/place-an-order")).not.toContain("Not for readers");
    expect((await site.request("/shop/not-for-readers")).status).toBe(404);
  });

  it("lists the operations of a group without groups of their own", async () => {
    const page = await html("/api-reference/get-things");
    expect(page).toContain("<summary>Things");
    expect(page).toContain("</span> listThings</a>");
  });
});

describe("for agents", () => {
  it("has the same facts as Markdown", async () => {
    const text = await markdown("/named");
    expect(text).toBe(await (await site.request("/named.md")).text());
    expect(text).toMatch(/^# List pets\n/);
    expect(text).toContain("Words of the **author**.");
    expect(text).toContain("`GET https://api.pets.example/v1/pets`");
    expect(text).toContain("- `limit` (`integer`): How many at once. default `20`, minimum `1`, maximum `100`.");
    expect(text).toContain("- `mood` (`enum<string> | null`)");
    expect(text).toContain("### 200");
    expect(text).toContain("```bash\ncurl ");
  });

  it("lists the pages in llms.txt and in the sitemap", async () => {
    const llms = await (await site.request("/llms.txt")).text();
    expect(llms).toContain("- [List pets](http://harbor.localhost:4000/api-reference/pets/list-pets.md)");
    expect(await (await site.request("/sitemap.xml")).text()).toContain("/api-reference/admin/remove-a-pet</loc>");
    expect(await (await site.request("/llms-full.txt")).text()).toContain(
      "`DELETE https://api.pets.example/v1/pets/{petId}`",
    );
  });
});

it("finds an API description without its extension, and reads one that violates YAML's rules", async () => {
  const description = `openapi: 3.0.0
info: { title: A, version: "1" }
paths:
  /a:
    get:
      summary: First
      responses:
        "200":
          description: ok
          content:
            application/json:
              example: [
                { id: 1 },
              ]
`;
  await using site = await createTestSite({
    "docs.json": JSON.stringify({
      name: "A",
      api: { openapi: ["specs/public-v3.yaml"] },
      navigation: {
        pages: [
          "one",
          "two",
          { group: "", pages: ["deep/three", "deep/readme"] },
          { group: "G", openapi: "other", pages: ["GET /a"] },
        ],
      },
    }),
    "specs/public-v3.yaml": description,
    "other.yml": description.replace("First", "Second"),
    "one.mdx": '---\ntitle: One\nopenapi: "public-v3 GET /a"\n---\n',
    "deep/three.mdx": '---\ntitle: Three\nopenapi: "../specs/public-v3.yaml GET /a"\n---\n',
    "deep/index.mdx": "---\ntitle: Deep\n---\n",
    "deep/readme.mdx": "---\ntitle: Read me\n---\n",
    "two.mdx": '---\ntitle: Two\nopenapi: "other GET /a"\n---\n',
  });
  for (const route of ["/one", "/two", "/deep/three", "/api-reference/second"]) {
    expect(await (await site.request(route)).text()).toContain('class="api-path"');
  }
  const navigation = await (await site.request("/one")).text();
  expect(navigation).toContain('href="/deep/readme"');
  expect(navigation).not.toMatch(/<summary>(?:<span[^<>]*><\/span>)?<svg/);
});

it("excludes the form and the code in ten languages from the search", async () => {
  await using content = createContentProcess({ logger: silentLogger, processes: 1 });
  const document = {
    openapi: "3.1.0",
    servers: [{ url: "https://a.example" }],
    paths: { "/x": { get: { parameters: [{ name: "limit", in: "query", description: "How many." }] } } },
  };
  const page = await content.render({
    path: "x.md",
    source: "",
    format: "md",
    operation: { documentKey: "k", method: "GET", path: "/x", languages: [], hasPlayground: true },
    readDocument: () => Promise.resolve(JSON.stringify(document)),
    readInclude: () => Promise.resolve(null),
  });
  expect(page.html).toContain("data-playground");
  expect(pageSections(page, null).map(({ heading, text, reference }) => `${heading}: ${text}${reference}`)).toEqual([
    ": GET https://a.example/x",
    "Query parameters: limit string\nHow many.",
  ]);
});
