import { createHash } from "node:crypto";
import type { TryChoresDeps } from "#features/jobs/chores/try-routes.ts";
import { replant } from "#features/jobs/publishing/replant.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import type { Project } from "#features/projects/project.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { Identity, ObjectId, RepoStore } from "#git/repo-store.ts";
import { readFrontMatter } from "#docs/front-matter.ts";
import type { CodeHost, PullRequest } from "#hosts/code-host.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { withLineEnds } from "./source-file.ts";

export interface LandEditDeps {
  codeHost: Pick<CodeHost, "fetchBranch" | "push" | "ensurePullRequest">;
  repoStore: RepoStore;
  clock: Clock;
  tryChores: TryChoresDeps["tryChores"];
}

/** An edit of one file, as a person sends it. */
export interface PageEdit {
  project: Project;
  path: string;
  /** The commit that the person read. A file that it does not have is new. */
  base: ObjectId;
  text: string;
  /** First line of the commit and title of the pull request. */
  title: string;
  description: string;
  author: Identity;
  /** Adds a new page to the navigation, in the same commit. */
  isForNavigation: boolean;
  signal: AbortSignal;
}

export type LandedEdit =
  | { outcome: "landed"; pullRequest: PullRequest }
  /** The file is not what the person read: `tip` has another version of it. Nothing was written. */
  | { outcome: "changed"; tip: ObjectId };

/** Each of several saves at once makes the others try again. */
const MAX_PUSHES = 10;

/**
 * Commits an edit to the branch of an open pull request, or to a new branch with a pull request of its own. Never
 * overwrites what others changed in the file meanwhile. `AppError invalid` for an edit without a change, `conflict` when
 * the branch is gone or the code host refuses the push.
 */
export async function landEdit(
  deps: LandEditDeps,
  edit: PageEdit,
  pullRequest: PullRequest | null,
): Promise<LandedEdit> {
  const repository = hostedRepository(edit.project);
  const branch = pullRequest?.head.branch ?? edit.project.branch;
  for (let pushes = 0; pushes < MAX_PUSHES; pushes++) {
    const tip = await deps.codeHost.fetchBranch(repository, branch);
    if (tip === null) throw new AppError("conflict", `The branch ${branch} does not exist any more.`);
    const read = await readAt(deps, edit, edit.base);
    if (!isSame(read, await readAt(deps, edit, tip))) return { outcome: "changed", tip };
    const content = contentOf(edit, read);
    if (isSame(read, content))
      throw new AppError("invalid", `Nothing is changed: the text is the same as on ${branch}.`);
    const placed = edit.isForNavigation ? await addToNavigation(deps, edit, tip) : null;
    const tree = await deps.repoStore.snapshot(edit.project.id, {
      base: placed?.tree ?? tip,
      edits: [{ path: edit.path, content }],
    });
    const { title, description, author } = edit;
    const message = description === "" ? `${title}\n` : `${title}\n\n${description}\n`;
    const made = { tree, parents: [tip], message, author, at: deps.clock.now() };
    const commit = await deps.repoStore.commit(edit.project.id, made);
    if (pullRequest === null)
      return { outcome: "landed", pullRequest: await propose(deps, edit, { commit, note: placed?.note ?? "" }) };
    const pushed = await deps.codeHost.push(repository, { branch, commit, expected: tip });
    if (pushed.outcome === "pushed") return { outcome: "landed", pullRequest };
    if (pushed.outcome !== "moved") throw refusedPush(pushed.reason);
  }
  throw new AppError("conflict", `Others are pushing to ${branch}. Try again in a moment.`);
}

const refusedPush = (reason: string) => new AppError("conflict", `The code host refused the commit: ${reason}`);

