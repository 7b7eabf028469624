import path from "node:path";
import { expect, it } from "vitest";
import { loadConfig } from "#app/instance/config.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { checkPages } from "./store-checks.ts";

it("does not call a database damaged that cannot be opened", async () => {
  await using directory = await createTestDirectory();
  const config = loadConfig({ data: path.join(directory.path, "gone") }, {});
  const [found] = checkPages(config, { full: false });
  expect(found).toMatchObject({ state: "problem" });
  expect(JSON.stringify(found)).toMatch(/cannot be read: [^]*free some space/);
  expect(JSON.stringify(found)).not.toContain("damaged");
});
