import { jobName } from "#features/jobs/job.ts";
import { statusIcon } from "#features/jobs/pages/job-list.ts";
import { counted } from "#lib/counted.ts";
import { dashboardDocument, time } from "#kit/pages/document.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { changedFiles, type ChangedFiles } from "./changed-files.ts";
import type { Review } from "./review.ts";
import { reviewAside, reviewLead } from "./review-parts.ts";

export interface ReviewPage extends ChangedFiles {
  review: Review;
}

/** Reviews the change of a job whose pull request is on another host, or that has no pull request. */
export function reviewPage(page: ReviewPage): Html {
  const { place, review, changes } = page;
  const { job } = review;
  const title = jobName(job, review.prompts[0]);
  const { pullRequest } = job;
  return dashboardDocument({
    title: `Review: ${title} · ${place.name}`,
    place,
    reader: "member",
    section: "jobs",
    body: html`<div class="heading">
        <h1>${raw(visibleHtml(title))}</h1>
        <p>
          <span class="state job-${job.status}">${statusIcon(job.status)}${job.status}</span>
          <span>${counted(changes.length, "file")} changed, ${time(job.updatedAt)}</span>
        </p>
        ${reviewLead(review)}
      </div>
      <div class="columns review">
        <div>${changes.length === 0 ? nothing(page) : changedFiles(page)}</div>
        <aside>
          ${pullRequest && /^https?:/.test(pullRequest.url) && html`<a class="button primary" href="${pullRequest.url}">Pull request #${pullRequest.number}</a>`}
          ${pullRequest?.previewUrl != null && pullRequest.state === "open" && html`<a class="button" href="${pullRequest.previewUrl}">Preview the site</a>`}
          ${reviewAside(place, review)}
        </aside>
      </div>`,
  });
}

function nothing({ place, review: { job } }: ReviewPage): Html {
  const address = `/${place.slug}/jobs/${job.id}`;
  return html`<p class="note">${
    job.status === "active"
      ? html`The job has published nothing yet. <a href="${address}">Follow it</a>`
      : html`The job changed nothing. <a href="${address}#follow-up">Send it a follow-up</a>`
  }</p>`;
}
