import { existsSync } from "node:fs";
import path from "node:path";
import { BLOBS_AT_HOST } from "#git/mirror/mirrors.ts";
import { isReferenceName } from "#git/refs/references.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { type LocalCopies, listReferences, readHead } from "./local-copy.ts";
import { dropPack, listPacks, packWhole } from "./local-packs.ts";
import { insertRepository, type RepositoryStorage } from "./repository-rows.ts";

/** Stores a directory's repository, including unreachable objects. The directory then serves as its copy. */
export async function storeWhole(
  { storage, copies, logger }: { storage: RepositoryStorage; copies: LocalCopies; logger: Logger },
  project: ProjectId,
  { replaces }: { replaces: boolean },
): Promise<void> {
  const repository = copies.at(project);
  const references = await listReferences(repository);
  for (const name of [...references.keys()].filter((one) => !isReferenceName(one))) {
    logger.warn({ project, reference: name }, "a reference is left out: its name is too long");
    references.delete(name);
  }
  await using pack = await packWhole(repository);
  const state = await insertRepository(storage, project, {
    head: (await readHead(repository)) ?? "main",
    blobs: existsSync(path.join(repository.directory, BLOBS_AT_HOST)) ? "at-host" : "here",
    references,
    pack,
    replaces,
  });
  const { here, kept } = await listPacks(repository);
  await pack?.keep();
  // The kept pack has all their objects.
  for (const name of here) if (pack && name !== pack.name && !kept.has(name)) await dropPack(repository, name);
  await copies.markCurrent(project, state);
}
