import { expect, test } from "vitest";
import { cloneProgress } from "#git/transfer/clone-progress.ts";
import { createProgressLine } from "./progress.ts";

test.each([
  ["remote: Counting objects:  50% (17/34)", "The server is preparing 50 %"],
  ["Receiving objects:  45% (900/2000), 12.40 MiB | 3.10 MiB/s", "Copying 45 % (12.40 MiB)"],
  ["Receiving objects: 100% (34/34), 15.43 KiB | 718.00 KiB/s, done.", "Copying 100 % (15.43 KiB)"],
  ["Resolving deltas:   3% (1/30)", "Unpacking 3 %"],
  ["Cloning into bare repository '/srv/docent/repositories/.aside-9x/prj_1.git'...", null],
  ["remote: Total 34 (delta 0), reused 0 (delta 0), pack-reused 0", null],
  ["remote: \u001b]0;owned\u0007 99% done", null],
])("git's %j is shown as %j", (line, shown) => {
  expect(cloneProgress(line)).toBe(shown);
});

test("progress uses one line of a terminal, and is not written to a file", () => {
  let text = "";
  const stderr = (part: string) => void (text += part);
  {
    using line = createProgressLine({ stderr, isTerminal: true });
    line.show("Copying 1 %");
    line.show("x".repeat(200));
  }
  expect(text).toBe(`\r\u001b[KCopying 1 %\r\u001b[K${"x".repeat(79)}\r\u001b[K`);
  text = "";
  {
    using line = createProgressLine({ stderr, isTerminal: false });
    line.show("Copying 1 %");
  }
  expect(text).toBe("");
});