/** Opens the pull request of a commit, on a branch of its own. */
async function propose(
  { codeHost }: LandEditDeps,
  edit: PageEdit,
  { commit, note }: { commit: ObjectId; note: string },
): Promise<PullRequest> {
  const { project, title, description, author } = edit;
  const repository = hostedRepository(project);
  const name = branchName(edit);
  // Where a branch is named `edit`, git can create none below it.
  for (const head of [`edit/${name}`, `edit-${name}`]) {
    const pushed = await codeHost.push(repository, { branch: head, commit, expected: null });
    if (pushed.outcome === "name_taken") continue;
    if (pushed.outcome === "denied") throw refusedPush(pushed.reason);
    // Where the branch exists, the same form was sent before, and its answer may have been lost.
    // On another host the pull request is opened with the project's token, not by the person.
    const by = project.codeHost === "embedded" ? "" : `Proposed in Docent by ${author.name}.`;
    const body = [description, note, by].filter((part) => part !== "").join("\n\n");
    const ensured = await codeHost.ensurePullRequest(repository, {
      head,
      base: project.branch,
      title,
      body,
      draft: false,
    });
    if (ensured.outcome === "denied" || ensured.outcome === "empty") {
      const reason = ensured.outcome === "denied" ? ensured.reason : "it has no changes.";
      throw new AppError("conflict", `The commit is on the branch ${head}, but there is no pull request: ${reason}`);
    }
    return ensured.pullRequest;
  }
  throw refusedPush("a branch of this name exists.");
}

/** Words of the path and a hash of the edit: two edits of a page have two branches, and an edit that is sent twice has one. */
function branchName({ project: _, signal: __, ...edit }: PageEdit): string {
  const hash = createHash("sha256").update(JSON.stringify(edit));
  const words = edit.path
    .replace(/\.[^./]*$/, "")
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(-40)
    .replaceAll(/^-|-$/g, "");
  return `${words === "" ? "page" : words}-${hash.digest("hex").slice(0, 8)}`;
}

/** The tree of `tip` with a new page that is in the navigation, and what was done or why not, for the pull request. */
async function addToNavigation(
  deps: LandEditDeps,
  { project, path, text, signal }: PageEdit,
  tip: ObjectId,
): Promise<{ tree: ObjectId | null; note: string }> {
  const { title } = readFrontMatter(text).attributes;
  const input = { path, title: typeof title === "string" && title.trim() !== "" ? title.trim() : path };
  const wanted = { commit: tip, chores: [{ tool: "add_page", input }], withoutChecks: true, withTree: true, signal };
  const { tree = null, chores } = await deps.tryChores(project, wanted);
  const [tried] = chores;
  if (tree !== null) return { tree, note: [`${tried?.summary ?? ""}.`, ...(tried?.notes ?? [])].join("\n") };
  return { tree, note: `The page is not in the navigation. ${tried?.summary ?? ""}` };
}

/**
 * The text that has both an edit and what others changed in the file meanwhile; null when both changed the same lines, or
 * the file is gone.
 */
export async function combineEdit(
  deps: Pick<LandEditDeps, "repoStore" | "clock">,
  edit: Pick<PageEdit, "project" | "path" | "base" | "text">,
  tip: ObjectId,
): Promise<Uint8Array | null> {
  const { repoStore, clock } = deps;
  const { project, base, path } = edit;
  const tree = await repoStore.snapshot(project.id, {
    base,
    edits: [{ path, content: await editedContent(deps, edit) }],
  });
  const planted = await replant(repoStore, project.id, { from: base, tree, at: clock.now(), onto: tip });
  return planted.ok ? readAt(deps, edit, planted.tree) : null;
}

/** The file with the edited text: with the line ends and the byte order mark that it has in the commit that was read. */
export const editedContent = async (
  deps: Pick<LandEditDeps, "repoStore">,
  edit: Pick<PageEdit, "project" | "path" | "base" | "text">,
): Promise<Uint8Array> => contentOf(edit, await readAt(deps, edit, edit.base));

const readAt = (
  { repoStore }: Pick<LandEditDeps, "repoStore">,
  { project, path }: Pick<PageEdit, "project" | "path">,
  commit: ObjectId,
): Promise<Uint8Array | null> => commitSnapshot(repoStore, project.id, commit).read(path);

const contentOf = ({ text }: Pick<PageEdit, "text">, before: Uint8Array | null): Uint8Array =>
  Buffer.from(withLineEnds(before === null ? "" : Buffer.from(before).toString("utf8"), text));

const isSame = (one: Uint8Array | null, other: Uint8Array | null): boolean =>
  one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
