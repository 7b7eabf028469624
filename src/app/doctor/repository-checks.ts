import { readdir } from "node:fs/promises";
import path from "node:path";
import { repositoryFault } from "#app/instance/store-faults.ts";
import { wasDeployed } from "#features/sites/deployments/deployment-rows.ts";
import { trimContentRoot } from "#docs/routes.ts";
import { createGitRunner, DEFAULT_GIT_ENVIRONMENT } from "#git/process/runner.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { isMedia } from "#git/mirror/fetched-ahead.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { ProjectSettings } from "#features/projects/project.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { countOf, type Diagnosis, firstOf, type DoctorInput, diagnose } from "./diagnosis.ts";

const CHECK = "repositories";

/**
 * Checks that the repositories of projects and sources exist, with their branch and all objects, and that the texts of
 * sites can be read; `full` also reads all other objects.
 */
export async function checkRepositories({
  config,
  database,
  full,
  signal,
  progress,
}: DoctorInput): Promise<Diagnosis[]> {
  const root = path.join(config.dataDirectory, "repositories");
  await using store = createRepoStore({ root, logger: silentLogger });
  const run = createGitRunner({ environment: DEFAULT_GIT_ENVIRONMENT, maxProcesses: 1 });
  const there = (await namesIn(root)).filter((name) => /^[\w-]+\.git$/.test(name));
  // Read after the folder: a repository exists before its row.
  const projects = await database.kysely
    .selectFrom("project")
    .select(["id", "slug", "branch", "code_host", "settings"])
    .execute();
  const sources = await database.kysely
    .selectFrom("source")
    .innerJoin("project", "project.id", "source.project_id")
    .select(["source.id", "source.name", "project.slug"])
    .execute();
  const owned = [
    ...projects.map(({ id, slug, branch, code_host: host, settings }) => ({
      id,
      name: `${id}.git`,
      of: slug,
      branch,
      contentRoot: trimContentRoot(ProjectSettings.parse(JSON.parse(settings)).contentRoot ?? ""),
      isMirror: host !== "embedded",
    })),
    ...sources.map(({ id, name, slug }) => ({
      id,
      name: `${id}.git`,
      of: `${slug}, source ${name}`,
      branch: null,
      contentRoot: "",
      isMirror: true,
    })),
  ];
  const found: Diagnosis[] = [];
  for (const [index, { id, name, of, branch, contentRoot, isMirror }] of owned.entries()) {
    signal.throwIfAborted();
    progress(`Repositories: ${index + 1} of ${owned.length}`);
    const directory = path.join(root, name);
    const shown = `repositories/${name} (${of})`;
    const branches = "'refs/remotes/origin/*:refs/heads/*' '^refs/remotes/origin/HEAD'";
    const clone =
      "Restore it from a backup, or from a clone, as the server's user (open pull requests whose branch the clone lacks are closed): " +
      `git clone --bare CLONE ${directory} && git -C ${directory} fetch origin ${branches}`;
    const advice = isMirror
      ? "Delete the folder: the server copies it from its host again."
      : `Move the folder away. ${clone}`;
    if (!there.includes(name) && !(await namesIn(root)).includes(name)) {
      found.push(
        diagnose.problem(
          CHECK,
          `${shown} is missing.`,
          isMirror ? "The server copies it from its host again. Otherwise restore it from a backup." : clone,
        ),
      );
      continue;
    }
    const fault = await repositoryFault(run, directory, { full, signal });
    // A mirror fetches what it lacks.
    const lost = branch === null || isMirror ? [] : await unreadableFiles(store, { id, branch, signal });
    if (fault !== null || lost.length > 0) {
      const words = `${shown} is damaged: ${[fault, filesText(lost)].filter(Boolean).join(" ")}`;
      found.push(diagnose.problem(CHECK, words, advice));
    }
    const isDeployed = branch !== null && (await wasDeployed(database.kysely, { id, branch }));
    if (fault === null && branch !== null)
      found.push(...(await checkBranch({ run, directory, shown, branch, contentRoot, isDeployed, isMirror })));
  }
  const names = new Set(owned.map(({ name }) => name));
  const lost = there.filter((name) => !names.has(name));
  if (lost.length > 0) {
    const words = `${countOf(lost.length, "repository belongs", "repositories belong")} to no project: ${lost.slice(0, 3).join(", ")}.`;
    found.push(
      diagnose.warning(CHECK, words, "Is the database the right one? If it is, delete the folders: nothing uses them."),
    );
  }
  return found.length > 0 ? firstOf(found) : [diagnose.ok(CHECK, wholeWords(owned.length, full))];
}

