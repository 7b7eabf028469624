import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Snapshot } from "#docs/snapshot.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import { directorySnapshot } from "#git/directory-snapshot.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { newProjectId, type ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { changeBy, type Change, compare, readText } from "./change.ts";
import type { Task } from "./task.ts";

const run = promisify(execFile);
const IDENTITY = ["-c", "user.name=Docent", "-c", "user.email=bench@docent.invalid"];
const OWN = path.join(import.meta.dirname, "own");
const EXAMPLE = path.join(import.meta.dirname, "..", "..", "examples", "harbor-docs");

/** The repositories of the tasks: in a folder of snapshots, at their public addresses, or our own. */
export interface Repositories extends AsyncDisposable {
  /** The original change by the repository's authors. */
  rightChange(task: Task): Promise<Change>;
  /** A repository with one branch, `main`, and one commit: the files at the start of the task. */
  checkout(task: Task): Promise<string>;
}

/** `directory`: bare repositories as `owner+name` or `owner/name`, each possibly in a subfolder `repo`. */
export async function openRepositories(directory: string | null): Promise<Repositories> {
  await using made = new AsyncDisposableStack();
  const work = await mkdtemp(path.join(tmpdir(), "docent-agent-bench-"));
  made.defer(() => rm(work, { recursive: true, force: true }));
  await mkdir(path.join(work, "store"));
  const repoStore = made.use(createRepoStore({ root: path.join(work, "store"), logger: silentLogger }));
  const opened = new Map<string, Promise<ProjectId>>();
  let checkouts = 0;

  async function folderOf(address: string): Promise<string | null> {
    if (directory === null) return null;
    const [owner = "", name = ""] = new URL(address).pathname.replace(/^\/|\.git$/g, "").split("/");
    for (const folder of [`${owner}+${name}`, `${owner}/${name}`, `${owner}/${name}.git`]) {
      for (const inner of ["repo", "repo/.git", ".git", "."]) {
        const found = path.join(directory, folder, inner);
        if ((await stat(path.join(found, "HEAD")).catch(() => null)) !== null) return found;
      }
    }
    throw new Error(`${address} is not in ${directory}.`);
  }

  /** A repository that our own code can read, with both commits. */
  async function open(task: Task): Promise<ProjectId> {
    const id = newProjectId();
    const store = path.join(work, "store", `${id}.git`);
    const folder = await folderOf(task.repository);
    if (folder !== null) await symlink(path.resolve(folder), store);
    else {
      await git(work, ["init", "--quiet", "--bare", store]);
await git(store, ["fetch", "--quiet", "--depth=1", task.repository, task.before ?? "", task.after ?? ""]);
    }
    return id;
  } // oxfmt-ignore

  const owned = made.move();
  return {
    async rightChange(task) {
      const own = ownFolder(task);
      if (own !== null) {
        const before = await directorySnapshot(own);
        return changeBy(before, await rightTexts(task, before));
      }
      const isHere = directory !== null;
      const project = await (isHere ? (opened.get(task.repository) ?? open(task)) : open(task));
      if (isHere) opened.set(task.repository, Promise.resolve(project));
      const at = (commit = "") => commitSnapshot(repoStore, project, commit as Parameters<typeof commitSnapshot>[2]);
      return compare(at(task.before), at(task.after));
    },
    async checkout(task) {
      const target = path.join(work, `checkout-${(checkouts += 1)}`);
      const own = ownFolder(task);
      if (own !== null) {
        await cp(own, target, { recursive: true });
        await git(target, ["init", "--quiet", "--initial-branch=main"]);
        await git(target, ["add", "--all", "--force"]);
        await git(target, ["commit", "--quiet", "--message=Start"]);
        return target;
      }
      await git(work, ["init", "--quiet", "--bare", "--initial-branch=main", target]);
      const folder = await folderOf(task.repository);
      if (folder === null) await git(target, ["fetch", "--quiet", "--depth=1", task.repository, task.before ?? ""]);
      else await writeFile(path.join(target, "objects/info/alternates"), `${path.resolve(folder, "objects")}\n`);
      await commitPresentFiles(target, task.before ?? "");
      return target;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function git(folder: string, args: readonly string[], input = ""): Promise<string> {
  const running = run("git", ["-C", folder, ...IDENTITY, ...args], { maxBuffer: 512 * 1024 * 1024 });
  // Writing an empty chunk also fails if git does not read.
  if (input === "") running.child.stdin?.end();
  else running.child.stdin?.end(input);
  return (await running).stdout;
}

/** Commits the files of a commit to `main`, without its history. Snapshots of repositories may lack their largest files. */
async function commitPresentFiles(folder: string, commit: string): Promise<void> {
  const entries = (await git(folder, ["ls-tree", "-r", "-z", commit])).split("\0").filter((entry) => entry !== "");
  const ids = entries.map((entry) => entry.split(/\s/)[2] ?? "");
  const found = (await git(folder, ["cat-file", "--batch-check"], `${ids.join("\n")}\n`)).split("\n");
  const present = entries.filter((entry, index) => entry.startsWith("160000") || !found[index]?.endsWith("missing"));
  await git(folder, ["update-index", "-z", "--index-info"], present.map((entry) => `${entry}\0`).join(""));
  const tree = (await git(folder, ["write-tree"])).trim();
  const start = (await git(folder, ["commit-tree", tree, "-m", "Start"])).trim();
  await git(folder, ["update-ref", "refs/heads/main", start]);
}

function ownFolder({ repository }: Task): string | null {
  if (!repository.startsWith("own:")) return null;
  const name = repository.slice("own:".length);
  return name === "harbor" ? EXAMPLE : path.join(OWN, name);
}

/** A task on our own repository defines its right change by pieces of text. */
async function rightTexts({ name, right = [] }: Task, before: Snapshot): Promise<Map<string, string | null>> {
  const texts = new Map<string, string | null>();
  for (const { file, find, with: replacement } of right) {
    const text = texts.get(file) ?? (await readText(before, file)) ?? "";
    if (find !== undefined && !text.includes(find)) throw new Error(`${name}: ${file} does not contain “${find}”.`);
    texts.set(file, find === undefined ? replacement : text.replace(find, () => replacement ?? ""));
  }
  return texts;
}
