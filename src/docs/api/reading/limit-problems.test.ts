import { expect, test } from "vitest";
import { readApiDocument } from "./read-document.ts";

const many = (count: number, item: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => item(index));
const mapOf = (count: number, value: unknown) =>
  Object.fromEntries(many(count, (index) => [`n${index}`, value]) as [string, unknown][]);

async function problemsOf(operation: object, more: object = {}) {
  const document = {
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/a": { post: operation } },
    ...more,
  };
  const { problems } = await readApiDocument("api.json", () => Promise.resolve(JSON.stringify(document, null, 1)));
  return problems.map(({ line, message }) => `${line}: ${message}`);
}

test.each<[string, object, string]>([
  ["parameters", { parameters: many(301, (index) => ({ name: `p${index}`, in: "query" })) }, "the first 300"],
  ["responses", { responses: mapOf(101, { description: "ok" }) }, "the first 100"],
  [
    "enum",
    { requestBody: { content: { a: { schema: { properties: { enum: { enum: many(501, String) } } } } } } },
    "the first 500",
  ],
  ["description", { description: "x".repeat(30_001) }, "the first 30000"],
])("the report says how many %s a page leaves out", async (name, operation, shown) => {
  const problems = await problemsOf(operation);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(
    new RegExp(`^\\d+: Of the \\d+ .* of paths > /a > post .*${name} ${shown} are shown\\.$`),
  );
});

test("components are counted where they are used, and the names of schema fields do not matter", async () => {
  const schemas = {
    ...mapOf(400, { type: "string" }),
    Large: { type: "object", properties: { parameters: { properties: mapOf(400, {}) } } },
  };
  expect(
    await problemsOf(
      {},
      { components: { schemas, responses: mapOf(150, { description: "ok" }), examples: mapOf(150, {}) } },
    ),
  ).toEqual([]);
  const used = { components: { schemas: { Kind: { enum: many(501, String) } } } };
  expect(await problemsOf({}, used)).toEqual([expect.stringContaining("components > schemas > Kind > enum")]);
});
