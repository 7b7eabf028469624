import { hostedRepository } from "#features/projects/hosted-repository.ts";
import { fileDiff } from "#features/pull-requests/file-diff.ts";
import type { ChangeReader } from "#features/pull-requests/pull-request-view.ts";
import type { ObjectId } from "#git/repo-store.ts";
import type { OthersChange } from "./editor-page.ts";
import { combineEdit, type PageEdit, type LandEditDeps } from "./land-edit.ts";

export interface OthersChangeDeps extends Pick<LandEditDeps, "repoStore" | "clock"> {
  reviews: { readChanges: ChangeReader };
}

/** What others changed in the file since a person opened it. */
export async function readOthersChange(deps: OthersChangeDeps, edit: PageEdit, tip: ObjectId): Promise<OthersChange> {
  const { project, path, base } = edit;
  const range = { base, head: tip };
  const { changes, diffs } = await deps.reviews.readChanges(hostedRepository(project), range, path);
  const change = changes.find((each) => each.path === path && each.status !== "removed");
  const [commit = null] = await deps.repoStore.log(project.id, { ...range, path, limit: 1 });
  const nothingElse = { href: null, editHref: null, followUp: null, why: null, rendered: null, comments: null };
  const shown = change && { change, anchor: "others", diff: diffs.get(path) ?? null, findings: [], ...nothingElse };
  const diff = shown ? fileDiff(shown, { isOpen: true }) : null;
  return { seen: tip, commit, diff, canCombine: (await combineEdit(deps, edit, tip)) !== null };
}
