import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHARACTERS, SHOWN } from "#docs/api/bounds.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";
import { readApiDocument } from "./read-document.ts";

const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));
const mapOf = (count: number, value: (index: number) => unknown) =>
  Object.fromEntries(many(count, (index) => [`n${index}`, value(index)] as const));
const mapValues = <Name extends string>(counts: Record<Name, number>, change: (count: number) => number) =>
  Object.fromEntries(Object.entries<number>(counts).map(([name, count]) => [name, change(count)])) as typeof counts;
const mark = (index: number) => `at-${index}-`;
const bodyOf = (schema: object, more: object = {}) => ({
  requestBody: { content: { "text/plain": { schema, ...more } } },
});
const responseOf = (more: object) => ({ responses: { 200: { description: "ok", ...more } } });
const fieldOf = (schema: object) =>
  responseOf({ content: { "text/plain": { schema: { properties: { a: schema } } } } });

/** Operations with one entry more than a page shows, which is marked by its number. */
const LISTS: Record<string, { most: number; operation: (count: number) => object }> = {
  parameters: {
    most: SHOWN.parameters,
    operation: (count) => ({ parameters: many(count, (index) => ({ name: mark(index), in: "query" })) }),
  },
  responses: {
    most: SHOWN.responses,
    operation: (count) => ({ responses: mapOf(count, (index) => ({ description: mark(index) })) }),
  },
  headers: {
    most: SHOWN.headers,
    operation: (count) => responseOf({ headers: mapOf(count, (index) => ({ description: mark(index) })) }),
  },
  content: {
    most: SHOWN.contents,
    operation: (count) => responseOf({ content: mapOf(count, (index) => ({ schema: { description: mark(index) } })) }),
  },
  examples: {
    most: SHOWN.examples,
    operation: (count) => bodyOf({}, { examples: mapOf(count, (index) => ({ summary: mark(index), value: 1 })) }),
  },
  servers: {
    most: SHOWN.servers,
    operation: (count) => ({ servers: many(count, (index) => ({ url: `https://${mark(index)}.example` })) }),
  },
  callbacks: {
    most: SHOWN.callbacks,
    operation: (count) => ({ callbacks: mapOf(count, (index) => ({ x: { post: { summary: mark(index) } } })) }),
  },
  enum: { most: SHOWN.choices, operation: (count) => bodyOf({ enum: many(count, mark) }) },
  oneOf: {
    most: SHOWN.variants,
    operation: (count) => bodyOf({ oneOf: many(count, (index) => ({ title: mark(index) })) }),
  },
  allOf: {
    most: SHOWN.parts,
    operation: (count) => bodyOf({ allOf: many(count, (index) => ({ properties: { [mark(index)]: {} } })) }),
  },
  security: {
    most: SHOWN.security,
    operation: (count) => ({ security: many(count, (index) => ({ [mark(index)]: [] })) }),
  },
  scopes: { most: SHOWN.scopes, operation: (count) => ({ security: [{ key: many(count, mark) }] }) },
  links: {
    most: SHOWN.links,
    operation: (count) => responseOf({ links: mapOf(count, (index) => ({ operationId: mark(index) })) }),
  },
  "x-codeSamples": {
    most: SHOWN.samples,
    operation: (count) => ({ "x-codeSamples": many(count, (index) => ({ lang: "text", source: mark(index) })) }),
  },
};
/** Operations with a text that is one character longer than a page shows. */
const TEXTS: Record<string, { most: number; operation: (text: string) => object }> = {
  description: { most: CHARACTERS.description, operation: (description) => ({ description }) },
  summary: { most: CHARACTERS.summary, operation: (summary) => ({ callbacks: { c: { x: { post: { summary } } } } }) },
  name: { most: CHARACTERS.name, operation: (name) => ({ parameters: [{ name, in: "query" }] }) },
  url: { most: CHARACTERS.url, operation: (url) => ({ externalDocs: { url, description: "x" } }) },
  source: { most: CHARACTERS.source, operation: (source) => ({ "x-codeSamples": [{ lang: "text", source }] }) },
  example: { most: CHARACTERS.example, operation: (example) => responseOf({ content: { "text/plain": { example } } }) },
  "example of a header": {
    most: CHARACTERS.example,
    operation: (example) => responseOf({ headers: { h: { example } } }),
  },
  "example of a field": { most: CHARACTERS.example, operation: (example) => fieldOf({ example }) },
  "examples of a field": { most: CHARACTERS.example, operation: (text) => fieldOf({ examples: [text] }) },
  pattern: { most: CHARACTERS.rule, operation: (pattern) => bodyOf({ type: "string", pattern }) },
  condition: { most: CHARACTERS.rule, operation: (text) => bodyOf({ if: text }) },
  "value of a link": {
    most: CHARACTERS.value,
    operation: (text) => responseOf({ links: { l: { operationId: "l", parameters: { p: text } } } }),
  },
  default: {
    most: CHARACTERS.value,
    operation: (text) => ({ parameters: [{ name: "p", in: "query", schema: { default: text } }] }),
  },
};
const textOf = (length: number) => `${"x".repeat(length - 4)}LAST`;

