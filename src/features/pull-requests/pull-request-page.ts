import type { PullRequest } from "#hosts/code-host.ts";
import type { CommitInfo } from "#git/repo-store.ts";
import type { JobId } from "#lib/ids.ts";
import { nameInTrailer } from "#git/objects/objects.ts";
import { counted } from "#lib/counted.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { problemNote } from "#kit/pages/post-form.ts";
import { dashboardDocument, type ShownProject, time } from "#kit/pages/document.ts";
import { changedFiles, type ChangedFiles, shownFiles } from "./changed-files.ts";
import { counts, fileName, lineCounts, type ShownFile } from "./file-diff.ts";
import type { Review } from "./review.ts";
import { reviewAside, reviewLead } from "./review-parts.ts";
import { mergeBox, readerOf, type Viewer } from "./merge-box.ts";
import type { PullRequestView } from "./pull-request-view.ts";
import { moreComments, newCommentForm, type Talk } from "./comment-view.ts";
import { reviewers, timeline } from "./timeline.ts";
import { stateIcon } from "#kit/pages/state-icons.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";

export type Tab = "conversation" | "commits" | "files";

export interface PullRequestPage {
  place: ShownProject;
  view: PullRequestView;
  tab: Tab;
  viewer: Viewer;
  description: Html | null;
  repositoryUrl: string;
  /** Another service publishes the site. */
  isPublishedElsewhere: boolean;
  /** Address of the preview; null when the pull request is merged or closed. */
  previewUrl: string | null;
  /** The agent's job behind it, for readers who may see jobs. */
  review: Review | null;
  /** The only file to show on the files tab; null for all. */
  path: string | null;
  talk: Talk;
  /** Why the last action failed; null if it did not. */
  problem: string | null;
}

const MAX_NAMED_FILES = 12;
const REFRESH_SECONDS = 5;
const MAX_ASKERS = 3;

/** The people and keys that asked the agent for the change, from its job, or from the commits where jobs are not shown. */
function askersOf({ view, review }: PullRequestPage): Html | null {
  const named = review
    ? [...review.askers.values()]
    : view.commits.flatMap(({ trailers }) => nameInTrailer(trailers["Co-authored-by"]) ?? []);
  const names = [...new Set(named)];
  if (names.length === 0) return null;
  const more = names.length > MAX_ASKERS ? ` and ${names.length - MAX_ASKERS} more` : "";
  return html` for <b>${raw(visibleHtml(names.slice(0, MAX_ASKERS).join(", ")))}</b>${more}`;
}

export function pullRequestPage(page: PullRequestPage): Html {
  const { pullRequest } = page.view;
  // The agent works on a comment.
  const isWorking = page.tab !== "commits" && [...page.talk.results.values()].includes(null);
  return dashboardDocument({
    title: `${pullRequest.title} · #${pullRequest.number} · ${page.place.name}`,
    place: page.place,
    reader: readerOf(page.viewer),
    section: "pulls",
    ...(isWorking && { live: { refreshSeconds: REFRESH_SECONDS } }),
    body: html`${heading(page)} ${tabs(page)} ${problemNote(page.problem)} ${lostCommits(page)}
    ${page.tab === "commits" ? commits(page) : page.tab === "files" ? filesTab(page) : conversation(page)}`,
  });
}

/** A repository that was restored from a clone has no pull requests that are over. */
const lostCommits = ({ view }: PullRequestPage): Html | null =>
  view.range === null && view.pullRequest.state !== "open"
    ? html`<p class="note">The repository does not have the commits of this pull request, so its changes cannot be shown. To propose
        them again, push the branch from a clone that has it, and open a new pull request.</p>`
    : null;

const address = ({ place, view }: PullRequestPage): string => `/${place.slug}/pull/${view.pullRequest.number}`;
const shownState = (pullRequest: PullRequest) =>
  pullRequest.state === "open" && pullRequest.draft ? "draft" : pullRequest.state;

function heading(page: PullRequestPage): Html {
  const { view, tab, description, review } = page;
  const { pullRequest, commits: made } = view;
  const state = shownState(pullRequest);
  // The description already has the full request and summary.
  const isDescribed = tab === "conversation" && description !== null;
  const author = made[0]?.author.name ?? "Someone";
  const who = html`<b>${raw(visibleHtml(author))}</b>${askersOf(page)}`;
  const what = counted(made.length, "commit");
  const sentence = {
    open: html`${who} wants to merge ${what} into`,
    draft: html`${who} is working on ${what} for`,
    merged: html`${what} by ${who} ${made.length === 1 ? "was" : "were"} merged into`,
    closed: html`${who} wanted to merge ${what} into`,
  }[state];
  return html`<div class="heading">
    <h1>${raw(visibleHtml(pullRequest.title))} <span class="number">#${pullRequest.number}</span></h1>
    <p>
      <span class="state ${state}">${stateIcon(state)}${state}</span>
      <span>${sentence} <code>${pullRequest.base.branch}</code> from <code>${pullRequest.head.branch}</code></span>
    </p>
    ${review && !isDescribed && reviewLead(review)}
  </div>`;
}

