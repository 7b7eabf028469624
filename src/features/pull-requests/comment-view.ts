import { cutText } from "#lib/cut-text.ts";
import type { DiffHunk } from "#git/history/diff.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { time } from "#kit/pages/document.ts";
import { csrfField, problemNote } from "#kit/pages/post-form.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { counted } from "#lib/counted.ts";
import type { JobId, PersonId } from "#lib/ids.ts";
import type { CurrentLines } from "./comment-lines.ts";
import type { LeftOut, ShownConversation, ShownThread } from "./comment-window.ts";
import type { Comment, LinePlace } from "./comments.ts";

/** A form that was refused: what was entered, and why. */
export interface Draft {
  /** `new`, `line`, or the ID of a thread or comment. */
  form: string;
  text: string;
  problem: string;
  /** Until a limit admits it. */
  retryAfterSeconds?: number;
}

/** The conversation of a pull request for one reader. */
export interface Talk {
  conversation: ShownConversation;
  /** Number of all comments. */
  count: number;
  /** The last review of each person, also those on other pages. */
  verdicts: readonly Comment[];
  /** Their authors who may still approve. */
  reviewers: ReadonlySet<PersonId>;
  /** Markdown by ID of the comment. */
  texts: ReadonlyMap<string, string>;
  /** Rendered texts by ID of the comment; null for an empty one. */
  bodies: ReadonlyMap<string, Html | null>;
  /** What the agent did about comments that mention it, by ID; null while it works. */
  results: ReadonlyMap<string, Html | null>;
  lines: CurrentLines;
  /** Address of the pull request. */
  address: string;
  tab: "conversation" | "files";
  /** The only file that is shown; null for all. */
  path: string | null;
  /** The line whose form is open: `n12` or `o12`. */
  line: string | null;
  /** The comment whose page of the conversation is shown; null for the newest. */
  comments: string | null;
  /** ID of the comment that is being edited. */
  editing: string | null;
  /** Head of the pull request. */
  head: string;
  /** The person who may comment; null for other readers. */
  author: { id: PersonId; csrfToken: string; mayApprove: boolean; isAdmin: boolean } | null;
  /** Members of the project see email addresses. */
  isMember: boolean;
  /** Why the reader cannot comment, for members. */
  obstacle: string | null;
  /** What the reader should know about mentions of the agent. */
  mentionHint: string | null;
  draft: Draft | null;
  /** Address of a job, for members. */
  jobHref: ((id: JobId) => string) | null;
}

export const lineKey = ({ side, line }: Pick<LinePlace, "side" | "line">): string =>
  `${side === "old" ? "o" : "n"}${line}`;

export function readLineKey(key: string): Pick<LinePlace, "side" | "line"> | null {
  const [, side, line] = /^([on])([1-9]\d{0,7})$/.exec(key) ?? [];
  return line === undefined ? null : { side: side === "o" ? "old" : "new", line: Number(line) };
}

/** Names can be the same; members tell people apart by their addresses. */
const nameOf = ({ isMember }: Talk, { author, email }: Comment): Html =>
  html`<b ${isMember && email !== null && html`title="${email}"`}>${raw(visibleHtml(author))}</b>`;

export function hereOf({ address, tab, path, comments }: Talk, query: Record<string, string> = {}): string {
  const kept = { ...(path !== null && { path }), ...(comments !== null && { comments }) };
  const fields = new URLSearchParams({ ...kept, ...query }).toString();
  return `${address}${tab === "files" ? "/files" : ""}${fields === "" ? "" : `?${fields}`}`;
}

/** The fields that bring the reader back to the same page. */
const formFields = ({ author, head, tab, path, comments }: Talk): Html =>
  html`${csrfField(author?.csrfToken ?? "")}<input type="hidden" name="head" value="${head}" /><input type="hidden" name="tab" value="${tab}" />${path !== null && html`<input type="hidden" name="shown" value="${path}" />`}${comments !== null && html`<input type="hidden" name="comments" value="${comments}" />`}`;

const VERDICT_WORDS = { comment: "commented", approve: "approved", changes: "requested changes" } as const;

