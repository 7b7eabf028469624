import { MockLanguageModelV4 } from "ai/test";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createModelCatalogue } from "#models/model.ts";
import { type CommonEffort, readModelSettings } from "#models/settings.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { findModels } from "./turn-models.ts";

const builtin = new MockLanguageModelV4();
const local = { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1" };
const providers = { local: { ...local, models: { m: { effort: "max" }, other: { effort: "minimal" } } } };
const { resolve } = createModelCatalogue({
  builtin,
  connect: () => ({ model: builtin, providerOptions: {} }),
  ...readModelSettings(JSON.stringify({ providers }), {}),
});
const deps = {
  resolveModel: (_project: unknown, name: string) => resolve(name),
  fallbackModels: () => [resolve("local/other")],
  choreModel: () => resolve("docent/builtin-rules"),
};
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp("sqlite");
});
afterAll(() => app[Symbol.asyncDispose]());

it.each<[CommonEffort | null, CommonEffort | null, string[]]>([
  ["high", "low", ["high", "high"]],
  [null, "low", ["low", "low"]],
  [null, null, ["max", "minimal"]],
])("uses the effort of the job (%s), else of the project (%s), else of each model", (asked, ofProject, efforts) => {
  const project = { ...app.project, settings: ofProject === null ? {} : { effort: ofProject } };
  const found = findModels(deps, { project, job: { model: "local/m", effort: asked }, chores: null });
  expect(found.ok && found.models.map(({ effort }) => effort)).toEqual(efforts);
});
