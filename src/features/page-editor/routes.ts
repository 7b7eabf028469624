import { type Context, Hono } from "hono";
import { askerOf, noteDoer } from "#features/keys/actor.ts";
import { personIn } from "#features/keys/holder.ts";
import type { Member, ProjectAccess } from "#features/keys/page-access.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import type { Project } from "#features/projects/project.ts";
import type { PageDraft, RenderedCommits } from "#features/sites/entrance/rendered-commit.ts";
import type { Database } from "#db/database.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import { pagesFolder } from "#docs/tree/new-page-path.ts";
import { isObjectId, type Identity, type ObjectId } from "#git/objects/objects.ts";
import type { CodeHost, PullRequest } from "#hosts/code-host.ts";
import { noteSubject } from "#kit/http/context.ts";
import { sendNotFound, sendProblem } from "#kit/pages/problem-page.ts";
import { limitedForm, type PageStatus, sendPage } from "#kit/pages/send-page.ts";
import { AppError } from "#lib/app-error.ts";
import type { Logger } from "#lib/logger.ts";
import { createDraftProblems } from "./draft-problems.ts";
import { MAX_TITLE, refuseOutsideDocs, refuseUnfit, refuseUnproposable } from "./edit-rules.ts";
import { editorPage, type EditorPage, type Entered, problemsPart } from "./editor-page.ts";
import { combineEdit, type PageEdit, editedContent, landEdit, type LandEditDeps } from "./land-edit.ts";
import { mayEdit, pagesPage } from "./list-page.ts";
import { listFiles } from "./listed-files.ts";
import { readOthersChange, type OthersChangeDeps } from "./others-change.ts";
import { findOtherPullRequests, type OtherPullRequestsDeps } from "./other-pull-requests.ts";
import { createNewestOnly } from "./newest-only.ts";
import { newPagePage, readNewPath, frontMatterFor } from "./new-page.ts";
import { editableText, MAX_EDITED_BYTES, readSourceFile } from "./source-file.ts";

export interface PageEditorRoutesDeps extends LandEditDeps, OthersChangeDeps, OtherPullRequestsDeps {
  access: ProjectAccess;
  database: Database;
  logger: Logger;
  codeHost: LandEditDeps["codeHost"] & Pick<CodeHost, "getPullRequest">;
  rendered: Pick<RenderedCommits, "versionAt" | "openDraft" | "answerDraft">;
  /** The one for work in the background. */
  contentProcess: Parameters<typeof createDraftProblems>[0]["contentProcess"];
}

/** A line end in a form has two bytes, and the limit of the file is checked with a better message. */
const MAX_FORM_BYTES = 3 * MAX_EDITED_BYTES;

/** Errors that are shown above the text, which stays. */
const STATUSES: Readonly<Partial<Record<AppError["code"], PageStatus>>> = {
  invalid: 400,
  conflict: 409,
  not_found: 409,
  too_large: 413,
  rate_limited: 429,
  unavailable: 503,
};

/** The file that an address names. */
interface Place extends Member {
  path: string;
  branch: string;
  pullRequest: PullRequest | null;
  /** The newest commit of the branch here. */
  tip: ObjectId;
}

