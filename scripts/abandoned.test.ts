import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, utimesSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { createTestDirectory } from "#testing/repositories.ts";
import { removeAbandonedIn } from "./abandoned.ts";

it("removes what killed runs left, and nothing of a run that goes on or of another program", async () => {
  await using folder = await createTestDirectory();
  const { pid: ended } = spawnSync("true");
  const hours = (name: string, age: number) => {
    const at = new Date(Date.now() - age * 3_600_000);
    mkdirSync(path.join(folder.path, name));
    utimesSync(path.join(folder.path, name), at, at);
  };
  hours(`run-${ended}-abc123`, 0);
  hours(`run-${process.pid}-abc123`, 48);
  hours("test-123456", 25);
  hours("test-abc123", 23);
  hours("other-abc123", 48);
  removeAbandonedIn(folder.path, ["run-", "test-"]);
  expect(readdirSync(folder.path)).toEqual(["other-abc123", `run-${process.pid}-abc123`, "test-abc123"]);
});
