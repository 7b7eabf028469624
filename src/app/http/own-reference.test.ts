import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { createTestApp } from "#testing/test-app.ts";

const FILE = path.join(import.meta.dirname, "../../../docs/openapi.json");

it("docs/openapi.json is what a server answers (npm run fix writes it)", async () => {
  await using app = await createTestApp("sqlite");
  const served = (await (await app.openPath("/openapi.json")).json()) as { info: object };
  const written = JSON.parse(readFileSync(FILE, "utf8")) as { info: { version: string } };
  const document = { ...served, info: { ...served.info, version: written.info.version } };
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(FILE);
});
