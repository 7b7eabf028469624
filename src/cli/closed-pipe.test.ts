import path from "node:path";
import { expect, it } from "vitest";
import { runSubprocess } from "#lib/subprocess.ts";

const MAIN = path.join(import.meta.dirname, "main.ts");

it("prints no error when the reader of its output closes the pipe", async () => {
  const { stderr } = await runSubprocess({
    command: "sh",
    args: ["-c", '"$0" --disable-warning=ExperimentalWarning "$1" --help | true', process.execPath, MAIN],
    env: { PATH: process.env["PATH"] ?? "" },
    timeoutMs: 40_000,
    maxOutputBytes: 100_000,
  });
  expect(stderr).toBe("");
});
