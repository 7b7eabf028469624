import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { createTestDirectory } from "#testing/repositories.ts";
import { openExportFolder } from "./export-folder.ts";

async function write(target: string, file: string, isFinished: boolean) {
  await using folder = await openExportFolder(target);
  await folder.write(file, file);
  if (isFinished) await folder.finish({ commit: "c" });
}

test("a finished export replaces the previous one; an unfinished one does not", async () => {
  await using directory = await createTestDirectory();
  const target = path.join(directory.path, "site");
  await write(target, "a/index.html", true);
  expect(JSON.parse(await readFile(path.join(target, ".docent-export.json"), "utf8"))).toEqual({
    isFinished: true,
    commit: "c",
  });
  await write(target, "b/index.html", false);
  expect(existsSync(path.join(target, "a/index.html"))).toBe(true);
  await write(target, "b/index.html", true);
  expect((await readdir(target)).toSorted()).toEqual([".docent-export.json", "b"]);
  expect(await readdir(directory.path)).toEqual(["site"]);
});

test("the next export removes what a killed one left, which it recognizes by its name", async () => {
  await using directory = await createTestDirectory();
  const target = path.join(directory.path, "site");
  await mkdir(`${target}.unfinished`);
  await writeFile(`${target}.unfinished/.docent-export.json`, '{"isFinished":false}');
  await writeFile(`${target}.unfinished/index.html`, "half");
  await writeFile(`${target}.lock`, "");
  await write(target, "index.html", true);
  expect(await readdir(directory.path)).toEqual(["site"]);
});

test("rejects the second of two concurrent exports into one folder, and completes the first", async () => {
  await using directory = await createTestDirectory();
  const target = path.join(directory.path, "site");
  await using first = await openExportFolder(target);
  await first.write("a.html", "a");
  await expect(openExportFolder(target)).rejects.toThrow("Another export is writing to");
  await first.write("b.html", "b");
  await first.finish({});
  expect((await readdir(target)).toSorted()).toEqual([".docent-export.json", "a.html", "b.html"]);
});

test("an export that cannot be moved into place leaves the previous one there", async () => {
  await using directory = await createTestDirectory();
  const target = path.join(directory.path, "site");
  await write(target, "a.html", true);
  await using folder = await openExportFolder(target);
  // The marker that `finish` writes is a named pipe here, so the write blocks until someone reads it. The test removes
  // the new export before that, so that it cannot be moved into place.
  const pipe = path.join(directory.path, "pipe");
  execFileSync("mkfifo", [pipe]);
  await rm(path.join(`${target}.unfinished`, ".docent-export.json"));
  await symlink(pipe, path.join(`${target}.unfinished`, ".docent-export.json"));
  const finished = folder.finish({ about: "x".repeat(1_000_000) });
  await using reader = await open(pipe);
  await rm(`${target}.unfinished`, { recursive: true });
  await Promise.all([expect(finished).rejects.toThrow("cannot be replaced"), reader.readFile()]);
  expect((await readdir(target)).toSorted()).toEqual([".docent-export.json", "a.html"]);
});

test.each(["site", "site.unfinished", "site.replaced"])("never deletes other files in %s", async (name) => {
  await using directory = await createTestDirectory();
  const folder = path.join(directory.path, name);
  await mkdir(folder);
  await writeFile(path.join(folder, "mine.txt"), "mine");
  await expect(openExportFolder(path.join(directory.path, "site"))).rejects.toThrow(/not empty, and no export/);
  expect(await readdir(folder)).toEqual(["mine.txt"]);
  await writeFile(path.join(directory.path, "file"), "");
  await expect(openExportFolder(path.join(directory.path, "file"))).rejects.toThrow(/not a readable folder/);
});
