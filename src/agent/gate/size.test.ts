import { expect, test } from "vitest";
import { checkChange, type GateReport } from "./gate.ts";
import { createInProcessParser } from "#docs/in-process-parser.ts";
import { createLinkCache } from "#docs/links/parsed-file.ts";
import { createTestSnapshot } from "#testing/snapshot.ts";

async function sizeOf(changedLines: number): Promise<Pick<GateReport, "errors" | "warnings">> {
  const snapshot = createTestSnapshot({ "a.md": "# A\n" });
  const deps = { parser: createInProcessParser(), findSecrets: () => [], linkCache: createLinkCache() };
  const change = { base: snapshot, head: snapshot, contentRoot: null, changes: [], prompts: [] };
  const { errors, warnings } = await checkChange(deps, { ...change, changedLines, shownOfSources: [] });
  return { errors, warnings };
}

test.each([
  [1_000, 0, 0],
  [1_001, 0, 1],
  [100_000, 0, 1],
  [100_001, 1, 0],
])("a change of %d lines gets %d errors and %d warnings", async (lines, errors, warnings) => {
  const found = await sizeOf(lines);
  expect([found.errors.length, found.warnings.length]).toEqual([errors, warnings]);
});