let site: TestSite;
const paths: Record<string, object> = {};
for (const [name, { most, operation }] of Object.entries(LISTS)) {
  paths[`/${name}`] = { get: { summary: name, ...operation(most + 1) } };
}
for (const [name, { most, operation }] of Object.entries(TEXTS)) {
  paths[`/whole-${name}`] = { get: { summary: `whole ${name}`, ...operation(textOf(most)) } };
  paths[`/${name}`] = { get: { summary: name, ...operation(textOf(most + 1)) } };
}

beforeAll(async () => {
  site = await createTestSite({
    "docs.json": JSON.stringify({
      name: "Limits",
      navigation: { groups: [{ group: "API", openapi: { source: "api.json", directory: "api" } }] },
    }),
    "api.json": documentOf(paths),
  });
});
afterAll(() => site[Symbol.asyncDispose]());

function documentOf(all: object, more: object = {}): string {
  return JSON.stringify({ openapi: "3.1.0", info: { title: "T", version: "1" }, paths: all, ...more }, null, 1);
}

async function problemsOf(document: string, files: Record<string, string> = {}) {
  const read = (path: string) => Promise.resolve(path === "api.json" ? document : (files[path] ?? null));
  const { problems } = await readApiDocument("api.json", read);
  return problems.map(({ path, line, message }) => `${path}:${line}: ${message}`);
}

const pageOf = async (name: string, ending = "") => {
  const response = await site.request(`/api/${name.toLowerCase().replaceAll(" ", "-")}${ending}`);
  expect(response.status).toBe(200);
  return response.text();
};

describe.each(Object.entries(LISTS))("of too many %s", (name, { most }) => {
  test("the report says how many the page shows", async () => {
    const securitySchemes = Object.fromEntries(["key", ...many(31, mark)].map((each) => [each, { type: "http" }]));
    const document = documentOf({ [`/${name}`]: paths[`/${name}`] }, { components: { securitySchemes } });
    const problems = await problemsOf(document);
    expect(problems).toEqual([
      expect.stringMatching(`^api\\.json:\\d+: Only the first ${most} of ${most + 1} .* are shown\\.$`),
    ]);
  });

  test.each(["", ".md"])("the page%s shows exactly these", async (ending) => {
    const page = await pageOf(name, ending);
    expect([page.includes(mark(most - 1)), page.includes(mark(most))]).toEqual([true, false]);
  });
});

