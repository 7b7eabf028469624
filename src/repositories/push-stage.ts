import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ObjectId, ReferenceUpdate } from "#git/objects/objects.ts";
import { type GitRunner, type Repository, repositoryAt } from "#git/process/runner.ts";
import { writeConfiguration } from "#git/repository-directory.ts";
import { listReferences, readHead } from "./local-copy.ts";
import { makeIncomingFolder } from "./local-packs.ts";

/** A temporary repository for one push, so that readers see its references only once they are stored. */
export interface PushStage extends AsyncDisposable {
  repository: Repository;
  /** The objects that its references named before the push. */
  known: ReadonlySet<ObjectId>;
  /** `receive-pack` marks a pack while it moves references. Packing skips marked packs, so a leftover mark must go. */
  removeKeepFiles(): Promise<void>;
  /** Which of these references have moved. */
  moved(refs: readonly string[]): Promise<ReferenceUpdate[]>;
}

/** Copies the references of a repository and shares its objects. Pushed objects go into a separate folder. */
export async function openPushStage(of: Repository, run: GitRunner): Promise<PushStage> {
  const references = await listReferences(of);
  const directory = await makeIncomingFolder(of);
  await mkdir(path.join(directory, "objects", "info"), { recursive: true });
  await mkdir(path.join(directory, "refs"));
  await writeConfiguration(directory);
  await writeFile(path.join(directory, "objects", "info", "alternates"), `${path.join(of.directory, "objects")}\n`);
  await writeFile(path.join(directory, "packed-refs"), [...references].map(([name, id]) => `${id} ${name}\n`).join(""));
  await writeFile(path.join(directory, "HEAD"), `ref: refs/heads/${await readHead(of)}\n`);
  const repository = repositoryAt(run, directory);
  return {
    repository,
    known: new Set(references.values()),
    async removeKeepFiles() {
      const folder = path.join(directory, "objects", "pack");
      const names = await readdir(folder).catch((): string[] => []);
      for (const name of names) if (name.endsWith(".keep")) await rm(path.join(folder, name), { force: true });
    },
    async moved(refs) {
      const now = await listReferences(repository);
      return [...new Set(refs)]
        .map((ref) => ({ ref, to: now.get(ref) ?? null, expected: references.get(ref) ?? null }))
        .filter(({ to, expected }) => to !== expected);
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}
