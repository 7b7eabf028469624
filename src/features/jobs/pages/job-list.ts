import { type Job, jobName, type JobStatus, type JobPhase, type JobPullRequest } from "#features/jobs/job.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { dashboardDocument, may, mayStartWork, type ShownProject, time } from "#kit/pages/document.ts";
import { type NewJobForm, newJobForm } from "./new-job.ts";
import { type EnteredSearch, entriesOf, jobSearchForm } from "./job-search.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { withCurrentPullRequest } from "#features/jobs/jobs.ts";
import { firstMessages } from "#features/jobs/requests/messages.ts";
import type { SubmitDeps } from "#features/jobs/requests/submit.ts";
import type { Project } from "#features/projects/project.ts";

/** Looks over all docs and shows what it found. */
export const AUDIT_PATH = "jobs/chores?chore=audit&try=yes";

export const JOB_FILTERS = ["all", "active", "completed", "failed", "archived"] as const;
export type JobFilter = JobStatus | "all";

/** A job with the start of its first instruction. */
export interface ListedJob {
  job: Job;
  prompt: string | undefined;
  /** The person or key that created it; null for one of an automation. */
  askedBy: string | null;
}

export const LIST_REFRESH_SECONDS = 4;
export const isAnyActive = (jobs: readonly ListedJob[]): boolean => jobs.some(({ job }) => job.status === "active");

/** Jobs as a list of links, in the order given. */
export function jobList(place: ShownProject, jobs: readonly ListedJob[]): Html {
  const isStuck = jobs.some(({ job }) => job.notice !== null);
  return html`<div id="jobs" data-live>${isStuck && noWorkerNote(place)}<ul class="job-list">
    ${jobs.map(
      ({ job, prompt, askedBy }) =>
        html`<li>
          <span title="${job.status}">${statusIcon(job.status)}</span>
          <a href="/${place.slug}/jobs/${job.id}"><b>${raw(visibleHtml(jobName(job, prompt)))}</b></a>
          <span class="muted">
            <span class="word">${statusWord(job)}</span>
            ${job.dryRun && "· dry run"}
            ${job.pullRequest && html`· #${job.pullRequest.number} ${job.pullRequest.state}`}
            ${job.status === "completed" && job.refusal && html`· <span class="trouble">last message: not done</span>`}
            ${job.messageCount > 1 && html`· ${job.messageCount} messages`}
            ${(askedBy ?? job.automationId) !== null && html`· by ${askedBy === null ? "an automation" : raw(visibleHtml(askedBy))}`} · ${time(job.createdAt)}
          </span>
        </li>`,
    )}
  </ul></div>`;
}

/** For jobs that no process runs. */
export function noWorkerNote(place: ShownProject): Html {
  const advice = html`The operator of the server starts one with <code>docent serve --role worker</code>. Jobs then continue by themselves.`;
  return html`<p class="problem" role="status">No worker is running, so jobs wait. ${may(place, "admin") ? advice : "Tell an admin of the project. Jobs go on by themselves when one starts."}</p>`;
}

export interface JobListPage {
  place: ShownProject;
  filter: JobFilter;
  jobs: readonly ListedJob[];
  nextHref: string | null;
  form: NewJobForm;
  entered: EnteredSearch;
  /** Those who asked for jobs of the project. */
  people: readonly string[];
  /** The reader is a person, not an API key. */
  isPerson: boolean;
}

/** A project's jobs, newest first, and the form for a new one. */
export function jobListPage(page: JobListPage): Html {
  const { place, filter, jobs, nextHref, form, entered } = page;
  const path = `/${place.slug}/jobs`;
  const isSearched = entriesOf(entered).length > 0;
  const tab = (name: JobFilter) =>
    html`<a href="${jobListHref(path, name, entered)}" ${filter === name ? raw('aria-current="page"') : ""}>${name[0]?.toUpperCase()}${name.slice(1)}</a>`;
  return dashboardDocument({
    title: `Jobs · ${place.name}`,
    place,
    reader: "member",
    section: "jobs",
    // A page that reloads itself would lose the entries of a refused form.
    live:
      (isAnyActive(jobs) || form.offered.kind === "looking") && form.refused === null
        ? { refreshSeconds: LIST_REFRESH_SECONDS }
        : {},
    body: html`<div class="heading"><h1>Jobs</h1>${mayStartWork(place) && html`<span class="buttons"><a class="button" href="/${place.slug}/${AUDIT_PATH}">Audit the docs</a> <a class="button" href="/${place.slug}/jobs/chores">Run a chore</a></span>`}</div>
      ${newJobForm(form)}
      <nav class="tabs" aria-label="Status">${JOB_FILTERS.map(tab)}</nav>
      ${(jobs.length > 0 || isSearched || filter !== "all") && jobSearchForm({ ...page, path, status: filter })}
      ${jobList(place, jobs)}
      ${
        jobs.length === 0 &&
        (isSearched
          ? html`<p class="note">No ${filter === "all" ? "" : `${filter} `}job matches. <a href="${path}">Show all jobs</a></p>`
          : html`<p class="note">${filter === "all" ? "There are no jobs yet." : `No job is ${filter}.`}</p>`)
      }
      ${nextHref && html`<p><a href="${nextHref}" rel="next">Older</a></p>`}`,
  });
}

