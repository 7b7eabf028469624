import type { Context } from "hono";
import type { Docs } from "#docs/tree/page-tree.ts";
import type { Member } from "#features/keys/page-access.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import type { RenderedCommits } from "#features/sites/entrance/rendered-commit.ts";
import type { ObjectId } from "#git/repo-store.ts";
import type { CodeHost, PullRequest } from "#hosts/code-host.ts";
import { sendNotFound, sendProblem } from "#kit/pages/problem-page.ts";
import { type PageStatus, sendPage } from "#kit/pages/send-page.ts";
import { positiveInteger } from "#lib/positive-integer.ts";
import { MAX_TITLE } from "./edit-rules.ts";
import { editorPage, type EditorPage, type Entered, type PageListing } from "./editor-page.ts";
import { findOtherPullRequests, type OtherPullRequestsDeps } from "./other-pull-requests.ts";
import { editableText, readSourceFile } from "./source-file.ts";

export interface OpenFileDeps extends OtherPullRequestsDeps {
  codeHost: Pick<CodeHost, "getPullRequest">;
}

/** The file that an address names. */
export interface OpenedFile extends Member {
  path: string;
  branch: string;
  /** The open pull request that has the branch; null for the branch of the project. */
  pullRequest: PullRequest | null;
  /** The newest commit of the branch here. */
  tip: ObjectId;
}

/** Finds the file of `?path=…&pull=…`, or responds to an address that names none. */
export async function openFile(
  { repoStore, codeHost }: OpenFileDeps,
  c: Context,
  member: Member,
): Promise<OpenedFile | { answer: Response | Promise<Response> }> {
  const { project, place } = member;
  const path = c.req.query("path") ?? "";
  const pull = c.req.query("pull");
  if (path === "") return { answer: c.redirect(`/${place.slug}/pages`, 303) };
  if (pull === undefined) {
    const tip = await repoStore.resolve(project.id, `refs/heads/${project.branch}`);
    if (tip === null) return { answer: c.redirect(`/${place.slug}/pages`, 303) };
    return { ...member, path, branch: project.branch, pullRequest: null, tip };
  }
  const number = project.codeHost === "embedded" ? positiveInteger(pull) : null;
  const pullRequest = number === null ? null : await codeHost.getPullRequest(hostedRepository(project), number);
  if (pullRequest === null) return { answer: sendNotFound(c) };
  if (pullRequest.state !== "open") return { answer: c.redirect(`/${place.slug}/pull/${pullRequest.number}`, 303) };
  const { branch, commit } = pullRequest.head;
  return { ...member, path, branch, pullRequest, tip: commit };
}

/** How the editor is shown: with the file as it is, or with what was entered. */
export interface ShownEditor {
  isNew: boolean;
  entered?: Entered;
  /** The commit that the text is based on; by default the newest one. */
  base?: ObjectId;
  problem?: string;
  others?: EditorPage["others"];
  isCombined?: boolean;
  status?: PageStatus;
}

/** Sends the editor of a file. */
export async function showEditor(
  deps: OpenFileDeps & { rendered: Pick<RenderedCommits, "versionAt"> },
  c: Context,
  file: OpenedFile,
  shown: ShownEditor,
): Promise<Response> {
  const { project, place, session, path, branch, pullRequest } = file;
  const { isNew, base = file.tip, entered, problem = null, others = null, isCombined = false } = shown;
  const { docs, snapshot } = await deps.rendered.versionAt(project, base);
  const source = isNew ? null : await readSourceFile({ docs, snapshot }, path);
  if (source?.kind === "missing" && !entered) {
    const text = [`There is no file ${path.slice(0, 400)} on ${branch}. It may have been moved or removed.`];
    return sendProblem(c, { status: 404, title: "There is no such file", text });
  }
  const own = docs.pagesByPath.get(path) ?? null;
  const name = own?.title ?? path.slice(path.lastIndexOf("/") + 1);
  const text = source?.kind === "text" ? editableText(source.source) : "";
  const fresh = { text, title: `Edit "${name}"`.slice(0, MAX_TITLE), description: "", isForNavigation: true };
  const page: EditorPage = {
    place,
    csrfToken: session.csrfToken,
    path,
    name,
    branch,
    pull: pullRequest?.number ?? null,
    base,
    isNew,
    route: own?.route ?? null,
    refusal: source?.kind === "refused" ? source.reason : null,
    entered: entered ?? fresh,
    isUnsaved: c.req.method === "POST" && entered !== undefined && entered.text !== text,
    navigation: listingOf(docs),
    line: positiveInteger(c.req.query("line")),
    problem,
    others,
    isCombined,
    isConfiguration: path === docs.configFile,
    otherPulls: isNew || pullRequest ? [] : await findOtherPullRequests(deps, project, file),
  };
  return sendPage(c, editorPage(page), { status: shown.status ?? 200, hasFrames: true });
}

function listingOf({ config, tool }: Docs): PageListing {
  if (tool === null) return config.navigation === null ? "folders" : "listed";
  if (tool.chores === undefined) return { madeIn: tool.navigation };
  return tool.chores.navigation === null ? "folders" : "listed";
}
