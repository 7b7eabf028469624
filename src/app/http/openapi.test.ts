import { beforeAll, describe, expect, it } from "vitest";
import { ERROR_CODES } from "#lib/app-error.ts";
import { createTestApp } from "#testing/test-app.ts";

interface Schema {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
}
interface Parameter {
  name: string;
  in: string;
  description?: string;
  required: boolean;
  schema: Schema;
}
interface Content {
  content?: Record<string, { schema: Schema }>;
}
interface Operation {
  operationId?: string;
  deprecated?: boolean;
  description?: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content & { $ref?: string; headers?: Record<string, object> }>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Content> };
}

let document: Document;
beforeAll(async () => {
  await using app = await createTestApp("sqlite");
  document = (await (await app.openPath("/openapi.json")).json()) as Document;
});

const operations = () =>
  [document.paths, document.webhooks].flatMap((paths) => Object.values(paths).flatMap((item) => Object.values(item)));

it("describes the reference's four operations with their headers and all of their errors", () => {
  expect(document.openapi).toBe("3.1.0");
  const operation = (method: string, path: string) => {
    const { parameters = [], responses } = document.paths[path]![method]!;
    const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`).sort();
    return { parameters: names, statuses: Object.keys(responses).map(Number) };
  };
  expect(operation("post", "/v2/agent/{projectId}/job")).toEqual({
    parameters: ["header Idempotency-Key", "path projectId"],
    statuses: [201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 431, 500, 503],
  });
  expect(operation("post", "/v2/agent/{projectId}/job/{id}/message")).toEqual({
    parameters: ["header Idempotency-Key", "path id", "path projectId"],
    statuses: [200, 400, 401, 403, 404, 409, 413, 415, 422, 429, 431, 500, 503],
  });
  expect(operation("get", "/v2/agent/{projectId}/job/{id}")).toEqual({
    parameters: ["header If-None-Match", "path id", "path projectId"],
    statuses: [200, 304, 400, 401, 403, 404, 431, 500, 503],
  });
  expect(operation("get", "/v1/analytics/{projectId}/visitors")).toEqual({
    parameters: [
      "header If-None-Match",
      "path projectId",
      "query dateFrom",
      "query dateTo",
      "query limit",
      "query offset",
    ],
    statuses: [200, 304, 400, 401, 403, 404, 429, 431, 500, 503],
  });
});

it("gives the parameters of the visitors export their types, bounds and defaults", () => {
  const { parameters } = document.paths["/v1/analytics/{projectId}/visitors"]!["get"]!;
  const rules = Object.fromEntries(
    parameters!.map(({ name, required, schema: { description: _, ...schema } }) => [name, { required, ...schema }]),
  );
  expect(rules).toMatchObject({
    dateFrom: { required: false, type: "string" },
    limit: { required: false, type: "integer", minimum: 1, maximum: 250, default: 50 },
    offset: { required: false, type: "integer", minimum: 0, default: 0 },
  });
});

it("gives every operation a unique ID", () => {
  const names = operations().map(({ operationId }) => operationId ?? "none");
  expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

it("names every enum", () => {
  const { schemas } = document.components;
  expect(schemas["Error"]!.properties!["code"]!.enum).toEqual([...ERROR_CODES]);
  expect(schemas["AgentJob"]!.properties!["status"]!.enum).toEqual(["active", "completed", "archived", "failed"]);
  expect(schemas["AgentJobError"]!.properties!["code"]!.enum).toContain("not_understood");
  expect(schemas["AgentJobEvent"]!.oneOf!.length).toBeGreaterThan(20);
  expect(Object.keys(document.webhooks)).toEqual([
    ...schemas["WebhookMessage"]!.properties!["type"]!.enum!,
    "webhook.test",
  ]);
});

describe("has a description", () => {
  const isDescribed = ({ description = "", $ref }: Schema) => $ref !== undefined || /\S/.test(description);
  function* undescribed(schema: Schema, at: string): Generator<string> {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (!isDescribed(property)) yield `${at}.${name}`;
      yield* undescribed(property, `${at}.${name}`);
    }
    if (schema.items) yield* undescribed(schema.items, `${at}[]`);
    for (const part of [schema.anyOf, schema.oneOf, schema.allOf].flatMap((parts) => parts ?? []))
      yield* undescribed(part, at);
  }

  it("of each field of each body", () => {
    const named = Object.entries(document.components.schemas).flatMap(([name, schema]) => [
      ...undescribed(schema, name),
    ]);
    const inPlace = operations().flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((part) =>
        Object.values(part?.content ?? {}).flatMap(({ schema }) => [...undescribed(schema, operationId!)]),
      ),
    );
    expect([...named, ...inPlace]).toEqual([]);
  });

  it("of each parameter and operation", () => {
    expect(operations().filter(({ description = "" }) => !/\S/.test(description))).toEqual([]);
    const parameters = operations().flatMap((operation) => operation.parameters ?? []);
    expect(parameters.length).toBeGreaterThan(60);
    expect(parameters.filter((parameter) => !isDescribed(parameter))).toEqual([]);
  });
});

it("has recorded examples, except where responses contain searches or comments of readers", () => {
  const isShown = (content: Content["content"] = {}) =>
    Object.keys(content).length === 0 || Object.values(content).some((form) => "example" in form);
  const isGood = ([status]: [string, unknown]) => Number(status) < 300;
  const without = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .filter(
      ({ responses, deprecated = false }) =>
        !deprecated &&
        !Object.entries(responses)
          .filter(isGood)
          .every(([, { content }]) => isShown(content)),
    )
    .map(({ operationId = "" }) => operationId);
  expect(without.sort()).toEqual(["getFeedback", "getFeedbackByPage", "getSearches"]);
  const errors = Object.entries(document.components.responses).filter(([, { content }]) => !isShown(content));
  expect(errors.map(([name]) => name).sort()).toEqual(["Internal", "PreconditionFailed", "Unavailable"]);
});