/** The address of a list with a status and a search. */
export function jobListHref(path: string, filter: JobFilter, entered: EnteredSearch, before?: string): string {
  const status: [string, string][] = filter === "all" ? [] : [["status", filter]];
  const from: [string, string][] = before === undefined ? [] : [["before", before]];
  const query = new URLSearchParams([...status, ...entriesOf(entered), ...from]).toString();
  return query === "" ? path : `${path}?${query}`;
}

export function statusIcon(status: Job["status"]): Html {
  const line = {
    active: html`<circle cx="8" cy="8" r="6" opacity=".3" /><path d="M8 2a6 6 0 0 1 6 6" />`,
    completed: html`<circle cx="8" cy="8" r="6.2" /><path d="m5.2 8.2 2 2 3.6-4.2" />`,
    failed: html`<circle cx="8" cy="8" r="6.2" /><path d="M8 4.8v4M8 11.2v.1" />`,
    archived: html`<path d="M2 3h12v3H2zM3 6v7h10V6M6.5 8.5h3" />`,
  }[status];
  return html`<svg class="icon job-${status}" viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${line}</svg>`;
}

const PHASES = ["queued", "preparing", "running", "validating", "publishing"] as const satisfies readonly JobPhase[];
const LABELS: Record<(typeof PHASES)[number], string> = {
  queued: "Queued",
  preparing: "Preparing",
  running: "Working",
  validating: "Checking",
  publishing: "Publishing",
};

/** What a job is doing, in one word. */
export function statusWord(job: Pick<Job, "status" | "phase">): string {
  if (job.status !== "active") return job.status;
  if (job.phase === "waiting") return "Waiting";
  return job.phase === "idle" ? LABELS.queued : LABELS[job.phase];
}

/** The progress of an active job: its phases, with the current one marked. */
export function phaseSteps(job: Pick<Job, "phase">): Html {
  const at = PHASES.findIndex((phase) => phase === (job.phase === "waiting" ? "running" : job.phase));
  return html`<ol class="phases" aria-label="Progress">
    ${PHASES.map(
      (phase, index) =>
        html`<li class="${index < at ? "done" : index === at ? "current" : ""}" ${index === at ? html`aria-current="step"` : ""}>${LABELS[phase]}</li>`,
    )}
  </ol>`;
}

export interface ListedJobsDeps {
  submit: SubmitDeps;
  /** See `createWorkerNotice`. */
  withNotice(job: Job): Promise<Job>;
  /** The current state of the pull request; null when it is unknown. */
  currentPullRequest(project: Project, number: number): Promise<Pick<JobPullRequest, "state" | "draft"> | null>;
}

/** Jobs for a list, with their first instruction, who sent it, and the current state of their pull requests. */
export async function listedJobs(
  { submit, currentPullRequest, withNotice }: ListedJobsDeps,
  project: Project,
  jobs: readonly Job[],
): Promise<ListedJob[]> {
  const jobIds = jobs.map((job) => job.id);
  const messages = await firstMessages(submit, { projectId: project.id, jobIds });
  // In parallel: each request to a host may be slow.
  return Promise.all(
    jobs.map(async (stored) => {
      const job = await withCurrentPullRequest(await withNotice(stored), (number) =>
        currentPullRequest(project, number),
      );
      const { prompt, askedBy = null } = messages.get(job.id) ?? {};
      return { job, prompt, askedBy };
    }),
  );
}