/** A comment with the actions that its reader may take. */
function commentView(talk: Talk, comment: Comment): Html {
  const { author, head } = talk;
  const { id, verdict, editedAt, note } = comment;
  const isOwn = author !== null && comment.personId === author.id;
  const isEarlier = verdict !== "comment" && comment.commit !== head;
  return html`<article class="comment ${verdict}" id="${id}">
    <header>
      <span>${nameOf(talk, comment)} ${VERDICT_WORDS[verdict]} ${time(comment.createdAt)}</span>
      ${isEarlier && html`<span class="badge">an earlier commit</span>`}
      ${editedAt !== null && html`<span class="muted">edited ${time(editedAt)}</span>`}
      ${
        (isOwn || author?.isAdmin) &&
        html`<span class="comment-actions">
          ${isOwn && html`<a class="quiet" href="${hereOf(talk, { edit: id })}#${id}" aria-label="Edit the comment by ${comment.author}">Edit</a>`}
          <details class="ask">
            <summary class="quiet" aria-label="Delete the comment by ${comment.author}">Delete</summary>
            <form method="post" action="${talk.address}/comments/${id}/delete">${formFields(talk)}<button class="button danger">Delete comment</button></form>
          </details>
        </span>`
      }
    </header>
    ${
      talk.editing === id && isOwn
        ? writeForm(talk, { action: `${talk.address}/comments/${id}/edit`, form: id, label: "Comment", text: talk.texts.get(id) ?? "", buttons: html`<a class="button" href="${hereOf(talk)}#${id}">Cancel</a> <button class="button primary">Save</button>` }) // oxfmt-ignore
        : talk.bodies.get(id) && html`<div class="prose">${talk.bodies.get(id)}</div>`
    }
    ${note !== null && html`<p class="agent-note">Not sent to the agent: ${raw(visibleHtml(note))}</p>`} ${agentReply(talk, comment)}
  </article>`;
}

function agentReply({ results, jobHref }: Talk, { id, message }: Comment): Html | null {
  if (message === null) return null;
  const result = results.get(id) ?? null;
  const job = message.jobId === null || jobHref === null ? null : html` <a href="${jobHref(message.jobId)}">Job</a>`;
  return html`<div class="agent-reply" id="reply-${id}" data-live>
    <p><b>Docent</b> ${result === null ? "works on it." : "answered:"}${job}</p>
    ${result !== null && html`<div class="prose">${result}</div>`}
  </div>`;
}

function writeForm(
  talk: Talk,
  form: { action: string; form: string; label: string; text?: string; before?: Html; buttons: Html },
): Html {
  const draft = talk.draft?.form === form.form ? talk.draft : null;
  const field = `text-${form.form}`;
  return html`<form class="form write" method="post" action="${form.action}">
    ${formFields(talk)} ${problemNote(draft?.problem)} ${form.before}
    <label class="hidden" for="${field}">${form.label}</label>
    <textarea id="${field}" name="body" rows="3" placeholder="${form.label}">${draft?.text ?? form.text ?? ""}</textarea>
    <div class="send">
      <small>Markdown works. ${form.form === "new" || form.form === "line" || form.form.startsWith("thr_") ? talk.mentionHint : null}</small>
      <span class="buttons">${form.buttons}</span>
    </div>
  </form>`;
}

/** The form for a comment on the whole pull request, or for a review. */
export function newCommentForm(talk: Talk, { isOpen }: { isOpen: boolean }): Html | null {
  const { author, address } = talk;
  if (author === null) return talk.obstacle === null ? null : html`<p class="muted">${talk.obstacle}</p>`;
  const review =
    author.mayApprove &&
    isOpen &&
    html`<button class="button" name="verdict" value="changes">Request changes</button>
      <button class="button" name="verdict" value="approve">Approve</button>`;
  return html`<section class="comment-new" aria-label="New comment" id="new-comment">
    ${writeForm(talk, { action: `${address}/comment`, form: "new", label: "Write a comment", buttons: html`${review} <button class="button primary" name="verdict" value="comment">Comment</button>` })}
  </section>`;
}

/** The place of a line in words. `line`: its current number; null if it is outdated. */
const placeInWords = ({ path, side, line: former }: LinePlace, line: number | null): string =>
  `${path}, ${side === "old" ? "removed line" : "line"} ${line ?? former}`;

const MAX_QUOTE = 300;

