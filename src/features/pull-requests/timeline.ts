import type { CommitInfo } from "#git/repo-store.ts";
import { time } from "#kit/pages/document.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { stateIcon } from "#kit/pages/state-icons.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { moreComments, remarkView, type Talk, threadView } from "./comment-view.ts";
import type { PullRequestView } from "./pull-request-view.ts";

interface Entry {
  at: Date;
  shown: Html;
}

/** Commits, comments, reviews and the end of a pull request, in order of time. */
export function timeline({ commits, pullRequest }: Pick<PullRequestView, "commits" | "pullRequest">, talk: Talk): Html {
  const entries: Entry[] = [
    ...commits.map((commit) => ({ at: commit.authoredAt, shown: commitLine(commit) })),
    ...talk.conversation.remarks.map((comment) => ({
      at: comment.createdAt,
      shown: html`<li class="has-card">${remarkView(talk, comment)}</li>`,
    })),
    ...talk.conversation.threads.map((thread) => ({
      at: thread.comments[0]?.createdAt ?? new Date(0),
      shown: html`<li class="has-card">${threadView(talk, thread)}</li>`,
    })),
  ].sort((one, other) => one.at.getTime() - other.at.getTime());
  const { earlier, later } = talk.conversation;
  const { state, updatedAt, mergedCommit } = pullRequest;
  // Comments can follow the end.
  const end = state === "open" ? -1 : entries.findIndex(({ at }) => at > updatedAt);
  if (state !== "open")
    entries.splice(end === -1 ? entries.length : end, 0, {
      at: updatedAt,
      shown: html`<li class="end ${state}">
        ${stateIcon(state)} <span>${state === "merged" ? "Merged" : "Closed"} ${mergedCommit !== null && html`as <code>${mergedCommit.slice(0, 7)}</code> `}${time(updatedAt)}</span>
      </li>`,
    });
  // Each commit is on the page of the comments around it.
  const here = entries.filter(({ at }) => (earlier === null || at > earlier.at) && (later === null || at < later.at));
  return html`${moreComments(talk, "earlier", earlier)}
    <ol class="timeline" aria-label="Conversation">
      ${here.map(({ shown }) => shown)}
    </ol>
    ${moreComments(talk, "later", later)}`;
}

function commitLine(commit: CommitInfo): Html {
  return html`<li>
    <span class="subject">${raw(visibleHtml(commit.subject))}</span>
    <span class="when"><span class="by">${raw(visibleHtml(commit.author.name))}</span> ${time(commit.authoredAt)} <code title="${commit.id}">${commit.id.slice(0, 7)}</code></span>
  </li>`;
}

/** Who approved and who requested changes, last. */
export function reviewers(talk: Talk): Html | null {
  const { verdicts, reviewers: current, head, bodies, address } = talk;
  if (verdicts.length === 0) return null;
  return html`<ul class="reviewers" aria-label="Reviews">
    ${verdicts.map(
      ({ id, personId, author, verdict, commit }) =>
        html`<li class="${verdict}">
          <a href="${!bodies.has(id) && `${address}?comments=${id}`}#${id}"><b>${raw(visibleHtml(author))}</b> ${verdict === "approve" ? "approved" : "requested changes"}</a>
          ${commit !== head && html`<span class="badge">an earlier commit</span>`}
          ${(personId === null || !current.has(personId)) && html`<span class="badge" title="This person may not approve changes any more">no longer a reviewer</span>`}
        </li>`,
    )}
  </ul>`;
}
