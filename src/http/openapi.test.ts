import { expect, it } from "vitest";
import { createTestApp } from "#testing/test-app.ts";

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { parameters?: { name: string; in: string }[]; responses: object }>>;
}

it("describes the reference's four operations with their headers and every error that they give", async () => {
  await using app = await createTestApp("sqlite");
  const document = (await (await app.openPath("/openapi.json")).json()) as Document;
  expect(document.openapi).toBe("3.1.0");
  const operation = (method: string, path: string) => {
    const { parameters = [], responses } = document.paths[path]![method]!;
    const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`).sort();
    return { parameters: names, statuses: Object.keys(responses).map(Number) };
  };
  expect(operation("post", "/v2/agent/{projectId}/job")).toEqual({
    parameters: ["header Idempotency-Key", "path projectId"],
    statuses: [201, 400, 401, 404, 409, 413, 415, 422, 429],
  });
  expect(operation("post", "/v2/agent/{projectId}/job/{id}/message")).toEqual({
    parameters: ["header Idempotency-Key", "path id", "path projectId"],
    statuses: [200, 400, 401, 404, 409, 413, 415, 422, 429],
  });
  expect(operation("get", "/v2/agent/{projectId}/job/{id}")).toEqual({
    parameters: ["header If-None-Match", "path id", "path projectId"],
    statuses: [200, 304, 401, 404],
  });
  expect(operation("get", "/v1/analytics/{projectId}/visitors")).toEqual({
    parameters: ["path projectId", "query dateFrom", "query dateTo", "query limit", "query offset"],
    statuses: [200, 400, 401, 404, 429],
  });
});

it("shows the document to people, with nothing in it that runs", async () => {
  await using app = await createTestApp("sqlite");
  const page = await app.openPath("/reference");
  expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
  expect(await page.text()).toContain("Create an agent job");
});
