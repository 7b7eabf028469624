import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import config from "../vitest.config.ts";

const root = path.join(import.meta.dirname, "..");

// A file elsewhere would never run, and nothing would say so.
it("every test file is in a folder of vitest.config.ts", () => {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.test.ts"], {
    cwd: root,
  });
  const included = (config.test?.projects ?? []).flatMap((project) =>
    typeof project === "object" && "test" in project ? (project.test?.include ?? []) : [],
  );
  expect(included).not.toEqual([]);
  const files = listed.toString().split("\n").filter(Boolean);
  expect(files.filter((file) => !included.some((pattern) => path.matchesGlob(file, pattern)))).toEqual([]);
});
