import { type Context, Hono } from "hono";
import type { CodeHost, PullRequest } from "#hosts/code-host.ts";
import type { HostedPullRequests } from "#hosts/hosted-pull-requests.ts";
import type { SubmitDeps } from "#features/jobs/requests/submit.ts";
import type { Person } from "#features/accounts/people.ts";
import { doerOf, noteDoer } from "#features/keys/actor.ts";
import { lacksRole } from "#features/keys/page-access.ts";
import { noteSubject } from "#kit/http/context.ts";
import { findComplaint } from "#kit/http/text-rules.ts";
import { may } from "#kit/pages/document.ts";
import { formFields } from "#kit/pages/form-fields.ts";
import { sendForbidden, sendNotFound, sendProblem } from "#kit/pages/problem-page.ts";
import { limitedForm } from "#kit/pages/send-page.ts";
import { AppError } from "#lib/app-error.ts";
import { isSameSecret } from "#lib/secrets/secret.ts";
import {
  type Comment,
  commentsOf,
  COMMENT_RULES,
  type Conversation,
  deleteComment,
  editComment,
  type NewComment,
  readConversation,
  resolveThread,
  VERDICTS,
} from "./comments.ts";
import { type CommentGuards, countComment } from "./comment-limit.ts";
import type { LineFinder } from "./comment-lines.ts";
import { aboutLine, type Draft, readLineKey } from "./comment-view.ts";
import { pathOn, sideOf } from "./line-comments.ts";
import type { Viewer } from "./merge-box.ts";
import { postComment } from "./post-comment.ts";
import type { PullRequestAccess, ReadableRepository } from "./pull-request-access.ts";
import type { PullRequestViews } from "./pull-request-view.ts";
import type { ShownPart } from "./read-talk.ts";

interface CommentRoutesDeps {
  submit: SubmitDeps;
  codeHost: Pick<CodeHost, "getPullRequest"> & Pick<HostedPullRequests, "pullRequestRange">;
  access: PullRequestAccess;
  views: PullRequestViews;
  commentGuards: CommentGuards;
  findLines: LineFinder;
  /** Shows the page with a refused form. */
  show(c: Context, page: { repository: ReadableRepository; viewer: Viewer; number: number }, part: ShownPart): Promise<Response>; // oxfmt-ignore
}

/** A form by a person who may read the pull request. */
interface Entered {
  repository: ReadableRepository;
  viewer: Viewer;
  person: Person;
  pullRequest: PullRequest;
  conversation: Conversation;
  field(name: string): string;
}

/** Why a form is refused, and which one shows it; see `Draft`. */
type Refusal = Omit<Draft, "text">;

/** The ID of a comment in an address or form; null for anything else. */
export const readCommentId = (text: string | null): string | null =>
  text !== null && /^cmt_[0-9a-z]{26}$/.test(text) ? text : null;

const NUMBER = ":number{[1-9][0-9]{0,8}}";
/** Fits a comment of the largest size: a character takes up to 9 bytes in a form. */
const MAX_FORM_BYTES = 100_000;

