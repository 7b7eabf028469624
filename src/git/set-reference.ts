import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { ObjectId } from "./objects/objects.ts";
import type { RepoStore } from "./repo-store.ts";

/** Sets a reference regardless of its current value; null deletes it. `AppError unavailable`. */
export async function setReference(
  store: Pick<RepoStore, "resolve" | "updateRef">,
  project: ProjectId,
  target: { ref: string; to: ObjectId | null },
): Promise<void> {
  for (let tries = 0; tries < 5; tries++) {
    const expected = await store.resolve(project, target.ref);
    if (expected === target.to || (await store.updateRef(project, { ...target, expected }))) return;
  }
  throw new AppError("unavailable", "The repository is busy; try again.");
}