describe.each(Object.entries(TEXTS))("of too long a %s", (name, { most }) => {
  test("the report says how much the page shows", async () => {
    expect(await problemsOf(documentOf({ "/whole": paths[`/whole-${name}`] }))).toEqual([]);
    expect(await problemsOf(documentOf({ "/long": paths[`/${name}`] }))).toEqual([
      expect.stringMatching(
        `^api\\.json:\\d+: Only the first ${most} of ${most + 1} characters of paths > /long > get > .* are shown\\.$`,
      ),
    ]);
  });

  test.each(["", ".md"])("the page%s shows exactly this", async (ending) => {
    const [whole, cut] = [await pageOf(`whole ${name}`, ending), await pageOf(name, ending)];
    expect([whole.includes("xLAST"), cut.includes("xLAST"), cut.includes("xLAS")]).toEqual([true, false, true]);
  });
});

test("components are counted where they are used, and the names of schema fields do not matter", async () => {
  const schemas = {
    ...mapOf(400, () => ({ type: "string" })),
    Large: { type: "object", properties: { parameters: { properties: mapOf(400, () => ({})) } } },
  };
  const components = {
    schemas,
    responses: mapOf(150, () => ({ description: "ok" })),
    examples: mapOf(150, () => ({})),
  };
  expect(await problemsOf(documentOf({}, { components }))).toEqual([]);
  const used = { components: { schemas: { Kind: { enum: many(501, String) } } } };
  expect(await problemsOf(documentOf({}, used))).toEqual([
    expect.stringContaining("components > schemas > Kind > enum"),
  ]);
});

const LONG = textOf(400);
const TOO_MANY = { type: "string", enum: many(501, String) };
describe("a name has its meaning only where the specification gives it one", () => {
  test.each<[string, object]>([
    ["a default response", { responses: { default: { description: LONG } } }],
    ["a default example", bodyOf({}, { examples: { default: { value: LONG } } })],
    ["a field `default`", bodyOf({ properties: { default: { description: LONG } } })],
    ["a field `parameters`", bodyOf({ properties: { parameters: { properties: mapOf(301, () => ({})) } } })],
    ["what a page shows as it is written", bodyOf({ if: TOO_MANY })],
    ["an example", bodyOf({}, { example: { oneOf: many(201, String) } })],
    ["examples of a schema", bodyOf({ examples: [{ oneOf: many(201, String) }] })],
  ])("%s is not taken for another part", async (_name, operation) => {
    expect(await problemsOf(documentOf({ "/a": { get: operation } }))).toEqual([]);
  });

  test.each<[string, object]>([
    ["a default response", { responses: { default: { description: "d", content: { "a/b": { schema: TOO_MANY } } } } }],
    ["a field `example`", bodyOf({ properties: { example: TOO_MANY } })],
    ["a field `responses`", bodyOf({ properties: { responses: { default: "a", ...TOO_MANY } } })],
    ["a field `x-kind`", bodyOf({ properties: { "x-kind": TOO_MANY } })],
    ["a header `x-kind`", responseOf({ headers: { "x-kind": { schema: TOO_MANY } } })],
  ])("limits below %s are reported", async (_name, operation) => {
    expect(await problemsOf(documentOf({ "/a": { get: operation } }))).toEqual([
      expect.stringMatching(/Only the first 500 of 501 entries of paths > \/a > get > .* > enum are shown\.$/),
    ]);
  });

  const GONE = { $ref: "#/components/schemas/Gone" };
  test.each<[string, object]>([
    ["a default response", { responses: { default: { description: "d", content: { "a/b": { schema: GONE } } } } }],
    ["a field `enum`", bodyOf({ properties: { enum: GONE } })],
    ["a named example", bodyOf({}, { examples: { default: GONE } })],
  ])("a broken reference below %s is reported", async (_name, operation) => {
    expect(await problemsOf(documentOf({ "/a": { get: operation } }))).toEqual([
      expect.stringContaining("$ref #/components/schemas/Gone points to nothing."),
    ]);
  });

  test("a $ref in an example or a default is data", async () => {
    const schema = { default: GONE, properties: { a: { enum: [GONE] } } };
    expect(await problemsOf(documentOf({ "/a": { get: bodyOf(schema, { example: GONE }) } }))).toEqual([]);
  });
});

