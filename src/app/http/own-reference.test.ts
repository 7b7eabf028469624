import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { createTestApp } from "#testing/test-app.ts";

const FILE = path.join(import.meta.dirname, "../../../docs/openapi.json");

// After a change: curl -s http://localhost:4000/openapi.json > docs/openapi.json && npm run fix
it("matches the OpenAPI file in Docent's own documentation", async () => {
  await using app = await createTestApp("sqlite");
  const served = (await (await app.openPath("/openapi.json")).json()) as { info: object };
  const written = JSON.parse(readFileSync(FILE, "utf8")) as { info: { version: string } };
  expect(written).toEqual({ ...served, info: { ...served.info, version: written.info.version } });
});
