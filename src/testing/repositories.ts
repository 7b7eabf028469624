import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { runSubprocess } from "#lib/subprocess.ts";

/** Runs the user's own `git` client in a folder, isolated from the machine's configuration; returns standard output. */
export async function git(directory: string, ...args: string[]): Promise<string> {
  return await execute("git", args, {
    cwd: directory,
    env: {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      HOME: directory,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_TERMINAL_PROMPT: "0",
      GIT_AUTHOR_NAME: "Ada Writer",
      GIT_AUTHOR_EMAIL: "ada@example.com",
      GIT_COMMITTER_NAME: "Ada Writer",
      GIT_COMMITTER_EMAIL: "ada@example.com",
      GIT_AUTHOR_DATE: "2026-01-02T03:04:05Z",
      GIT_COMMITTER_DATE: "2026-01-02T03:04:05Z",
    },
  });
}

async function execute(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env: Record<string, string> },
): Promise<string> {
  const limits = { timeoutMs: 120_000, maxOutputBytes: 64 * 1024 * 1024 };
  const { exitCode, stdout, stderr } = await runSubprocess({ command, args, ...options, ...limits });
  if (exitCode !== 0) {
    throw Object.assign(new Error(`Command failed: ${command} ${args.join(" ")}\n${stderr}`), { stderr });
  }
  return stdout.toString("utf8");
}

/** An empty folder outside the checkout, and the function that removes it. */
export async function createTestDirectory(): Promise<{
  path: string;
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const directory = await mkdtemp(path.join(os.tmpdir(), "docent-test-"));
  const dispose = () => rm(directory, { recursive: true, force: true, maxRetries: 3 });
  return { path: directory, dispose, [Symbol.asyncDispose]: dispose };
}

/** Content of a file: text, bytes, or a symbolic link. */
export type TestFile = string | Uint8Array | { linkTo: string };

/** A temporary git repository with a work tree and one commit of the given files; without files it has no commit. */
export async function createTestRepository(
  files: Record<string, TestFile>,
  options: { branch?: string; message?: string } = {},
): Promise<Awaited<ReturnType<typeof createTestDirectory>>> {
  if (!isSmall(files)) return await makeRepository(files, options);
  const key = JSON.stringify([files, options]);
  const template = templates.get(key) ?? makeTemplate(files, options);
  templates.set(key, template);
  const directory = await createTestDirectory();
  await copyFolder(await template, directory.path);
  return directory;
}

/** Whether a copy of a repository with these files is worth keeping for other tests. */
export function isSmall(files: Record<string, TestFile>): files is Record<string, string> {
  const texts = Object.values(files);
  return texts.every((text) => typeof text === "string" && text.length < 100_000) && texts.length < 100;
}

/** Copies what a folder contains into another one, which is created if necessary. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await execute("cp", ["-a", `${from}/.`, to], { env: { PATH: process.env["PATH"] ?? "/bin" } });
}

/** Copies a folder, for tests to copy it from there; it is removed with the process. */
export async function makeFolderTemplate(folder: string): Promise<string> {
  const { path: kept } = await createTestDirectory();
  removeWithProcess(kept);
  await copyFolder(folder, kept);
  return kept;
}

/**
 * Small repositories by content, which others are copied from: the tests of a file often start with the same files, and
 * creating one starts git four times. They are removed with the process.
 */
const templates = new Map<string, Promise<string>>();
const templateFolders: string[] = [];

async function makeTemplate(...[files, options]: Parameters<typeof makeRepository>): Promise<string> {
  const { path: folder } = await makeRepository(files, options);
  removeWithProcess(folder);
  return folder;
}

function removeWithProcess(folder: string): void {
  if (templateFolders.length === 0) {
    process.once("exit", () => templateFolders.forEach((each) => rmSync(each, { recursive: true, force: true })));
  }
  templateFolders.push(folder);
}

async function makeRepository(files: Record<string, TestFile>, options: { branch?: string; message?: string }) {
  const directory = await createTestDirectory();
  await git(directory.path, "init", "--quiet", "--template=", `--initial-branch=${options.branch ?? "main"}`);
  if (Object.keys(files).length > 0) await commitFiles(directory.path, files, options.message ?? "Initial content");
  return directory;
}

/** Writes files into a test repository (`null` removes one) and commits them; returns the commit. */
export async function commitFiles(
  directory: string,
  files: Record<string, TestFile | null>,
  message: string,
): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    if (content === null) await rm(file);
    else if (typeof content === "object" && "linkTo" in content) await symlink(content.linkTo, file);
    else await writeFile(file, content);
  }
  await git(directory, "add", "--all", "--force", ".");
  await git(directory, "commit", "--quiet", "--message", message);
  return (await git(directory, "rev-parse", "HEAD")).trim();
}
