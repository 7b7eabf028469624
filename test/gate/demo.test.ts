import path from "node:path";
import { expect, it } from "vitest";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { runDemo } from "#test/support/demo.ts";

const DOCENT = path.join(import.meta.dirname, "../..", "bin", "docent");

// The gate has the demo of the packed program, unless no registry can be asked for its dependencies.
it.runIf(LONG_TESTS || process.env["DOCENT_TESTS_WITHOUT_REGISTRY"] === "1")(
  "the demo of a checkout shows the whole path, touches no settings of the user, and leaves nothing behind",
  async () => {
    await using directory = await createTestDirectory();
    const environment = { PATH: process.env["PATH"] };
    const said = await runDemo([process.execPath, DOCENT], { home: directory.path, environment });
    expect(said).toContain("npm run demo -- --keep");
  },
);
