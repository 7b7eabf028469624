import { type Context, Hono } from "hono";
import { askerOf, noteDoer } from "#features/keys/actor.ts";
import { personIn } from "#features/keys/holder.ts";
import type { Member, ProjectAccess } from "#features/keys/page-access.ts";
import type { PageDraft, RenderedCommits } from "#features/sites/entrance/rendered-commit.ts";
import type { Database } from "#db/database.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import { isObjectId, type Identity, type ObjectId } from "#git/objects/objects.ts";
import { noteSubject } from "#kit/http/context.ts";
import { formFields } from "#kit/pages/form-fields.ts";
import { FORM_STATUSES } from "#kit/pages/form-pages.ts";
import { limitedForm, sendPage } from "#kit/pages/send-page.ts";
import { AppError } from "#lib/app-error.ts";
import type { Logger } from "#lib/logger.ts";
import { createDraftProblems } from "./draft-problems.ts";
import { refuseOutsideDocs, refuseUnfit, refuseUnproposable } from "./edit-rules.ts";
import { type Entered, problemsPart } from "./editor-page.ts";
import { combineEdit, editedContent, landEdit, type LandEditDeps, type PageEdit } from "./land-edit.ts";
import { failureOf, sendKeptText } from "./kept-text.ts";
import { createNewestOnly } from "./newest-only.ts";
import { openFile, type OpenedFile, type OpenFileDeps, showEditor } from "./opened-file.ts";
import { readOthersChange, type OthersChangeDeps } from "./others-change.ts";
import { editableText, MAX_EDITED_BYTES } from "./source-file.ts";

export interface PageEditorDeps extends LandEditDeps, OthersChangeDeps, OpenFileDeps {
  access: ProjectAccess;
  database: Database;
  logger: Logger;
  codeHost: LandEditDeps["codeHost"] & OpenFileDeps["codeHost"];
  rendered: Pick<RenderedCommits, "versionAt" | "openDraft" | "answerDraft">;
  /** The one for work in the background. */
  contentProcess: Parameters<typeof createDraftProblems>[0]["contentProcess"];
}

/** A line end in a form has two bytes, and the limit of the file is checked with a better message. */
const MAX_FORM_BYTES = 3 * MAX_EDITED_BYTES;

/** What the buttons of the form do, by the value of `do`. */
const ACTIONS = ["propose", "replace", "combine", "preview", "problems"] as const;
type EditAction = (typeof ACTIONS)[number];

/** A form of the editor, as it was sent. */
interface SentEdit {
  isNew: boolean;
  entered: Entered;
  /** The commit that the text is based on. */
  base: ObjectId;
  /** The browser's name of the draft; empty without scripts. */
  draft: string;
}