const wholeWords = (count: number, full: boolean) =>
  full
    ? `${countOf(count, "repository is", "repositories are")} whole: git read every object.`
    : `${countOf(count, "repository", "repositories")} with every object. Besides the texts of sites, their content was not read: docent doctor --full does.`;

const SHOWN_FILES = 5;

const filesText = (paths: readonly string[]): string =>
  paths.length === 0
    ? ""
    : `${countOf(paths.length, "file")} of its site cannot be read: ${paths.slice(0, SHOWN_FILES).join(", ")}${paths.length > SHOWN_FILES ? " …" : ""}.`;

/** The texts at the tip of a branch whose content is missing or damaged. */
async function unreadableFiles(
  store: RepoStore,
  { id, branch, signal }: { id: ProjectId; branch: string; signal: AbortSignal },
): Promise<string[]> {
  try {
    const commit = await store.resolve(id, `refs/heads/${branch}`);
    if (commit === null) return [];
    const snapshot = commitSnapshot(store, id, commit);
    for (const { path: file, kind } of await snapshot.files()) {
      signal.throwIfAborted();
      // One that is too large is no page. What is unreadable is in the snapshot's list.
      if (kind === "file" && !isMedia(file)) await snapshot.read(file).catch(ifRefused);
    }
    return [...snapshot.unreadable];
  } catch (error) {
    return [ifRefused(error)];
  }
}

function ifRefused(error: unknown): string {
  if (error instanceof AppError) return error.message;
  throw error;
}

const namesIn = (folder: string) =>
  readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === "ENOENT") return []; // no projects yet
    throw error;
  });

async function checkBranch({
  run,
  directory,
  shown,
  branch,
  contentRoot,
  isDeployed,
  isMirror,
}: {
  run: ReturnType<typeof createGitRunner>;
  directory: string;
  shown: string;
  branch: string;
  contentRoot: string;
  isDeployed: boolean;
  isMirror: boolean;
}): Promise<Diagnosis[]> {
  const reference = `refs/heads/${branch}`;
  const { exitCode } = await run({ directory, args: ["show-ref", "--verify", "--quiet", reference], answers: [0, 1] });
  if (exitCode === 0) return await checkFolder({ run, directory, shown, branch, contentRoot });
  const { stdout } = await run({ directory, args: ["for-each-ref", "--count=1", "refs/heads"] });
  if (stdout.length === 0 && !isDeployed) return []; // no commits were pushed yet
  return [
    diagnose.problem(
      CHECK,
      `${shown} has no branch ${branch}, which its site shows.`,
      isMirror
        ? "Delete the folder: the server copies it from its host again. If the host has no such branch, choose another: docent projects set PROJECT branch NAME"
        : isDeployed
          ? "It had one. Push it from a clone, or restore the repository from a backup."
          : "Push it, or choose another: docent projects set PROJECT branch NAME",
    ),
  ];
}

/** A mistyped `contentRoot` leaves the site without pages. */
async function checkFolder({
  run,
  directory,
  shown,
  branch,
  contentRoot,
}: Omit<Parameters<typeof checkBranch>[0], "isDeployed" | "isMirror">): Promise<Diagnosis[]> {
  if (contentRoot === "") return [];
  const args = ["ls-tree", "-z", "--name-only", `refs/heads/${branch}`, "--", `${contentRoot}/`];
  // Git refuses a folder outside the repository with 128.
  const { stdout } = await run({ directory, args, answers: [0, 128] });
  if (stdout.length > 0) return [];
  const words = `${shown} has no folder ${contentRoot} on ${branch}, which its setting contentRoot names: its site has no pages.`;
  return [diagnose.problem(CHECK, words, "Set another folder: docent projects set PROJECT contentRoot FOLDER")];
}
