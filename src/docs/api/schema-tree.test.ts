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

const facts = ({ type, description, choices, constraints }: SchemaTree) => ({
  type,
  description,
  choices,
  constraints: constraints.map(({ label, value }) => `${label} ${value}`),
});

describe("a schema whose allOf has several parts", () => {
  it("shows what each part says of the same field", () => {
    const status = { type: "string", description: "The state.", maxLength: 5, minLength: 1 };
    const own = { enum: ["on", "off"], maxLength: 4, description: "On or off." };
    const tree = read({ allOf: [{ properties: { status } }, { properties: { status: own } }] });
    expect(facts(tree.fields[0]!.schema)).toEqual({
      type: "enum<string>",
      description: "On or off.\n\nThe state.",
      choices: ["on", "off"],
      constraints: ["characters 1–4"],
    });
  });

  it.each<[string, JsonObject[], Partial<ReturnType<typeof facts>>]>([
    ["common values", [{ enum: ["a", "b"] }, { enum: ["b", "c"] }], { choices: ["b"] }],
    ["the common type", [{ type: ["integer", "null"] }, { type: "number" }], { type: "integer" }],
    ["a list without items", [{ type: ["array", "null"] }, { type: "array" }], { type: "any[]" }],
    ["the tighter bounds", [{ minimum: 1, maximum: 9 }, { minimum: 2 }], { constraints: ["minimum 2", "maximum 9"] }],
    ["the bound of a flag", [{ minimum: 1, exclusiveMinimum: true }, { maximum: 2 }], { constraints: ["maximum 2", "greater than 1"] }],
    ["every pattern", [{ pattern: "^a" }, { pattern: "b$" }], { constraints: ["pattern ^a", "pattern b$"] }],
    ["every condition", [{ if: true, else: false }, { if: false }], { constraints: ["if true", "else false", "if false"] }],
    ["every description", [{ description: "a" }, { description: "b" }], { description: "a\n\nb" }],
    ["a closed list of fields", [{ properties: {} }, { additionalProperties: false }], { constraints: ["additionalProperties false"] }],
  ])("shows %s", (_name, allOf, expected) => {
    expect(facts(read({ allOf }))).toMatchObject(expected);
  }); // oxfmt-ignore

  it("has its own description in place of theirs", () => {
    expect(read({ description: "own", allOf: [{ description: "a" }] }).description).toBe("own");
  });

  it("ends at a field that contains its own schema", () => {
    const root: JsonObject = { S: { properties: { s: { $ref: "#/S" } } }, T: { properties: { s: { $ref: "#/T" } } } };
    const tree = createSchemaReader(root, "response").tree({ allOf: [{ $ref: "#/S" }, { $ref: "#/T" }] })!;
    expect(tree.fields[0]?.schema).toMatchObject({ isRecursive: true });
  });
});

describe("variants", () => {
  const groups = (schema: Json) => {
    const { type, variants } = read(schema);
    return [type, ...variants.map(({ kind, options }) => `${kind} ${options.map((option) => [option.type, ...facts(option).constraints].join(" ")).join(", ")}`)];
  }; // oxfmt-ignore

  it.each<[string, Json, string[]]>([
    ["of two parts", { allOf: [{ oneOf: [{ type: "string" }, {}] }, { oneOf: [{}, { type: "integer" }] }] }, ["string | any", "one of string, any", "one of any, integer"]],
    ["of both kinds", { type: "string", oneOf: [{ minLength: 1 }], anyOf: [{ pattern: "a" }] }, ["string", "one of any characters ≥ 1", "any of any pattern a"]],
    ["that require fields", { properties: { x: {}, y: {} }, oneOf: [{ required: ["x"] }, { required: ["y"] }] }, ["object", "one of object required x, object required y"]],
    ["of a list", { items: { type: "string" }, anyOf: [{ minItems: 1 }, { maxItems: 2 }] }, ["string[]", "any of any items ≥ 1, any items ≤ 2"]],
  ])("%s are all shown", (_name, schema, expected) => {
    expect(groups(schema)).toEqual(expected);
  }); // oxfmt-ignore
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

  it("has the fields of the first variant of each choice", () => {
    const part = (name: string) => ({ oneOf: [{ properties: { [name]: { type: "integer" } } }, { type: "null" }] });
    const schema = { properties: { kind: { type: "string" } }, allOf: [part("a"), part("b")] };
    expect(exampleOf(ROOT, schema, "response")).toEqual({ kind: "<string>", a: 1, b: 1 });
  });

  it("has as many fields as a page shows", () => {
    const inner = { properties: { a: {}, b: {}, c: {} } };
    const properties = Object.fromEntries(Array.from({ length: 350 }, (_, index) => [`n${index}`, inner]));
    expect(exampleOf(ROOT, { properties }, "response")).toMatchObject({ n349: { a: "<any>", b: "<any>", c: "<any>" } });
  });

  it("leaves out fields that a request cannot set", () => {
    expect(
      exampleOf(ROOT, { properties: { id: { readOnly: true, type: "integer" }, a: { type: "boolean" } } }, "request"),
    ).toEqual({ a: true });
  });
});
