import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { dangersIn, MARKUP_VECTORS } from "#testing/page-dangers.ts";
import { openedOnce } from "#testing/opened-once.ts";
import { createTestSite } from "#testing/site.ts";

let contentProcess: ContentProcess;

beforeAll(() => {
  contentProcess = sharedContent();
});
afterAll(() => contentProcess[Symbol.asyncDispose]());

/** A site with a tab for each API description `api….json`, and the text of its pages. */
async function siteOf(files: Record<string, string>) {
  const descriptions = Object.keys(files).filter((file) => file.startsWith("api"));
  const config = {
    navigation: {
      tabs: [
        { tab: "Guides", groups: [{ group: "A", pages: ["index"] }] },
        ...descriptions.map((file) => ({ tab: file, openapi: { source: file, directory: file.replace(".json", "") } })),
      ],
    },
  };
  const site = await createTestSite(
    { "docs.json": JSON.stringify(config), "index.md": "# Home\n", ...files },
    { contentProcess },
  );
  const page = async (path: string) => {
    const response = await site.request(path);
    return {
      status: response.status,
      text: await response.text(),
      policy: response.headers.get("content-security-policy"),
    };
  };
  return { page, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
}

/** One site with a description for each case; the tests ask for the pages of their own. */
const sharedSite = (files: () => Record<string, string>) => openedOnce(() => siteOf(files()));

const documentOf = (operation: object, more: object = {}) =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/x": { get: { summary: "X", ...operation } } },
    ...more,
  });

describe("an invalid API description", () => {
  const texts: [what: string, text: string][] = [
    ["no JSON and no YAML", "a: [\n  b: }"],
    ["a list", "[1, 2]"],
    ["another version", '{"openapi": "9.0.0", "paths": {"/x": {"get": {}}}}'],
    [
      "aliases that multiply",
      `a0: &a0 [x, x]\n${Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]\n`).join("")}openapi: 3.1.0\n`,
    ],
    ["an alias of itself", "openapi: 3.1.0\npaths: &p\n  again: *p\n"],
    ["30,000 levels", `{"openapi":"3.1.0","paths":${"[".repeat(30_000)}${"]".repeat(30_000)}}`],
    ["30,000 levels of YAML", `openapi: 3.1.0\npaths: ${"[".repeat(30_000)}`],
    ["types of a language", "openapi: !!js/function 'function(){return 1}'\npaths: {}\n"],
    ["nothing", ""],
  ];
  const site = sharedSite(() => ({
    ...Object.fromEntries(texts.map(([, text], index) => [`api${index}.json`, text])),
    "api.json": documentOf({}),
  }));

  it.each(texts)("%s loses its own pages and shows readers nothing", async (what) => {
    const index = texts.findIndex(([name]) => name === what);
    const [home, other, own] = [
      await site().page("/"),
      await site().page("/api/x"),
      await site().page(`/api${index}/x`),
    ];
    expect([home.status, other.status, own.status]).toEqual([200, 200, 404]);
    expect(home.text).not.toContain(`api${index}.json`);
    expect(home.text).toContain("Home");
  });

  it("is too large at 20 MB", async () => {
    await using site = await siteOf({ "api.json": documentOf({ description: "x".repeat(20_000_000) }) });
    expect((await site.page("/")).status).toBe(200);
    expect((await site.page("/api/x")).status).toBe(404);
  });
});

describe("references", () => {
  const forbidden = [
    "file:///etc/passwd",
    "/etc/passwd",
    "../../../etc/passwd",
    "https://127.0.0.1:1/x.json",
    "//evil.example/x",
    ".env",
    "#/nowhere",
    "#/paths",
    "#",
  ];
  const documentWith = ($ref: string) => {
    const schema = { type: "object", properties: { a: { $ref }, b: { type: "string" } } };
    return documentOf({ responses: { 200: { description: "ok", content: { "application/json": { schema } } } } });
  };
  const site = sharedSite(() => ({
    ".env": "SECRET=1",
    ...Object.fromEntries(forbidden.map(($ref, index) => [`api${index}.json`, documentWith($ref)])),
  }));

  it.each(forbidden)("to %s are not followed, and the page still works", async (reference) => {
    const page = await site().page(`/api${forbidden.indexOf(reference)}/x`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<code class="field-name">b</code>');
    expect(page.text).not.toMatch(/SECRET|root:/);
  });

  it("to a file with credentials are not followed, not even for titles in the navigation", async () => {
    await using site = await siteOf({
      "credentials.json": JSON.stringify({ get: { summary: "SECRET" } }),
      "api.json": documentOf({}, { paths: { "/x": { get: { summary: "X" } }, "/y": { $ref: "credentials.json" } } }),
    });
    const page = await site.page("/api/x");
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("SECRET");
  });

  it("in cycles through files, schemas, parameters and paths end", async () => {
    const circles = {
      components: {
        schemas: {
          A: { allOf: [{ $ref: "#/components/schemas/B" }] },
          B: { allOf: [{ $ref: "#/components/schemas/A" }], properties: { a: { $ref: "#/components/schemas/A" } } },
          C: { $ref: "#/components/schemas/D" },
          D: { $ref: "#/components/schemas/C" },
          E: {
            anyOf: [{ $ref: "#/components/schemas/E" }, { type: "array", items: { $ref: "#/components/schemas/E" } }],
          },
        },
        parameters: { P: { $ref: "#/components/parameters/P" } },
      },
    };
    const schema = {
      type: "object",
      properties: Object.fromEntries("ABCDE".split("").map((name) => [name, { $ref: `#/components/schemas/${name}` }])),
    };
    await using site = await siteOf({
      "api.json": documentOf(
        {
          parameters: [{ $ref: "#/components/parameters/P" }, { $ref: "other.json#/p" }],
          requestBody: { content: { "application/json": { schema } } },
        },
        circles,
      ),
      "other.json": JSON.stringify({
        p: { name: "far", in: "query", schema: { $ref: "api.json#/components/schemas/A" } },
      }),
    });
    const page = await site.page("/api/x");
    expect(page.text).toContain('<code class="field-name">far</code>');
    expect(page.text).toContain("The same again: A.");
  });
});