/** `/{slug}/pages`: the files of the docs, the editor of one, and a new page. */
export function createPageEditorRoutes(deps: PageEditorRoutesDeps): Hono {
  const { access, repoStore, codeHost, rendered } = deps;
  const findProblems = createDraftProblems(deps);
  const runNewest = createNewestOnly();
  const routes = new Hono();

  const tipOf = ({ id, branch }: Project) => repoStore.resolve(id, `refs/heads/${branch}`);

  /** The place that a request names, or its answer. */
  async function placeOf(c: Context, member: Member): Promise<Place | { answer: Response | Promise<Response> }> {
    const { project, place } = member;
    const path = c.req.query("path") ?? "";
    const pull = c.req.query("pull");
    if (path === "") return { answer: c.redirect(`/${place.slug}/pages`, 303) };
    if (pull === undefined) {
      const tip = await tipOf(project);
      if (tip === null) return { answer: c.redirect(`/${place.slug}/pages`, 303) };
      return { ...member, path, branch: project.branch, pullRequest: null, tip };
    }
    const isHere = project.codeHost === "embedded" && /^[1-9]\d{0,8}$/.test(pull);
    const pullRequest = isHere ? await codeHost.getPullRequest(hostedRepository(project), Number(pull)) : null;
    if (pullRequest === null) return { answer: sendNotFound(c) };
    if (pullRequest.state !== "open") return { answer: c.redirect(`/${place.slug}/pull/${pullRequest.number}`, 303) };
    const { branch, commit } = pullRequest.head;
    return { ...member, path, branch, pullRequest, tip: commit };
  }

  /** Shows the editor, with what was entered or with the file as it is. */
  async function show(
    c: Context,
    at: Place,
    shown: {
      isNew: boolean;
      entered?: Entered;
      base?: ObjectId;
      problem?: string;
      others?: EditorPage["others"];
      isCombined?: boolean;
      status?: PageStatus;
    },
  ) {
    const { project, place, session, path, branch, pullRequest } = at;
    const { isNew, base = at.tip, problem = null, others = null, isCombined = false } = shown;
    const { docs, snapshot } = await rendered.versionAt(project, base);
    const file = isNew ? null : await readSourceFile({ docs, snapshot }, path);
    if (file?.kind === "missing" && !shown.entered) {
      const text = [`There is no file ${path.slice(0, 400)} on ${branch}. It may have been moved or removed.`];
      return sendProblem(c, { status: 404, title: "There is no such file", text });
    }
    const own = docs.pagesByPath.get(path) ?? null;
    const name = own?.title ?? path.slice(path.lastIndexOf("/") + 1);
    const source = file?.kind === "text" ? editableText(file.source) : "";
    const fresh = { text: source, title: `Edit "${name}"`.slice(0, MAX_TITLE), description: "", isForNavigation: true };
    const line = Number(/^[1-9]\d{0,6}$/.exec(c.req.query("line") ?? "")?.[0] ?? 0) || null;
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
      refusal: file?.kind === "refused" ? file.reason : null,
      entered: shown.entered ?? fresh,
      isUnsaved: shown.entered !== undefined && shown.entered.text !== source,
      hasNavigation: docs.config.navigation !== null || docs.tool !== null,
      line,
      problem,
      others,
      isCombined,
      isConfiguration: path === docs.configFile,
      otherPulls: isNew || pullRequest ? [] : await findOtherPullRequests(deps, project, at),
    };
    return sendPage(c, editorPage(page), { status: shown.status ?? 200, hasFrames: true });
  }

  routes.get("/:slug/pages", async (c) => {
    const opened = await access.open(c);
    if (opened.answer) return opened.answer;
    const { project, place } = opened;
    const search = (c.req.query("search") ?? "").trim().slice(0, 200);
    const tip = await tipOf(project);
    const number = Number(/^[1-9]\d{0,8}$/.exec(c.req.query("proposed") ?? "")?.[0] ?? 0);
    const proposed = number === 0 ? null : await codeHost.getPullRequest(hostedRepository(project), number);
    const listed = tip === null ? null : listFiles(await rendered.versionAt(project, tip), search);
    return sendPage(c, pagesPage({ place, search, listed, proposed }));
  });

  routes.get("/:slug/pages/new", async (c) => {
    const opened = await access.open(c, "write");
    if (opened.answer) return opened.answer;
    const { project, place } = opened;
    const tip = await tipOf(project);
    if (tip === null || !mayEdit(place)) return c.redirect(`/${place.slug}/pages`, 303);
    const version = await rendered.versionAt(project, tip);
    const query = (name: string, max: number) => (c.req.query(name) ?? "").trim().slice(0, max);
    const asked = {
      path: query("path", 400),
      title: query("title", MAX_TITLE),
      description: query("description", 500),
    };
    const ask = (problem: string | null) =>
      sendPage(c, newPagePage({ place, ...asked, folder: pagesFolder(version.docs), problem }), {
        status: problem === null ? 200 : 400,
      });
    if (c.req.query("path") === undefined) return ask(null);
    try {
      if (asked.title === "") throw new AppError("invalid", "Enter the title of the page.");
      const path = await readNewPath(version, asked);
      const at = { ...opened, path, branch: project.branch, pullRequest: null, tip };
      const title = `Add "${asked.title}"`.slice(0, MAX_TITLE);
      return await show(c, at, {
        isNew: true,
        entered: { text: frontMatterFor(asked), title, description: "", isForNavigation: true },
      });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "invalid") throw error;
      return ask(error.message);
    }
  });

  routes.get("/:slug/pages/edit", async (c) => {
    const opened = await access.open(c);
    if (opened.answer) return opened.answer;
    const at = await placeOf(c, opened);
    return "answer" in at ? at.answer : show(c, at, { isNew: false });
  });

  routes.post("/:slug/pages/edit", limitedForm(MAX_FORM_BYTES), async (c) => {
    const { pathname, search } = new URL(c.req.url);
    const opened = await access.openForm(c, { signInTo: pathname + search, needs: "write" });
    if (opened.answer) return opened.answer;
    const { field, session, project, place } = opened;
    const at = await placeOf(c, opened);
    if ("answer" in at) return at.answer;
    const { path, pullRequest } = at;
    const isNew = c.req.query("new") === "yes";
    const entered: Entered = {
      text: field("text").replaceAll("\r", "\n"),
      title: field("title").trim(),
      description: field("description").trim(),
      isForNavigation: field("navigation") === "yes",
    };
    const wanted = field("do");
    let base = at.tip;
    // Nothing is stored by these.
    if (wanted !== "") noteDoer(c, { doer: session, projectId: project.id, action: "previewPage" });
    try {
      if (!mayEdit(place)) throw new AppError("conflict", "An archived project takes no changes. Unarchive it first.");
      refuseUnfit(entered);
      base = await knownCommit(project, field("base"));
      const before = await commitSnapshot(repoStore, project.id, base).read(path);
      const version = await rendered.versionAt(project, at.tip);
      await refuseOutsideDocs(version, { path, text: entered.text, isInBase: before !== null });
      if (wanted === "preview" || wanted === "problems") {
        const content = await editedContent(deps, { project, path, base, ...entered });
        const commit = base;
        const key = `${wanted} ${project.id} ${personIn(session)?.id ?? session.fingerprint}`;
        return await runNewest(key, c.req.raw.signal, async (signal) => {
          const draft: PageDraft = { commit, path, content, signal };
          if (wanted === "preview") return rendered.answerDraft(c, project, draft);
          const opened = await rendered.openDraft(project, draft);
          return sendPage(c, problemsPart(await findProblems(project.id, { ...draft, ...opened, before })));
        });
      }
      const edit: PageEdit = {
        ...entered,
        project,
        path,
        base,
        author: await authorOf(opened),
        isForNavigation: isNew && entered.isForNavigation,
        signal: c.req.raw.signal,
      };
      if (wanted === "combine") {
        // The form is based on what others changed; the text is not yet.
        const read = await knownCommit(project, field("read"));
        const combined = await combineEdit(deps, { ...edit, base: read }, base);
        if (combined === null) throw new AppError("conflict", "The changes do not fit together any more.");
        const text = editableText(Buffer.from(combined).toString("utf8"));
        return await show(c, at, { isNew, base, entered: { ...entered, text }, isCombined: true });
      }
      await refuseUnproposable(version, { path, ...entered });
      if (pullRequest !== null) noteDoer(c, { doer: session, projectId: project.id, action: "pull/edit" });
      const landed = await landEdit(deps, edit, pullRequest);
      if (landed.outcome === "changed") {
        const others = await readOthersChange(deps, edit, landed.tip);
        return await show(c, at, { isNew, entered, base: landed.tip, others, status: 409 });
      }
      const { number, url } = landed.pullRequest;
      noteSubject(c, `${path} in pull request #${number}`);
      const target =
        project.codeHost === "embedded" ? new URL(url).pathname : `/${place.slug}/pages?proposed=${number}`;
      const sent = /^\w{1,40}$/.test(field("draft")) ? `#sent=${field("draft")}` : "";
      return c.redirect(target + sent, 303);
    } catch (error) {
      const status = error instanceof AppError ? STATUSES[error.code] : undefined;
      if (!(error instanceof AppError) || status === undefined) throw error;
      if (error.retryAfterSeconds) c.header("Retry-After", String(error.retryAfterSeconds));
      if (wanted === "preview" || wanted === "problems") return c.text(error.message, status);
      return show(c, at, { isNew, entered, base, problem: error.message, status });
    }
  });

  /** `AppError invalid` for anything but a commit of the repository. */
  async function knownCommit({ id }: Project, named: string): Promise<ObjectId> {
    const commit = isObjectId(named) ? await repoStore.resolve(id, named) : null;
    if (commit === null)
      throw new AppError(
        "invalid",
        "The commit that this text is based on is unknown. Compare it with the file before you send it again.",
      );
    return commit;
  }

  async function authorOf({ session }: Member): Promise<Identity> {
    const person = personIn(session);
    if (person) return { name: person.name, email: person.email };
    const asker = await askerOf(deps.database, session);
    return { name: asker?.name ?? "Docent", email: "docent@localhost" };
  }

  return routes;
}
