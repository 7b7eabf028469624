import type { Job, JobStatus } from "#features/jobs/job.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { dashboardDocument, type ShownProject, time } from "#kit/pages/document.ts";
import { jobName, statusIcon, statusWord } from "./job-status.ts";
import { type NewJobForm, newJobForm } from "./new-job-form.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";

export const JOB_FILTERS = ["all", "active", "completed", "failed", "archived"] as const;
export type JobFilter = JobStatus | "all";

/** A job with the start of its first instruction. */
export interface ListedJob {
  job: Job;
  prompt: string | undefined;
}

export const LIST_REFRESH_SECONDS = 4;
export const isAnyActive = (jobs: readonly ListedJob[]): boolean => jobs.some(({ job }) => job.status === "active");

/** Jobs as a list of links, in the order given. */
export function jobList(place: ShownProject, jobs: readonly ListedJob[]): Html {
  return html`<ul class="job-list" id="jobs" data-live>
    ${jobs.map(
      ({ job, prompt }) =>
        html`<li>
          <span title="${job.status}">${statusIcon(job.status)}</span>
          <a href="/${place.slug}/jobs/${job.id}"><b>${raw(visibleHtml(jobName(job, prompt)))}</b></a>
          <span class="muted">
            <span class="word">${statusWord(job)}</span>
            ${job.pullRequest && html`· #${job.pullRequest.number} ${job.pullRequest.state}`}
            ${job.messageCount > 1 && html`· ${job.messageCount} messages`} · ${time(job.createdAt)}
          </span>
        </li>`,
    )}
  </ul>`;
}

export interface JobListPage {
  place: ShownProject;
  script: string;
  filter: JobFilter;
  jobs: readonly ListedJob[];
  nextHref: string | null;
  form: NewJobForm;
}

/** A project's jobs, newest first, and the form for a new one. */
export function jobListPage({ place, script, filter, jobs, nextHref, form }: JobListPage): Html {
  const tab = (name: JobFilter) =>
    html`<a href="/${place.slug}/jobs${name === "all" ? "" : `?status=${name}`}" ${filter === name ? raw('aria-current="page"') : ""}>${name[0]?.toUpperCase()}${name.slice(1)}</a>`;
  return dashboardDocument({
    title: `Jobs · ${place.name}`,
    place,
    reader: "member",
    section: "jobs",
    script,
    // A form that came back would be lost on a page that loads itself again.
    live: isAnyActive(jobs) && form.refused === null ? { refreshSeconds: LIST_REFRESH_SECONDS } : {},
    body: html`<div class="heading"><h1>Jobs</h1></div>
      ${newJobForm(form)}
      <nav class="tabs" aria-label="Status">${JOB_FILTERS.map(tab)}</nav>
      ${jobList(place, jobs)}
      ${jobs.length === 0 && html`<p class="note">${filter === "all" ? "There are no jobs yet." : `No job is ${filter}.`}</p>`}
      ${nextHref && html`<p><a href="${nextHref}" rel="next">Older</a></p>`}`,
  });
}