describe("size", () => {
  it("of 5,000 operations is pages, each reachable", async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, n) => [
        `/things/${n}`,
        { get: { summary: "Same name", tags: ["Things"], responses: {} } },
      ]),
    );
    await using site = await siteOf({
      "api.json": JSON.stringify({ openapi: "3.0.0", info: { title: "T", version: "1" }, paths }),
    });
    expect((await site.page("/api/things/same-name")).text).toContain('<span class="api-path">/things/0</span>');
    expect((await site.page("/api/things/same-name-4999")).text).toContain(
      '<span class="api-path">/things/4999</span>',
    );
  });

  it("of a schema that grows with each level is one page", async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 30 }, (_, level) => [
        `L${level}`,
        {
          type: "object",
          properties: Object.fromEntries(
            Array.from({ length: 10 }, (_unused, n) => [`f${n}`, { $ref: `#/components/schemas/L${level + 1}` }]),
          ),
        },
      ]),
    );
    const body = { content: { "application/json": { schema: { $ref: "#/components/schemas/L0" } } } };
    await using site = await siteOf({
      "api.json": documentOf(
        { requestBody: body, responses: { 200: { description: "ok", ...body } } },
        { components: { schemas } },
      ),
    });
    const page = await site.page("/api/x");
    expect(page.text).toContain("More is in the OpenAPI document.");
    expect(page.text.length).toBeLessThan(2_000_000);
  });
});

describe("markup in every string", () => {
  const documentWith = (vector: string, href: string) => {
    const schema = {
      title: vector,
      description: vector,
      type: "object",
      format: vector,
      enum: [vector],
      default: vector,
      pattern: vector,
      properties: {
        [vector]: { type: vector, description: vector, example: vector, oneOf: [{ title: vector, const: vector }] },
      },
    };
    const content = {
      [vector]: { schema, example: vector, examples: { [vector]: { summary: vector, value: { [vector]: vector } } } },
      "application/json": { schema, example: { [vector]: vector } },
    };
    const operation = {
      summary: `X ${vector}`,
      "x-mint": { href },
      tags: [vector],
      description: vector,
      externalDocs: { url: vector, description: vector },
      parameters: ["path", "query", "header", "cookie"].map((place) => ({
        name: vector,
        in: place,
        required: true,
        description: vector,
        schema: { ...schema, type: "string" },
        example: vector,
      })),
      requestBody: { description: vector, content },
      responses: {
        200: { description: vector, headers: { [vector]: { schema, description: vector } }, content },
        [vector]: { description: vector },
      },
      "x-codeSamples": [{ lang: vector, label: vector, source: vector }],
      security: [{ [vector]: [vector] }],
    };
    return JSON.stringify({
      openapi: "3.1.0",
      info: { title: vector, version: vector },
      servers: [
        { url: vector, description: vector },
        { url: `https://a.example/${vector}` },
        { url: "https://b.example;script-src/" },
      ],
      paths: { [`/p${vector}`]: { get: operation } },
      components: {
        securitySchemes: { [vector]: { type: "apiKey", in: "header", name: vector, description: vector } },
      },
    });
  };
  const site = sharedSite(() =>
    Object.fromEntries(
      MARKUP_VECTORS.map((vector, index) => [`api${index}.json`, documentWith(vector, `/evil${index}`)]),
    ),
  );

  it.each(MARKUP_VECTORS)("%s stays text, and widens no policy", async (vector) => {
    const { status, text, policy } = await site().page(`/evil${MARKUP_VECTORS.indexOf(vector)}`);
    expect(status).toBe(200);
    expect(dangersIn(text)).toEqual([]);
    expect(policy?.split("; ").filter((part) => part.startsWith("script-src"))).toEqual(["script-src 'self'"]);
    expect(policy).toContain("connect-src 'self' https://a.example;");
    expect(policy).not.toContain("b.example");
  });
});
