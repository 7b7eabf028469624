import { createRepoStore } from "#git/directory-repo-store.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { newProjectId, type ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import {
  copyFolder,
  createTestDirectory,
  createTestRepository,
  isSmall,
  makeFolderTemplate,
  type TestFile,
} from "./repositories.ts";

/** Imported repositories by their files, which others are copied from: importing one starts git seven times. */
const imported = new Map<string, Promise<string>>();

/** Imports a repository with one commit of these files into a store that keeps folders. */
export async function importFiles(
  repoStore: RepoStore,
  project: ProjectId,
  files: Record<string, TestFile>,
): Promise<void> {
  if (!isSmall(files)) {
    await using source = await createTestRepository(files);
    await repoStore.import(project, { source: source.path, branch: null });
    return;
  }
  const key = JSON.stringify(files);
  const folder = imported.get(key) ?? importOnce(files);
  imported.set(key, folder);
  await copyFolder(await folder, repoStore.directory(project));
}

/** A store whose imports take these files instead of reading the source again. */
export const importingFiles = (repoStore: RepoStore, files: Record<string, TestFile>): RepoStore => ({
  ...repoStore,
  async import(project) {
    await importFiles(repoStore, project, files);
    return { branch: "main" };
  },
});

async function importOnce(files: Record<string, string>): Promise<string> {
  await using source = await createTestRepository(files);
  await using directory = await createTestDirectory();
  await using repoStore = createRepoStore({ root: directory.path, logger: silentLogger });
  const project = newProjectId();
  await repoStore.import(project, { source: source.path, branch: null });
  return await makeFolderTemplate(repoStore.directory(project));
}