/** The forms of a conversation. Everyone who may read the pull request as a member may comment; reviews need an editor. */
export function createCommentRoutes(deps: CommentRoutesDeps): Hono {
  const { submit, access, codeHost } = deps;
  const { database, clock } = submit;

  const enter = async (c: Context): Promise<Entered | Response> => {
    const { repository, viewer, answer } = await access.write(c, "read");
    if (answer) return answer;
    const { person, csrfToken } = viewer;
    const pullRequest =
      repository.url === null ? await codeHost.getPullRequest(repository, Number(c.req.param("number"))) : null;
    if (pullRequest === null) return sendNotFound(c);
    const field = await formFields(c);
    if (csrfToken === null || !isSameSecret(field("csrf"), csrfToken)) return sendForbidden(c);
    if (!person) return sendProblem(c, NEEDS_ACCOUNT);
    const { projectId } = repository;
    const conversation = await readConversation(database.kysely, { projectId, number: pullRequest.number });
    return { repository, viewer, person, pullRequest, conversation, field };
  };
  /** Back to the page of the form, at a comment or thread. */
  const back = (
    c: Context,
    { repository, pullRequest, field }: Entered,
    { fragment, isNew = false }: { fragment: string; isNew?: boolean },
  ) => {
    const isOnFiles = field("tab") === "files";
    const path = isOnFiles ? field("path") || field("shown") : "";
    // A new comment is on the page of the newest.
    const comments = isNew ? null : readCommentId(field("comments"));
    const query = new URLSearchParams({ ...(path !== "" && { path }), ...(comments !== null && { comments }) });
    const end = `${isOnFiles ? "/files" : ""}${query.size === 0 ? "" : `?${query.toString()}`}${fragment}`;
    return c.redirect(`/${repository.slug}/pull/${pullRequest.number}${end}`, 303);
  };
  const refuse = (c: Context, entered: Entered, refusal: Refusal) => {
    const { form } = refusal;
    const { repository, viewer, pullRequest, field } = entered;
    // The form for a comment on the whole change is there.
    const isOnFiles = form !== "new" && (field("tab") === "files" || field("path") !== "");
    return deps.show(
      c,
      { repository, viewer, number: pullRequest.number },
      {
        tab: isOnFiles ? "files" : "conversation",
        path: isOnFiles ? field("path") || field("shown") || null : null,
        line: field("line") || null,
        comments: form === "new" ? null : readCommentId(field("comments")),
        editing: readCommentId(form),
        draft: { ...refusal, text: field("body") },
      },
    );
  };
  const withForm = (work: (c: Context, entered: Entered) => Promise<Response> | Response) => async (c: Context) => {
    const entered = await enter(c);
    return entered instanceof Response ? entered : work(c, entered);
  };

  /** What a new comment is about, or why it cannot be. */
  const placeIn = async (entered: Entered): Promise<NewComment["on"] | Refusal> => {
    const { repository, pullRequest, conversation, field } = entered;
    const threadId = field("thread");
    const path = field("path");
    if (threadId !== "")
      return conversation.threads.some(({ id }) => id === threadId)
        ? { threadId }
        : { form: "new", problem: "This thread was deleted meanwhile." };
    if (path === "") return null;
    const view = await deps.views.read(repository, pullRequest.number, path);
    const wanted = readLineKey(field("line"));
    const diff = view?.diffs.get(path);
    const line = diff?.hunks
      .flatMap(({ lines }) => lines)
      .find((one) => sideOf(one).side === wanted?.side && sideOf(one).line === wanted.line);
    if (view?.range == null || !diff || !line)
      return { form: "new", problem: "This line is not part of the change. Send the comment on the whole change instead, or choose a line." }; // oxfmt-ignore
    if (view.range.head !== field("head"))
      return { form: "line", problem: "The branch has new commits. Check that this is still the line that you mean, and send again." }; // oxfmt-ignore
    const { side, line: number } = sideOf(line);
    return {
      path: pathOn(diff.change, side),
      side,
      line: number,
      commit: side === "old" ? view.range.base : view.range.head,
      lineText: line.segments.map(({ text }) => text).join(""),
    };
  };

  /** Whether a review is about a commit of the pull request. */
  const isCommitOf = async ({ repository, pullRequest }: Entered, commit: string): Promise<boolean> => {
    const view = await deps.views.read(repository, pullRequest.number, null);
    return view?.commits.some(({ id }) => id === commit) ?? false;
  };

  /** What the agent is told of the line of a comment. It can read only lines that are in the head. */
  const aboutOf = async (entered: Entered, on: NewComment["on"]): Promise<string | null> => {
    if (on === null) return null;
    const { repository, pullRequest, conversation } = entered;
    if ("path" in on) return aboutLine(on, { line: on.line, lineText: on.lineText });
    const thread = conversation.threads.find(({ id }) => id === on.threadId);
    if (thread === undefined) return null;
    const range = await codeHost.pullRequestRange(repository, pullRequest.number);
    const lines = await deps.findLines(repository.projectId, range, [thread]);
    return aboutLine(thread.place, { line: lines.get(thread.id) ?? null, lineText: thread.lineText });
  };

  const post = async (c: Context, entered: Entered): Promise<Response> => {
    const { repository, viewer, person, pullRequest, field } = entered;
    const verdict = VERDICTS.find((one) => one === field("verdict")) ?? "comment";
    const form = field("thread") || (field("path") === "" ? "new" : "line");
    const place = await placeIn(entered);
    if (place !== null && "problem" in place) return refuse(c, entered, place);
    if (verdict !== "comment" && !may(viewer, "write")) return sendProblem(c, lacksRole(repository.name, "write"));
    const body = field("body").trim();
    const problem =
      verdict !== "comment" && (place !== null || pullRequest.state !== "open")
        ? "Only an open pull request can be approved, as a whole."
        : complaintOf({ body, verdict });
    if (problem !== null) return refuse(c, entered, { form, problem });
    const seen = field("head") === "" ? pullRequest.head.commit : field("head");
    if (verdict !== "comment" && !(await isCommitOf(entered, seen)))
      return refuse(c, entered, { form, problem: "The branch was replaced since you opened this page. Review its current commits, and send again." }); // oxfmt-ignore
    const wait = countComment(deps.commentGuards, clock, person.id);
    if (wait !== null) return refuse(c, entered, { form, ...wait });
    try {
      const made = await postComment(
        submit,
        {
          projectId: repository.projectId,
          number: pullRequest.number,
          body,
          verdict,
          commit: verdict === "comment" ? pullRequest.head.commit : seen,
          by: person,
          on: place,
        },
        {
          mention: repository.mention,
          level: viewer.level ?? "read",
          branch: pullRequest.head.branch,
          askedBy: person,
          about: await aboutOf(entered, place),
        },
      );
      if (verdict !== "comment") noteDoer(c, { ...doerOf(c)!, action: `pull/${verdict}` });
      return back(c, entered, { fragment: `#${made.threadId ?? made.id}`, isNew: true });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "conflict") throw error;
      return refuse(c, entered, { form, problem: error.message });
    }
  };

  /** Finds the comment of a form. Only its author edits it, so that nobody writes in the name of another; admins can delete it. */
  const withOwn = (
    { isForAdmins }: { isForAdmins: boolean },
    work: (c: Context, entered: Entered, comment: Comment) => Promise<Response>,
  ) =>
    withForm(async (c, entered) => {
      const { conversation, person, viewer } = entered;
      const comment = commentsOf(conversation).find(({ id }) => id === c.req.param("comment"));
      if (!comment) return sendNotFound(c);
      if (comment.personId !== person.id && !(isForAdmins && may(viewer, "admin"))) return sendProblem(c, NOT_YOURS);
      return work(c, entered, comment);
    });
  const settle = (isResolved: boolean) =>
    withForm(async (c, entered) => {
      const { conversation, person, viewer, repository } = entered;
      const thread = conversation.threads.find(({ id }) => id === c.req.param("thread"));
      if (!thread) return sendNotFound(c);
      if (!may(viewer, "write") && thread.comments[0]?.personId !== person.id)
        return sendProblem(c, lacksRole(repository.name, "write"));
      await resolveThread(database, { id: thread.id, by: isResolved ? person.name : null, at: clock.now() });
      return back(c, entered, { fragment: `#${thread.id}` });
    });

  const base = `/:slug/pull/${NUMBER}`;
  const comment = `${base}/comments/:comment{cmt_[0-9a-z]{26}}`;
  const thread = `${base}/threads/:thread{thr_[0-9a-z]{26}}`;
  const limit = limitedForm(MAX_FORM_BYTES);
  const routes = new Hono();
  routes.post(`${base}/comment`, limit, withForm(post));
  routes.post(
    `${comment}/edit`,
    limit,
    withOwn({ isForAdmins: false }, async (c, entered, { id, verdict }) => {
      const body = entered.field("body").trim();
      const problem = complaintOf({ body, verdict });
      if (problem !== null) return refuse(c, entered, { form: id, problem });
      const redact = await submit.redactFor(database.kysely, entered.repository.projectId);
      await editComment(database, { id, body: redact(body), at: clock.now() });
      return back(c, entered, { fragment: `#${id}` });
    }),
  );
  routes.post(
    `${comment}/delete`,
    limit,
    withOwn({ isForAdmins: true }, async (c, entered, found) => {
      await deleteComment(database, found);
      noteSubject(c, found.author);
      return back(c, entered, { fragment: "" });
    }),
  );
  routes.post(`${thread}/resolve`, limit, settle(true));
  routes.post(`${thread}/reopen`, limit, settle(false));
  return routes;
}

function complaintOf({ body, verdict }: Pick<NewComment, "body" | "verdict">): string | null {
  if (body === "" && verdict === "changes") return "Say what should change.";
  if (body === "" && verdict === "comment") return "Write a comment first.";
  const complaint = findComplaint(COMMENT_RULES, body);
  return complaint && `A comment ${complaint}.`;
}

const NEEDS_ACCOUNT = {
  status: 403,
  title: "Comments need an account",
  text: ["You are signed in with an API key, which has no name.", "Sign in with the account of a person."],
} as const;

const NOT_YOURS = {
  status: 403,
  title: "This is someone else's comment",
  text: ["Its author can change it. Its author and the admins of the project can delete it."],
} as const;