test("another file of the description is named where it is over a limit", async () => {
  const parts = {
    parameters: mapOf(400, () => ({ name: "p", in: "query" })),
    Kind: { type: "string", enum: many(501, String) },
  };
  const document = documentOf({ "/a": { get: bodyOf({ $ref: "parts.json#/Kind" }) } });
  expect(await problemsOf(document, { "parts.json": JSON.stringify(parts) })).toEqual([
    "parts.json:1: Only the first 500 of 501 entries of Kind > enum are shown.",
  ]);
});

test("a scheme of security that is not defined is named once", async () => {
  const components = { securitySchemes: { BearerAuth: { type: "http", scheme: "bearer" } } };
  const security = [{ bearerauth: [] }, { BearerAuth: [] }, {}];
  expect(await problemsOf(documentOf({ "/a": { get: { security } } }, { components, security }))).toEqual([
    expect.stringMatching(
      /^api\.json:\d+: The page does not say what "bearerauth" is: securitySchemes has no scheme with this name\. Did you mean "?BearerAuth"?\?$/,
    ),
  ]);
});

test("the combinations of a server's variables are counted", async () => {
  const values = many(15, String);
  const variables = { a: { default: "0", enum: values }, b: { default: "0", enum: values } };
  expect(await problemsOf(documentOf({}, { servers: [{ url: "https://{a}.{b}.example", variables }] }))).toEqual([
    expect.stringMatching("Only the first 200 of 225 combinations of servers > 0 > variables are offered"),
  ]);
});

describe("of a channel", () => {
  const channelWith = (count: Record<"parameters" | "messages" | "bindings" | "actions" | "servers", number>) => ({
    asyncapi: "3.0.0",
    info: { title: "T", version: "1" },
    servers: mapOf(count.servers, (index) => ({ host: `server-${index}-.example`, protocol: "mqtt" })),
    channels: {
      room: {
        parameters: mapOf(count.parameters, (index) => ({ description: `parameter-${index}-` })),
        bindings: mapOf(count.bindings, (index) => ({ a: `binding-${index}-` })),
        messages: mapOf(count.messages, (index) => ({ payload: { description: `message-${index}-` } })),
      },
    },
    operations: mapOf(count.actions, (index) => ({
      action: "send",
      channel: { $ref: "#/channels/room" },
      messages: [],
      summary: `action-${index}-`,
    })),
  });
  const most = {
    parameters: SHOWN.parameters,
    messages: SHOWN.messages,
    bindings: SHOWN.bindings,
    actions: SHOWN.actions,
    servers: SHOWN.servers,
  };
  const overMost = mapValues(most, (count) => count + 1);

  test("the report says what the page leaves out, and the page shows the rest", async () => {
    const document = JSON.stringify(channelWith(overMost));
    expect(await problemsOf(JSON.stringify(channelWith(most)))).toEqual([]);
    const problems = await problemsOf(document);
    const reported = problems.map((problem) => Number(/first (\d+)/.exec(problem)?.[1]));
    const byCount = (one: number, other: number) => one - other;
    expect(reported.toSorted(byCount)).toEqual(Object.values(most).toSorted(byCount));
    await using channels = await createTestSite({
      "docs.json": JSON.stringify({ name: "C", navigation: { groups: [{ group: "C", asyncapi: "chat.json" }] } }),
      "chat.json": document,
    });
    const page = await (await channels.request("/api-reference/channels/room.md")).text();
    const names = ["parameter", "message", "binding", "action", "server"] as const;
    for (const name of names) {
      const last = most[`${name}s`] - 1;
      expect([name, page.includes(`${name}-${last}-`), page.includes(`${name}-${last + 1}-`)]).toEqual([
        name,
        true,
        false,
      ]);
    }
  });
});

test("operations beyond the limit are counted", async () => {
  const all = Object.fromEntries(many(20_001, (index) => [`/${index}`, { get: {} }] as const));
  expect(await problemsOf(documentOf(all))).toEqual([
    expect.stringContaining("Only the first 20000 of 20001 operations have pages."),
  ]);
});
