import type { Person } from "#features/accounts/people.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { csrfField } from "#kit/pages/post-form.ts";
import type { PullRequestView } from "./pull-request-view.ts";
import { stateIcon } from "#kit/pages/state-icons.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { may, type Reader, type ShownProject, time } from "#kit/pages/document.ts";

/** The viewer of the page. `csrfToken` is null for someone who is not signed in. */
export interface Viewer extends Pick<ShownProject, "level" | "personName"> {
  isMember: boolean;
  /** The person, for comments and the commit of a merge; null for an API key. */
  person?: Person | null;
  signInUrl: string;
  csrfToken: string | null;
}

export const readerOf = ({ csrfToken, isMember }: Viewer): Reader =>
  csrfToken === null ? "stranger" : isMember ? "member" : "guest";

interface MergeBox {
  address: string;
  view: PullRequestView;
  viewer: Viewer;
  /** Another service publishes the site. */
  isPublishedElsewhere: boolean;
}

const MAX_LISTED_CONFLICTS = 20;

/** The state of the pull request and the actions that are available. */
export function mergeBox(box: MergeBox): Html {
  const { pullRequest, mergeability, mergedBy } = box.view;
  const { base, head } = pullRequest;
  if (pullRequest.state === "merged") {
    return frame(
      "merged",
      html`<h2>Merged into ${base.branch}</h2>
      <p>
        ${pullRequest.mergedCommit !== null && html`As commit <code>${pullRequest.mergedCommit.slice(0, 7)}</code>,`}
        ${mergedBy !== null && html`by <b>${raw(visibleHtml(mergedBy))}</b>,`} ${time(pullRequest.updatedAt)}. The branch ${head.branch} was deleted.
      </p>`,
    );
  }
  if (pullRequest.state === "closed") {
    return frame(
      "closed",
      html`<h2>Closed without being merged</h2>
      <p>${time(pullRequest.updatedAt)}. Nothing of it is on ${base.branch}.</p>`,
    );
  }
  if (mergeability?.ok === false) {
    return frame(
      "conflict",
      html`<h2>This branch conflicts with ${base.branch}</h2>
      <p>Both changed the same lines. Push a resolution to ${head.branch}, or ask the agent in a follow-up message.</p>
      <ul>${mergeability.conflicts.slice(0, MAX_LISTED_CONFLICTS).map((path) => html`<li><code>${raw(visibleHtml(path))}</code></li>`)}</ul>
      ${actions(box, { canMerge: false })}`,
    );
  }
  if (pullRequest.draft) {
    return frame(
      "draft",
      html`<h2>This is a draft</h2>
      <p>It can be merged once it is marked as ready.</p>
      ${actions(box, { canMerge: false })}`,
    );
  }
  if (mergeability?.ok === true && mergeability.changesNothing) {
    return frame(
      "open",
      html`<h2>Nothing to merge</h2>
      <p>Everything in it is on ${base.branch} already: a merge would change nothing.</p>
      ${actions(box, { canMerge: false })}`,
    );
  }
  return frame(
    "open",
    html`<h2>Ready to merge</h2>
    <p>
      No conflicts with ${base.branch}. ${
        box.isPublishedElsewhere
          ? "Merging makes one commit of all changes. The site is published elsewhere: push the commit to the repository that it is built from."
          : "Merging makes one commit of all changes, and the site shows them at once."
      }
    </p>
    ${actions(box, { canMerge: true })}`,
  );
}

function frame(state: Parameters<typeof stateIcon>[0], content: Html): Html {
  return html`<section class="merge-box ${state}">
    ${stateIcon(state)}
    <div>${content}</div>
  </section>`;
}

function actions({ address, view, viewer }: MergeBox, { canMerge }: { canMerge: boolean }): Html {
  if (viewer.csrfToken === null) {
    return html`<p class="actions"><a class="button" href="${viewer.signInUrl}">Sign in to ${canMerge ? "merge or close" : "close"}</a></p>`;
  }
  if (!viewer.isMember) return html`<p class="muted">You are not a member of this project.</p>`;
  if (!may(viewer, "write")) return html`<p class="muted">Editors and admins of the project can merge or close it.</p>`;
  const fields = html`${csrfField(viewer.csrfToken)}
    <input type="hidden" name="head" value="${view.pullRequest.head.commit}" />`;
  return html`<div class="actions">
    ${
      view.pullRequest.draft &&
      html`<form method="post" action="${address}/ready">${fields}<button class="button">Mark as ready</button></form>`
    }
    ${
      canMerge &&
      html`<form method="post" action="${address}/merge">
        ${fields}<button class="button primary">Merge pull request</button>
      </form>`
    }
    <form method="post" action="${address}/close">${fields}<button class="button">Close</button></form>
  </div>`;
}
