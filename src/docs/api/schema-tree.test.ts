import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#docs/json-document.ts";
import { exampleOf } from "./example-value.ts";
import { createSchemaReader, type SchemaTree } from "./schema-tree.ts";

const ROOT: JsonObject = {
  components: {
    schemas: {
      Name: { type: "string", minLength: 1 },
      Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } },
      Base: { type: "object", required: ["id"], properties: { id: { type: "integer" } } },
    },
  },
};

const read = (schema: Json, use: "request" | "response" = "response"): SchemaTree =>
  createSchemaReader(ROOT, use).tree(schema)!;

describe("the type of a schema", () => {
  it.each<[Json, string]>([
    [{ type: "string" }, "string"],
    [{ type: "string", format: "uuid" }, "string<uuid>"],
    [{ type: "string", nullable: true }, "string | null"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ enum: ["a", "b"] }, "enum<string>"],
    [{ const: 3 }, "number"],
    [{ type: "array", items: { type: "string" } }, "string[]"],
    [{ type: "array", items: { oneOf: [{ type: "string" }, { type: "integer" }] } }, "(string | integer)[]"],
    [{ type: "array", nullable: true, items: {} }, "any[] | null"],
    [{ anyOf: [{ type: "integer" }, { type: "null" }] }, "integer | null"],
    [{ oneOf: [{ type: "string" }, { type: "object", properties: {} }] }, "string | object"],
    [{ properties: { a: {} } }, "object"],
    [{ additionalProperties: { type: "integer" } }, "object"],
    [{ $ref: "#/components/schemas/Name" }, "string"],
    [{ $ref: "#/nowhere" }, "any"],
    [{}, "any"],
    [true, "any"],
    [false, "nothing"],
    [null, "any"],
  ])("%j is %s", (schema, type) => {
    expect(read(schema).type).toBe(type);
  });
});

describe("the constraints of a schema", () => {
  it.each<[Json, string]>([
    [{ type: "integer", minimum: 0, maximum: 9, default: 0 }, "default 0, minimum 0, maximum 9"],
    [{ minimum: 1, exclusiveMinimum: true }, "greater than 1"],
    [{ exclusiveMinimum: 1, exclusiveMaximum: 5 }, "greater than 1, less than 5"],
    [{ type: "string", minLength: 2, maxLength: 4, pattern: "^a" }, "characters 2–4, pattern ^a"],
    [{ type: "array", maxItems: 3, uniqueItems: true }, "items ≤ 3, uniqueItems true"],
    [{ multipleOf: 5, example: 10 }, "multiple of 5, example 10"],
    [{ type: "boolean", default: false }, "default false"],
  ])("%j says %s", (schema, words) => {
    expect(
      read(schema)
        .constraints.map(({ label, value }) => `${label} ${value}`)
        .join(", "),
    ).toBe(words);
  });
});

const fields = (tree: SchemaTree) => tree.fields.map(({ name, isRequired }) => name + (isRequired ? "!" : ""));

describe("a schema", () => {
  it("has the fields of all parts of an allOf, and what each requires", () => {
    const tree = read({
      allOf: [{ $ref: "#/components/schemas/Base" }, { properties: { name: {} }, required: ["name"] }],
    });
    expect(fields(tree)).toEqual(["id!", "name!"]);
    expect(tree.type).toBe("object");
  });

  it("has the fields of a list's items", () => {
    expect(fields(read({ type: "array", items: { $ref: "#/components/schemas/Base" } }))).toEqual(["id!"]);
  });

  it("is not expanded again inside itself", () => {
    const tree = read({ $ref: "#/components/schemas/Node" });
    expect(tree.fields[0]?.schema).toMatchObject({ name: "Node", isRecursive: true, fields: [] });
  });

  it("leaves out fields that a request cannot set or a response does not contain", () => {
    const schema = { properties: { id: { readOnly: true }, password: { writeOnly: true }, name: {} } };
    expect(fields(read(schema, "request"))).toEqual(["password", "name"]);
    expect(fields(read(schema, "response"))).toEqual(["id", "name"]);
  });

  it("keeps the fields next to a reference", () => {
    expect(read({ $ref: "#/components/schemas/Name", description: "Of a person." }).description).toBe("Of a person.");
  });

  it("has a placeholder for fields with arbitrary names", () => {
    expect(fields(read({ additionalProperties: { type: "integer" }, patternProperties: { "^x-": {} } }))).toEqual([
      "/^x-/",
      "{any name}",
    ]);
  });
});

describe("an example", () => {
  it.each<[Json, Json]>([
    [
      { type: "object", properties: { a: { type: "string", example: "x" }, b: { type: "integer" } } },
      { a: "x", b: 1 },
    ],
    [{ type: "array", items: { type: "boolean" } }, [true]],
    [{ enum: [null, "b"] }, "b"],
    [{ type: "string", format: "date" }, "2026-01-15"],
    [{ oneOf: [{ type: "null" }, { type: "integer", minimum: 7 }] }, 7],
    [{ $ref: "#/components/schemas/Node" }, {}],
    [{ allOf: [{ $ref: "#/components/schemas/Base" }, { properties: { n: { const: 2 } } }] }, { id: 1, n: 2 }],
  ])("of %j is %j", (schema, value) => {
    expect(exampleOf(ROOT, schema, "response")).toEqual(value);
  });

  it("leaves out fields that a request cannot set", () => {
    expect(
      exampleOf(ROOT, { properties: { id: { readOnly: true, type: "integer" }, a: { type: "boolean" } } }, "request"),
    ).toEqual({ a: true });
  });
});
