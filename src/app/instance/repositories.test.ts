import { rm } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { silentLogger } from "#lib/logger.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { removeInstanceFile, writeInstanceFile } from "./instance-file.ts";
import { openRepositories } from "./repositories.ts";
import { placeOfRepositories } from "./store.ts";

it("only a server moves repositories into the database, and only if none is missing; later starts read them from there", async () => {
  await using made = new AsyncDisposableStack();
  const { database } = made.use(await openTestDatabase("postgres"));
  const dataDirectory = made.use(await createTestDirectory()).path;
  const config = { dataDirectory, maxMirrorBytes: 1e9, objectStorage: null } as const;
  const project = await insertTestProject(database);
  const open = async (repositories: "database" | null, isServer: boolean) =>
    (await openRepositories({ config: { ...config, repositories }, database, logger: silentLogger }, { isServer }))
      .repoStore;

  await expect(open("database", true)).rejects.toThrow(/The repository of harbor-docs is not in .*\/repositories/);
  const root = path.join(dataDirectory, "repositories");
  await using before = createRepoStore({ root, logger: silentLogger });
  await before.create(project, { branch: "trunk" });
  await expect(open("database", false)).rejects.toThrow("start the server once");
  expect(await placeOfRepositories(database)).toBe("directory");

  writeInstanceFile(dataDirectory, "http://127.0.0.1:4000");
  await expect(open("database", true)).rejects.toThrow(
    /The server at http:\/\/127\.0\.0\.1:4000 .* Stop it and all other nodes/,
  );
  removeInstanceFile(dataDirectory);
  await using moved = await open("database", true);
  expect(await placeOfRepositories(database)).toBe("database");
  await rm(root, { recursive: true });
  await using later = await open(null, false);
  expect([await moved.exists(project), await later.exists(project)]).toEqual([true, true]);
  await later.prepare(project);
  await using copy = createRepoStore({ root, logger: silentLogger });
  expect(await copy.exists(project)).toBe(true);
});
