import { createConfig, lintFromString } from "@redocly/openapi-core";
import type { RulesetDefinition } from "@stoplight/spectral-core";
import { beforeAll, describe, expect, it } from "vitest";
import { createTestApp } from "#testing/test-app.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";

type Document = Record<string, unknown>;

/** The document of a server that people reach: linters take one at localhost for a draft. */
async function servedDocument(): Promise<Document> {
  await using app = await createTestApp("sqlite", { baseUrl: "https://docs.harbor.dev" });
  return (await (await app.openPath("/openapi.json")).json()) as Document;
}

/** Redocly's strictest recommendation: all that it has to say is an error. */
async function redoclyProblems(document: Document): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: "/openapi.json", config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

/** Every rule that Spectral has for OpenAPI, also those that it does not recommend. */
async function spectralProblems(document: Document): Promise<string[]> {
  const [core, rulesets] = await Promise.all([
    import("@stoplight/spectral-core"),
    import("@stoplight/spectral-rulesets"),
  ]);
  const spectral = new core.Spectral();
  spectral.setRuleset({
    extends: [[rulesets.oas as RulesetDefinition, "all"]],
    rules: {
      "contact-properties": "off", // nobody has told the server an e-mail address of who runs it
      "openapi-tags-alphabetical": "off", // they are in the order in which people need them
    },
  });
  const problems = await spectral.run(document);
  return problems.map(({ code, message, path }) => `${code}: ${message} ${path.join("/")}`);
}

describe("the OpenAPI document", () => {
  let document: Document;
  beforeAll(async () => {
    document = await servedDocument();
  });

  it("has no warning from Redocly", async () => {
    expect(await redoclyProblems(document)).toEqual([]);
  });

  // It takes four times as long as Redocly, and most of its rules are the same.
  it.runIf(LONG_TESTS)("has no warning from Spectral", async () => {
    expect(await spectralProblems(document)).toEqual([]);
  });

  it.runIf(LONG_TESTS)("would get a warning from both for an operation without a name", async () => {
    const nameless = JSON.parse(JSON.stringify(document).replace(/"operationId":"getVisitors",/, "")) as Document;
    expect((await redoclyProblems(nameless)).join()).toContain("operation-operationId");
    expect((await spectralProblems(nameless)).join()).toContain("operation-operationId");
  });
});