/** What the agent is told of the line of a comment. `line` as above; a line that is not in the head is quoted. */
export function aboutLine(place: LinePlace, { line, lineText }: { line: number | null; lineText: string }): string {
  const where = placeInWords(place, line);
  if (line !== null && place.side === "new") return where;
  return `${where}${line === null ? ", which later commits changed" : ""}: “${cutText(lineText.trim(), MAX_QUOTE)}”`;
}

/** A thread with its comments, an answer, and its state. */
export function threadView(talk: Talk, thread: ShownThread): Html {
  const { author, address, lines } = talk;
  const { id, place, comments, resolvedBy, lineText, earlier, later } = thread;
  const line = lines.get(id) ?? null;
  const maySettle = author !== null && (author.mayApprove || thread.startedBy === author.id);
  const state = (action: string, label: string) =>
    html`<form method="post" action="${address}/threads/${id}/${action}">${formFields(talk)}<button class="button">${label}</button></form>`;
  const where = placeInWords(place, line);
  const content = html`${moreComments(talk, "earlier", earlier)} ${comments.map((comment) => commentView(talk, comment))}
    ${moreComments(talk, "later", later)}
    <footer>
      ${
        author !== null &&
        html`<details class="reply" ${talk.draft?.form === id && raw("open")}>
          <summary class="button">Reply</summary>
          ${writeForm(talk, { action: `${address}/comment`, form: id, label: "Write a reply", before: html`<input type="hidden" name="thread" value="${id}" />`, buttons: html`<button class="button primary">Reply</button>` })}
        </details>`
      }
      ${maySettle && (resolvedBy === null ? state("resolve", "Resolve") : state("reopen", "Reopen"))}
    </footer>`;
  const quote =
    talk.tab === "conversation" &&
    html`<p class="thread-place">
        ${line === null ? raw(visibleHtml(where)) : html`<a href="${address}/files?path=${encodeURIComponent(place.path)}#${id}">${raw(visibleHtml(where))}</a>`}
        ${line === null && html`<span class="badge" title="Later commits changed or removed the line">outdated</span>`}
      </p>
      <pre class="thread-line">${raw(visibleHtml(lineText)) || " "}</pre>`;
  return html`<section class="thread card" id="${id}" aria-label="Comments on ${where}">
    ${quote}
    ${
      resolvedBy === null
        ? content
        : html`<details class="resolved" ${comments.some((comment) => comment.id === talk.editing) && raw("open")}>
            <summary>${raw(visibleHtml(resolvedBy))} resolved this · ${counted(countIn(thread), "comment")}</summary>
            ${content}
          </details>`
    }
  </section>`;
}

/** The number of comments in a thread, with those on other pages. */
export const countIn = ({ comments, earlier, later }: ShownThread): number =>
  comments.length + (earlier?.count ?? 0) + (later?.count ?? 0);

/** Leads to the page with the comments that this one leaves out. */
export const moreComments = (talk: Talk, side: "earlier" | "later", left: LeftOut | null): Html | null =>
  left &&
  html`<p class="more-comments"><a href="${hereOf(talk, { comments: left.id })}#${left.id}">Show ${counted(left.count, `${side} comment`)}</a></p>`;

export const remarkView = (talk: Talk, comment: Comment): Html =>
  html`<div class="card remark-card">${commentView(talk, comment)}</div>`;

/** The form for a comment on a line. A choice of lines of the hunk makes it usable with the keyboard. */
export function lineForm(talk: Talk, { path, hunk }: { path: string; hunk: DiffHunk }): Html {
  const options = hunk.lines.map(({ kind, oldNumber, newNumber }) => {
    const key = kind === "removed" ? `o${oldNumber}` : `n${newNumber}`;
    const label = kind === "removed" ? `${oldNumber} (removed)` : String(newNumber);
    return html`<option value="${key}" ${key === talk.line && raw("selected")}>${label}</option>`;
  });
  const before = html`<input type="hidden" name="path" value="${path}" />
    <label class="on-line">On line <select name="line">${options}</select></label>`;
  return html`<div class="card line-form" id="comment-line">
    ${writeForm(talk, {
      action: `${talk.address}/comment`,
      form: "line",
      label: "Write a comment on this line",
      before,
      buttons: html`<a class="button" href="${hereOf(talk)}">Cancel</a> <button class="button primary">Comment</button>`,
    })}
  </div>`;
}
