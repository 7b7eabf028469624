import { chmod, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDirectory } from "#testing/repositories.ts";
import { openKeyVault } from "./key-vault.ts";
import { Secret } from "./secret.ts";

let folder: string;
let keyFile: string;
beforeEach(async () => {
  folder = (await createTestDirectory()).path;
  keyFile = path.join(folder, "secrets.key");
});
afterEach(() => rm(folder, { recursive: true }));

test("an encrypted secret decrypts again, also after a restart", async () => {
  const sealed = (await openKeyVault(keyFile)).seal(new Secret("sk-ünïcode"), "prj_1/openai");
  expect((await openKeyVault(keyFile)).open(sealed, "prj_1/openai").reveal()).toBe("sk-ünïcode");
});

test("the encrypted text reveals neither the secret nor that two are equal", async () => {
  const vault = await openKeyVault(keyFile);
  const [one, two] = [1, 2].map(() => vault.seal(new Secret("correct horse"), "a"));
  expect(one).not.toContain("correct");
  expect(one).not.toBe(two);
});

test("a secret that was moved to another row or changed does not decrypt", async () => {
  const vault = await openKeyVault(keyFile);
  const sealed = vault.seal(new Secret("mine"), "prj_1/openai");
  expect(() => vault.open(sealed, "prj_2/openai")).toThrow("cannot be read");
  expect(() => vault.open(`${sealed.slice(0, -2)}AA`, "prj_1/openai")).toThrow("cannot be read");
  expect(() => vault.open(sealed.slice(0, 20), "prj_1/openai")).toThrow("cannot be read");
  expect(() => vault.open("", "prj_1/openai")).toThrow("cannot be read");
});

test("with another key, the error names the cause", async () => {
  const sealed = (await openKeyVault(keyFile)).seal(new Secret("mine"), "a");
  const other = await openKeyVault(path.join(folder, "other.key"));
  expect(() => other.open(sealed, "a")).toThrow("another key than");
});

test("the key file is readable by its owner only, and refused otherwise", async () => {
  await openKeyVault(keyFile);
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  await chmod(keyFile, 0o644);
  await expect(openKeyVault(keyFile)).rejects.toThrow("Others can read");
});

test("refuses a damaged key file instead of replacing it", async () => {
  await writeFile(keyFile, "AAAA", { mode: 0o600 });
  await expect(openKeyVault(keyFile)).rejects.toThrow("damaged");
  expect(await readFile(keyFile, "utf8")).toBe("AAAA");
});

test("twenty processes that start at once share one key and leave no other file behind", async () => {
  const vaults = await Promise.all(Array.from({ length: 20 }, () => openKeyVault(keyFile)));
  const sealed = vaults[0]!.seal(new Secret("shared"), "a");
  expect(vaults.map((vault) => vault.open(sealed, "a").reveal())).toEqual(Array(20).fill("shared"));
  expect(await readdir(folder)).toEqual(["secrets.key"]);
});