function tabs(page: PullRequestPage): Html {
  const { view } = page;
  const tab = (name: Tab, label: string, count: number | null) => {
    const current = page.tab === name ? raw('aria-current="page"') : "";
    const href = name === "conversation" ? address(page) : `${address(page)}/${name}`;
    return html`<a href="${href}" ${current}>${label} ${count !== null && html`<span class="count">${count}</span>`}</a>`;
  };
  return html`<nav class="tabs" aria-label="Pull request">
    ${tab("conversation", "Conversation", page.talk.count || null)} ${tab("commits", "Commits", view.commits.length)}
    ${tab("files", "Files changed", view.changes.length)} ${counts(view.additions, view.deletions)}
  </nav>`;
}

function conversation(page: PullRequestPage): Html {
  const { view } = page;
  const { pullRequest } = view;
  return html`<div class="columns">
      <div class="thread">
        ${mergeBox({ address: address(page), view, viewer: page.viewer, isPublishedElsewhere: page.isPublishedElsewhere })}
        ${reviewers(page.talk)}
        <article class="card description">
          <h2 class="card-head">
            <b>${raw(visibleHtml(view.commits[0]?.author.name ?? "Someone"))}</b> opened this${askersOf(page)}
            ${time(pullRequest.createdAt)}
          </h2>
          <div class="prose">${page.description ?? html`<p class="muted">No description.</p>`}</div>
        </article>
        ${timeline(view, page.talk)} ${newCommentForm(page.talk, { isOpen: pullRequest.state === "open" })}
      </div>
      <aside>
        ${page.previewUrl !== null && html`<a class="button" href="${page.previewUrl}">Preview the site</a>`}
        ${page.review && reviewAside(page.place, page.review)}
        <section>
          <h2>Files</h2>
          ${fileList(shownFiles(filesOf(page)))}
        </section>
        <section>
          <h2>Try it locally</h2>
          <pre class="command">git fetch ${page.repositoryUrl} ${fetchable(pullRequest)}
git checkout FETCH_HEAD</pre>
        </section>
        <p><a href="${address(page)}.diff">Raw diff</a></p>
      </aside>
    </div>
    ${changedFiles({ ...filesOf(page), isBelow: true })}`;
}

/** The agent's job that created a pull request, from the trailers of its commits. */
export function jobOf(commits: readonly CommitInfo[]): JobId | null {
  const named = commits.map((commit) => commit.trailers["Docent-Job"] ?? "");
  return (named.find((job) => /^job_[0-9a-z]{26}$/.test(job)) as JobId | undefined) ?? null;
}

/** A merged branch is deleted, but its commits can be fetched by the pull request's number. */
const fetchable = (pullRequest: PullRequest): string =>
  pullRequest.state === "open" ? pullRequest.head.branch : `refs/pull/${pullRequest.number}/head`;

function commits({ view }: PullRequestPage): Html {
  return html`<ol class="commits">
    ${view.commits.map(
      (commit) =>
        html`<li class="card">
          <p class="subject"><b>${raw(visibleHtml(commit.subject))}</b> <code title="${commit.id}">${commit.id.slice(0, 7)}</code></p>
          <p class="muted">${raw(visibleHtml(commit.author.name))} committed ${time(commit.authoredAt)}</p>
          ${commit.body !== "" && html`<pre class="message">${raw(visibleHtml(commit.body))}</pre>`}
          ${trailers(commit)}
        </li>`,
    )}
  </ol>`;
}

function trailers(commit: CommitInfo): Html | null {
  const entries = Object.entries(commit.trailers);
  if (entries.length === 0) return null;
  return html`<dl class="trailers">
    ${entries.map(([key, value]) => html`<div><dt>${key}</dt><dd>${raw(visibleHtml(value))}</dd></div>`)}
  </dl>`;
}

const filesOf = (page: PullRequestPage): ChangedFiles => ({
  ...page,
  ...page.view,
  address: `${address(page)}/files`,
  isOpen: page.view.pullRequest.state === "open",
  number: page.view.pullRequest.number,
});

/** Threads on lines that are on another page of the conversation are named above the files. */
const filesTab = (
  page: PullRequestPage,
): Html => html`${moreComments(page.talk, "earlier", page.talk.conversation.earlier)}
  ${moreComments(page.talk, "later", page.talk.conversation.later)} ${changedFiles(filesOf(page))}`;

/** The first files, and the rest behind a line with their number, because a scrolling list does not show that it has more. */
function fileList(shown: readonly ShownFile[]): Html {
  const list = (files: readonly ShownFile[]) =>
    html`<ul class="file-list">
      ${files.map(
        (file) => html`<li><a href="#${file.anchor}">${raw(fileName(file.change))}</a> ${lineCounts(file.change)}</li>`,
      )}
    </ul>`;
  const rest = shown.slice(MAX_NAMED_FILES);
  return html`${list(shown.slice(0, MAX_NAMED_FILES))}
  ${
    rest.length > 0 &&
    html`<details class="more-files">
      <summary>${counted(rest.length, "more file")}</summary>
      ${list(rest)}
    </details>`
  }`;
}
