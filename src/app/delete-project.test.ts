import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { createClassifier } from "#features/visitors/clients/classify.ts";
import { queryVisitors } from "#features/visitors/reports/counts.ts";
import { createFold } from "#features/visitors/index/fold.ts";
import { openDatabase } from "#db/database.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { createTestDirectory, createTestRepository } from "#testing/repositories.ts";
import { testVault } from "#testing/vault.ts";
import { aView } from "#testing/views.ts";
import { deleteProject } from "./delete-project.ts";
import { createProject, findProject } from "#features/projects/projects.ts";

async function bytesIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, "latin1")))).join("\n");
}

test("deletes everything of a project from the data directory, and nothing of another project", async () => {
  await using data = await createTestDirectory();
  await using source = await createTestRepository({ "docs.json": "{}", "index.md": "# Start\n" });
  const location = { engine: "sqlite", path: path.join(data.path, "docent.sqlite") } as const;
  const doomed = await (async () => {
    await using database = await openDatabase({ location, logger: silentLogger, migrate: true });
    await using repoStore = createRepoStore({ root: path.join(data.path, "repositories"), logger: silentLogger });
    const deps = { database, repoStore, clock: systemClock };
    const project = await createProject(deps, { name: "Doomed docs", source: source.path, branch: null });
    const other = await createProject(deps, { name: "Other docs", source: source.path, branch: null });
    const fold = createFold({ database, classify: createClassifier(), clock: systemClock, vault: testVault });
    const viewsOf = (id: typeof project.id, word: string) =>
      Array.from({ length: 300 }, (_, index) =>
        aView(id, { path: `/${word}-page-${index}`, referrer: `${word}.example`, address: `192.0.2.${index % 200}` }),
      );
    await fold.fold(viewsOf(project.id, "doomed"));
    await fold.fold(viewsOf(other.id, "other"));
    const slot = path.join(data.path, "journal", "1");
    await mkdir(slot, { recursive: true });
    await writeFile(path.join(slot, "0000000001-at-0.damaged"), `{"project":"${project.id}"`);
    await writeFile(path.join(slot, "0000000002-at-0.damaged"), `{"project":"${other.id}"`);
    expect(await bytesIn(data.path)).toContain("/doomed-page-299");
    const query = { projectId: other.id, from: null, to: null, limit: 250, offset: 0 };
    const before = await queryVisitors({ database }, query);
    await deleteProject({ database, repoStore, dataDirectory: data.path }, project);
    expect(await findProject({ database }, project.id)).toBeNull();
    expect(await repoStore.exists(project.id)).toBe(false);
    expect(await repoStore.exists(other.id)).toBe(true);
    expect(await queryVisitors({ database }, query)).toEqual(before);
    return project;
  })();
  const bytes = await bytesIn(data.path);
  for (const word of [doomed.id, doomed.slug, "doomed-page", "doomed.example"]) expect(bytes).not.toContain(word);
  expect(bytes).toContain("/other-page-299");
});
