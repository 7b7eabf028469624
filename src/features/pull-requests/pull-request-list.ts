import type { ListedPullRequest } from "#hosts/hosted-pull-requests.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { dashboardDocument, type ShownProject, type Reader, time } from "#kit/pages/document.ts";
import { stateIcon } from "#kit/pages/state-icons.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";

export const LIST_STATES = ["open", "merged", "closed", "all"] as const;
export type ListState = (typeof LIST_STATES)[number];

/** A project's pull requests, newest first. */
export function pullRequestListPage(list: {
  place: ShownProject;
  reader: Reader;
  state: ListState;
  pullRequests: readonly ListedPullRequest[];
  nextHref: string | null;
}): Html {
  const { place, state, pullRequests } = list;
  const tab = (name: ListState) =>
    html`<a href="/${place.slug}/pulls?state=${name}" ${state === name ? raw('aria-current="page"') : ""}>${name[0]?.toUpperCase()}${name.slice(1)}</a>`;
  return dashboardDocument({
    title: `Pull requests · ${place.name}`,
    place,
    reader: list.reader,
    section: "pulls",
    body: html`<div class="heading"><h1>Pull requests</h1></div>
      <nav class="tabs" aria-label="State">${LIST_STATES.map(tab)}</nav>
      ${pullRequestRows(place, pullRequests)}
      ${pullRequests.length === 0 && html`<p class="note">${state === "all" ? "There are no pull requests yet." : `None ${state === "open" ? "is open" : `was ${state}`}.`}</p>`}
      ${list.nextHref && html`<p><a href="${list.nextHref}" rel="next">Older</a></p>`}`,
  });
}

/** Pull requests as a list of links, in the order given. */
export function pullRequestRows(place: ShownProject, pullRequests: readonly ListedPullRequest[]): Html {
  return html`<ul class="pull-list">
    ${pullRequests.map((pullRequest) => {
      const shown = pullRequest.state === "open" && pullRequest.draft ? "draft" : pullRequest.state;
      return html`<li>
        <span class="${shown}">${stateIcon(shown)}</span>
        <a href="/${place.slug}/pull/${pullRequest.number}"><b>${raw(visibleHtml(pullRequest.title))}</b></a>
        <span class="muted">#${pullRequest.number} · ${shown}${pullRequest.proposedBy !== null && html` · by ${raw(visibleHtml(pullRequest.proposedBy))}`} · ${time(pullRequest.updatedAt)}</span>
      </li>`;
    })}
  </ul>`;
}
