import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { createTestDirectory } from "#testing/repositories.ts";
import { withinDiskLimit } from "./disk-limit.ts";

async function open() {
  const directory = await createTestDirectory();
  const packs = path.join(directory.path, "objects", "pack");
  await mkdir(packs, { recursive: true });
  const fail = async () => {
    await writeFile(path.join(packs, "tmp_pack_a1b2c3"), "half");
    throw new Error("cut");
  };
  return {
    failedFetch: () => withinDiskLimit(directory.path, { maxBytes: 1_000, signal: undefined }, fail),
    files: () => readdir(packs),
    path: directory.path,
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

it("a fetch that fails leaves no unfinished pack", async () => {
  await using repository = await open();
  await expect(repository.failedFetch()).rejects.toThrow("cut");
  expect(await repository.files()).toEqual([]);
});

it.runIf(process.platform === "linux")("a fetch that fails leaves the unfinished pack of another one", async () => {
  await using repository = await open();
  // Another process, as the system lists it.
  const script = "process.stdout.write('x'); process.stdin.resume()";
  const other = spawn(process.execPath, ["-e", script, "fetch"], { argv0: "git", cwd: repository.path });
  await once(other.stdout, "data");
  await expect(repository.failedFetch()).rejects.toThrow("cut");
  expect(await repository.files()).toEqual(["tmp_pack_a1b2c3"]);
  other.stdin.end();
  await once(other, "exit");
});