/** `POST /{slug}/pages/edit`: previews, checks, combines and proposes an edit. */
export function createEditFormRoute(deps: PageEditorDeps): Hono {
  const { access, repoStore, rendered } = deps;
  const findProblems = createDraftProblems(deps);
  const runNewest = createNewestOnly();
  const routes = new Hono();

  routes.post("/:slug/pages/edit", limitedForm(MAX_FORM_BYTES), async (c) => {
    try {
      return await answerForm(c);
    } catch (error) {
      const action = (await formFields(c))("do");
      if (action === "preview" || action === "problems") throw error;
      return sendKeptText(c, error);
    }
  });

  async function answerForm(c: Context): Promise<Response> {
    const { pathname, search } = new URL(c.req.url);
    const opened = await access.openForm(c, { signInTo: pathname + search, needs: "write" });
    if (opened.answer) return opened.answer;
    const { field, session, project } = opened;
    const file = await openFile(deps, c, opened);
    if ("answer" in file) return file.answer;
    const sent: SentEdit = {
      isNew: c.req.query("new") === "yes",
      entered: enteredIn(field),
      base: file.tip,
      draft: field("draft"),
    };
    const action = ACTIONS.find((name) => name === (field("do") || "propose"));
    const isLanding = action === "propose" || action === "replace";
    // The other actions change nothing that anybody sees.
    if (!isLanding) noteDoer(c, { doer: session, projectId: project.id, action: "previewPage" });
    try {
      if (!action) throw new AppError("invalid", `A form of the editor can ${ACTIONS.join(", ")}: no other "do".`);
      sent.base = await knownCommit(file, field("base"));
      await judge(file, sent);
      if (action === "preview" || action === "problems") return await renderDraft(c, file, { ...sent, action });
      if (action === "propose") return await land(c, file, { ...sent, over: sent.base });
      // The version that the form showed beside the text. It may be older than the newest one.
      const seen = await knownCommit(file, field("seen"));
      return await (action === "combine"
        ? combine(c, file, { ...sent, seen })
        : land(c, file, { ...sent, over: seen }));
    } catch (error) {
      const isDraft = action === "preview" || action === "problems";
      const status = error instanceof AppError ? FORM_STATUSES[error.code] : undefined;
      if (!(error instanceof AppError) || status === undefined) {
        if (isDraft) throw error;
        // If not even the file can be read, the text is shown without the editor.
        return await showEditor(deps, c, file, { ...sent, ...failureOf(c, error) });
      }
      if (error.retryAfterSeconds) c.header("Retry-After", String(error.retryAfterSeconds));
      if (isDraft) return c.text(error.message, status);
      return await showEditor(deps, c, file, { ...sent, problem: error.message, status });
    }
  }

  /** `AppError` for an edit that must not be made or previewed. */
  async function judge({ project, place, path, tip }: OpenedFile, { entered, base }: SentEdit): Promise<void> {
    if (place.isArchived) throw new AppError("conflict", "An archived project takes no changes. Unarchive it first.");
    refuseUnfit(entered);
    const isInBase = (await commitSnapshot(repoStore, project.id, base).read(path)) !== null;
    const version = await rendered.versionAt(project, tip);
    await refuseOutsideDocs(version, { path, text: entered.text, isInBase });
  }

  async function renderDraft(
    c: Context,
    { project, session, path }: OpenedFile,
    { action, base, entered }: SentEdit & { action: EditAction },
  ): Promise<Response> {
    const content = await editedContent(deps, { project, path, base, text: entered.text });
    const key = `${action} ${project.id} ${personIn(session)?.id ?? session.fingerprint}`;
    return await runNewest(key, c.req.raw.signal, async (signal) => {
      const draft: PageDraft = { commit: base, path, content, signal };
      if (action === "preview") return rendered.answerDraft(c, project, draft);
      const opened = await rendered.openDraft(project, draft);
      const before = await commitSnapshot(repoStore, project.id, base).read(path);
      return sendPage(c, problemsPart(await findProblems(project.id, { ...draft, ...opened, before })));
    });
  }

  async function editOf(file: OpenedFile, { entered, base }: SentEdit): Promise<Omit<PageEdit, "signal">> {
    return { ...entered, project: file.project, path: file.path, base, author: await authorOf(file) };
  }

  /** Shows the text with what others changed until `seen`, to be read before it is proposed. */
  async function combine(c: Context, file: OpenedFile, sent: SentEdit & { seen: ObjectId }): Promise<Response> {
    const combined = await combineEdit(deps, await editOf(file, sent), sent.seen);
    if (combined === null) throw new AppError("conflict", "The changes do not fit together any more.");
    const entered = { ...sent.entered, text: editableText(Buffer.from(combined).toString("utf8")) };
    return showEditor(deps, c, file, { ...sent, base: sent.seen, entered, isCombined: true });
  }

  /** Commits the text in place of the file at `over`, or shows what others made of that file meanwhile. */
  async function land(c: Context, file: OpenedFile, sent: SentEdit & { over: ObjectId }): Promise<Response> {
    const { project, place, session, path, pullRequest, tip } = file;
    const { entered, isNew } = sent;
    await refuseUnproposable(await rendered.versionAt(project, tip), { path, ...entered });
    if (pullRequest !== null) noteDoer(c, { doer: session, projectId: project.id, action: "pull/edit" });
    const edit: PageEdit = {
      ...(await editOf(file, sent)),
      isForNavigation: isNew && entered.isForNavigation,
      signal: c.req.raw.signal,
    };
    const landed = await landEdit(deps, { ...edit, base: sent.over }, pullRequest);
    if (landed.outcome === "changed") {
      const others = await readOthersChange(deps, edit, landed.tip);
      return showEditor(deps, c, file, { ...sent, others, status: 409 });
    }
    const { number, url } = landed.pullRequest;
    noteSubject(c, `${path} in pull request #${number}`);
    const target = project.codeHost === "embedded" ? new URL(url).pathname : `/${place.slug}/pages?proposed=${number}`;
    return c.redirect(target + (/^\w{1,40}$/.test(sent.draft) ? `#sent=${sent.draft}` : ""), 303);
  }

  /** `AppError invalid` for anything but a commit of the repository. */
  async function knownCommit({ project }: OpenedFile, named: string): Promise<ObjectId> {
    const commit = isObjectId(named) ? await repoStore.resolve(project.id, named) : null;
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

const enteredIn = (field: (name: string) => string): Entered => ({
  text: field("text").replaceAll("\r", "\n"),
  title: field("title").trim(),
  description: field("description").trim(),
  isForNavigation: field("navigation") === "yes",
});
