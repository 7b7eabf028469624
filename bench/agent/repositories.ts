import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Snapshot } from "#docs/snapshot.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import { directorySnapshot } from "#git/directory-snapshot.ts";
import { createRepoStore } from "#git/repo-store.ts";
import { newProjectId, type ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { changeBy, type Change, compare, readText } from "./change.ts";
import type { Task } from "./task.ts";

const run = promisify(execFile);
const OWN = path.join(import.meta.dirname, "own");
const EXAMPLE = path.join(import.meta.dirname, "..", "..", "examples", "harbor-docs");
const HISTORY = 50;

/** Where the tasks' repositories are: in a folder of snapshots, at their public addresses, or our own. */
export interface Repositories extends AsyncDisposable {
  /** The people's own change. */
  rightChange(task: Task): Promise<Change>;
  /** A repository with one branch, `main`, at the commit that the task starts from, and what came shortly before. */
  checkout(task: Task): Promise<string>;
}

/** `directory`: bare repositories as `owner+name` or `owner/name`, each perhaps in a folder `repo` of its own. */
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
      await run("git", ["init", "--quiet", "--bare", store]);
      await run("git", ["-C", store, "fetch", "--quiet", "--depth=1", task.repository, task.before ?? "", task.after ?? ""]);
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
      if (own === null) {
        const from = (await folderOf(task.repository)) ?? task.repository;
        await run("git", ["init", "--quiet", "--bare", "--initial-branch=main", target]);
        const serve = "git -c uploadpack.allowAnySHA1InWant=true upload-pack";
        const [url, pack] = from === task.repository ? [from, []] : [`file://${path.resolve(from)}`, ["--upload-pack", serve]]; // oxfmt-ignore
        const wanted = `${task.before}:refs/heads/main`;
        await run("git", ["-C", target, "fetch", "--quiet", `--depth=${HISTORY}`, ...pack, url, wanted]);
        return target;
      }
      await cp(own, target, { recursive: true });
      const identity = ["-c", "user.name=Docent", "-c", "user.email=bench@docent.invalid"];
      await run("git", ["init", "--quiet", "--initial-branch=main", target]);
      await run("git", ["-C", target, "add", "--all", "--force"]);
      await run("git", ["-C", target, ...identity, "commit", "--quiet", "--message=Start"]);
      return target;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function ownFolder({ repository }: Task): string | null {
  if (!repository.startsWith("own:")) return null;
  const name = repository.slice("own:".length);
  return name === "harbor" ? EXAMPLE : path.join(OWN, name);
}

/** A task on our own repository tells its right change by pieces of text. */
async function rightTexts({ name, right = [] }: Task, before: Snapshot): Promise<Map<string, string | null>> {
  const texts = new Map<string, string | null>();
  for (const { file, find, with: replacement } of right) {
    const text = texts.get(file) ?? (await readText(before, file)) ?? "";
    if (find !== undefined && !text.includes(find)) throw new Error(`${name}: ${file} does not contain “${find}”.`);
    texts.set(file, find === undefined ? replacement : text.replace(find, () => replacement ?? ""));
  }
  return texts;
}
