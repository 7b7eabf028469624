import { type Job, jobName } from "#features/jobs/job.ts";
import { BUILTIN_RULES } from "#models/model.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { csrfField, formStart, problemNote } from "#kit/pages/post-form.ts";
import { copyable } from "#kit/pages/copyable.ts";
import { dashboardDocument, may, mayStartWork, type ShownProject, time } from "#kit/pages/document.ts";
import { noWorkerNote, phaseSteps, statusIcon, statusWord } from "./job-list.ts";
import { stateIcon } from "#kit/pages/state-icons.ts";
import type { Entry } from "./transcript-entries.ts";
import { reportWords, transcript, type TranscriptContext } from "./transcript-view.ts";
import { imageField } from "./job-images.ts";
import { proposedRules } from "./proposed-rules.ts";
import { suggestionsView } from "./suggestions.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";

export interface JobPage {
  place: ShownProject;
  csrfToken: string;
  job: Job;
  entries: readonly Entry[];
  context: TranscriptContext;
  /** Number of the last event that is shown. */
  lastSeq: number;
  /** Link to the earlier part of a long transcript. */
  earlierHref: string | null;
  /** Whether this is the end of the transcript. */
  isLatest: boolean;
  /** The reader writes a message in a browser without scripts, so the page must not reload. */
  isPaused: boolean;
  /** Standing instructions of the project; null for none. */
  instructions: string | null;
  /** The file and line that a follow-up begins with: `index.md:12`; null for none. */
  about: string | null;
  /** A refused message, or a button that failed. */
  refused: { prompt: string; problem: string } | null;
}

const RELOAD_SECONDS = 3;
/** A stopped worker is no event of the job. */
const NOTICE_SECONDS = 15;

/** The page of a job: its instructions, transcript, outcome and next actions. */
export function jobPage(page: JobPage): Html {
  const { place, job, refused } = page;
  const address = `/${place.slug}/jobs/${job.id}`;
  const name = jobName(job, page.context.prompts.get(1));
  const isFollowed = job.status === "active" && page.isLatest && refused === null;
  return dashboardDocument({
    title: `${job.status === "active" ? `${statusWord(job)}: ` : ""}${name} · ${place.name}`,
    place,
    reader: "member",
    section: "jobs",
    live: isFollowed ? { stream: `${address}/stream?after=${page.lastSeq}`, refreshSeconds: NOTICE_SECONDS } : {},
    ...(isFollowed && !page.isPaused && { reloadSeconds: RELOAD_SECONDS }),
    body: html`<div class="heading" id="heading" data-live>
        <h1>${raw(visibleHtml(name))}</h1>
        <p>
          <span class="state job-${job.status}">${statusIcon(job.status)}${job.status}</span>
          <span role="status">${sentence(job)}</span>
          ${job.dryRun && job.status !== "completed" && html`<span class="muted">Dry run: nothing is published</span>`}
        </p>
        ${job.status === "active" && phaseSteps(job)}
      </div>
      <div id="notice" data-live>${job.notice !== null && noWorkerNote(place)}</div>
      ${isFollowed && pauseNote(address, page.isPaused)}
      ${problemNote(refused?.problem)}
      <div class="columns job">
        <div>
          ${page.earlierHref && html`<p><a href="${page.earlierHref}">Earlier events</a></p>`}
          ${deletedTranscriptNote(job)}
          ${transcript(page.entries, page.context)}
          ${isFollowed && html`<div class="answer" data-answer hidden><p class="muted"></p><p class="plain"></p></div>`}
          <div id="what-else" data-live>${page.isLatest && suggestionsView(page)} ${proposedRules(page)} ${page.isLatest && modelAdvice(page)}</div>
          ${page.isLatest ? followUp(page, address) : html`<p><a href="${address}">To the end</a></p>`}
        </div>
        ${aside(page, address)}
      </div>`,
  });
}

/** The outcome of a job whose transcript was deleted. */
function deletedTranscriptNote({ transcriptDeletedAt: at, error, summary }: Job): Html | null {
  const result = summary ?? error?.message;
  return (
    at &&
    html`${result !== undefined && reportWords(result)}
      <p class="muted">The instructions and the transcript were deleted on ${at.toISOString().slice(0, 10)} by this server's retention.</p>`
  );
}

function sentence(job: Job): Html {
  const waiting = job.messageCount - job.handledCount;
  switch (job.status) {
    case "active":
      if (job.phase === "waiting" && job.waiting)
        return html`waiting for ${job.waiting.provider} since ${time(job.waiting.since)}, next try ${time(job.waiting.retryAt)}. ${job.waiting.reason} The job continues by itself.`;
      return html`${waiting > 1 ? `${waiting} messages to handle, ` : ""}created ${time(job.createdAt)}`;
    case "completed":
      if (job.dryRun) return html`a dry run, ${time(job.updatedAt)}`;
      if (job.refusal) return html`the last message was refused, ${time(job.updatedAt)}; all else is as it was before`;
      if (job.question !== null) return html`the agent asks a question, ${time(job.updatedAt)}`;
      return job.pullRequest
        ? html`with a pull request, ${time(job.updatedAt)}`
        : html`nothing to change, ${time(job.updatedAt)}`;
    case "failed":
      return html`${time(job.updatedAt)}`;
    case "archived":
      return html`${job.archivedAt && time(job.archivedAt)}`;
  }
}

function pauseNote(address: string, isPaused: boolean): Html {
  return html`<noscript>
    <p class="muted">
      ${
        isPaused
          ? html`This page stays as it is. <a href="${address}">Follow the job</a>`
          : html`This page loads itself again every ${RELOAD_SECONDS} seconds. <a href="${address}?paused=1#follow-up">Stay to write a message</a>`
      }
    </p>
  </noscript>`;
}

function followUp({ job, place, csrfToken, refused, about }: JobPage, address: string): Html {
  if (!may(place, "agent"))
    return html`<p class="muted" id="follow-up">Editors and admins of the project can follow up.</p>`;
  if (place.isArchived) return html`<p class="muted" id="follow-up">An archived project takes no messages.</p>`;
  if (job.transcriptDeletedAt !== null) {
    return html`<p class="muted" id="follow-up">The job stays archived, because the agent no longer has its messages. <a href="/${place.slug}/jobs">Start a new job</a> instead.</p>`;
  }
  if (job.status === "archived") {
    return html`<p class="muted" id="follow-up">An archived job takes no messages. Bring it back to send one.</p>`;
  }
  const hint =
    job.status === "active"
      ? "The agent reads it after the current message."
      : job.dryRun
        ? "It is a dry run as well: nothing is published."
        : job.pullRequest?.state === "open"
          ? `It continues pull request #${job.pullRequest.number}.`
          : "It opens a new pull request if it changes anything.";
  const isAsked = job.question !== null && job.status === "completed";
  return html`<form class="form panel" id="follow-up" method="post" action="${address}/message" enctype="multipart/form-data">
    ${csrfField(csrfToken)}
    ${isAsked && html`<p><b>The agent asks:</b> ${raw(visibleHtml(job.question ?? ""))}</p>`}
    <label>${isAsked ? "Answer" : "Follow up"} <textarea name="prompt" required rows="3" placeholder="${isAsked ? "Your answer" : "What should be different?"}"${about !== null && html` autofocus`}>${refused?.prompt ?? followUpStart(about)}</textarea></label>
    ${job.model !== BUILTIN_RULES && imageField()}
    <div class="send"><small><span id="follow-up-hint" data-live>${hint}</span> <a href="/${place.slug}/jobs/chores?job=${job.id}">Run a chore instead</a></small> <button class="button primary">Send</button></div>
  </form>`;
}

/** Suggests a language model after the built-in rules did not understand a message. */
function modelAdvice({ job, place }: JobPage): Html | null {
  if (
    job.transcriptDeletedAt !== null ||
    job.model !== BUILTIN_RULES ||
    (job.refusal ?? job.error)?.code !== "not_understood"
  )
    return null;
  return html`<p class="hint" id="wants-model">
    ${may(place, "admin") ? html`<a href="/${place.slug}/models#add">Add a model</a>` : "An admin of the project can add a model"} to have requests carried out that the
    built-in rules do not understand.
  </p>`;
}

function followUpStart(about: string | null): string {
  const [, path, line] = /^(.+):(\d+)$/s.exec(about ?? "") ?? [];
  return path === undefined ? "" : `In ${path}, line ${line}: `;
}

function aside(page: JobPage, address: string): Html {
  const { job } = page;
  return html`<aside id="facts" data-live>
    ${pullRequestBox(page)}
    ${planBox(page)}
    <section>
      <h2>Details</h2>
      <dl class="facts">
        <dt>Model</dt>
        <dd>${job.model}</dd>
        ${job.effort !== null && html`<dt>Effort</dt><dd>${job.effort}</dd>`}
        <dt>Steps</dt>
        <dd>${job.usage.steps.toLocaleString("en")}</dd>
        ${tokenFacts(job)}
        <dt>From</dt>
        <dd><code>${job.baseRef}</code></dd>
        ${job.branch !== null && !job.dryRun && html`<dt>Branch</dt><dd><code>${job.branch}</code></dd>`}
        <dt>Created</dt>
        <dd>${time(job.createdAt)}</dd>
        <dt class="wide">Job ID</dt>
        <dd class="wide">${copyable("job-id", job.id)}</dd>
      </dl>
    </section>
    ${actions(page, address)}
  </aside>`;
}

/** The tokens and cost of a job as facts; empty when it used no tokens. */
export function tokenFacts({ usage }: Job): Html | string {
  if (usage.inputTokens + usage.outputTokens === 0) return "";
  const number = (value: number) => value.toLocaleString("en");
  return html`<dt>Tokens</dt>
    <dd>${number(usage.inputTokens)} in${usage.cachedTokens > 0 ? ` (${number(usage.cachedTokens)} cached)` : ""}, ${number(usage.outputTokens)} out</dd>
    ${usage.costMicroUsd > 0 ? html`<dt>Cost</dt><dd>$${(usage.costMicroUsd / 1_000_000).toFixed(4)}</dd>` : ""}`;
}

function pullRequestBox({ job, context, place }: JobPage): Html | string {
  const { pullRequest } = job;
  if (!pullRequest) return "";
  const state = pullRequest.state === "open" && pullRequest.draft ? "draft" : pullRequest.state;
  const isHere = place.hostUrl === null;
  const isOpen = pullRequest.state === "open";
  return html`<section class="panel pull-box">
    <p><span class="${state}">${stateIcon(state)}</span> <b>Pull request #${pullRequest.number}</b> <span class="muted">${state}</span></p>
    ${!isHere && html`<a class="button primary" href="/${place.slug}/jobs/${job.id}/review">Review the change</a>`}
    <a class="button${isHere ? " primary" : ""}" href="${context.pullRequestHref(pullRequest)}">${isHere && isOpen ? "Review and merge" : isOpen ? "Merge it on its host" : "Open"}</a>
    ${isOpen && pullRequest.previewUrl !== null ? html`<a class="button" href="${pullRequest.previewUrl}">Preview the site</a>` : ""}
  </section>`;
}

/** What a dry run would publish, with a button to carry it out. */
function planBox({ job, place, context, csrfToken }: JobPage): Html | string {
  const { plan } = job;
  if (plan === null || job.status !== "completed") return "";
  const number = plan.added + plan.modified + plan.removed;
  const kinds = [
    [plan.added, "new"],
    [plan.modified, "changed"],
    [plan.removed, "removed"],
  ] as const;
  const prompts = [...context.prompts.values()];
  return html`<section class="panel pull-box">
    <p><b>Dry run</b> <span class="muted">${
      number === 0
        ? "nothing would change"
        : kinds
            .filter(([count]) => count > 0)
            .map(([count, kind]) => `${count} ${kind}`)
            .join(", ")
    }</span></p>
    ${number > 0 && html`<details><summary>Files</summary><ul class="paths">${plan.paths.map((path) => html`<li><code>${raw(visibleHtml(path))}</code></li>`)}</ul>${number > plan.paths.length && html`<p class="muted">and ${number - plan.paths.length} more</p>`}</details>`}
    ${
      number > 0 &&
      prompts.length === 1 &&
      mayStartWork(place) &&
      html`${formStart(`/${place.slug}/jobs`, csrfToken, "")}
        <input type="hidden" name="prompt" value="${prompts[0] ?? ""}" />
        <input type="hidden" name="title" value="${job.title ?? ""}" />
        <input type="hidden" name="model" value="${job.model}" />
        <input type="hidden" name="ref" value="${job.baseRef}" />
        <button class="button primary">Carry it out</button>
      </form>`
    }
  </section>`;
}

function actions({ job, place, csrfToken }: JobPage, address: string): Html | null {
  if (!may(place, "agent")) return null;
  const button = (action: string, label: string, tone = "") =>
    html`${formStart(`${address}/${action}`, csrfToken, "")}
      <button class="button ${tone}">${label}</button>
    </form>`;
  const retry = (tone = "") => mayStartWork(place) && button("retry", "Try again", tone);
  const offered = {
    active: () => button("cancel", "Cancel the job", "danger"),
    completed: () => html`${job.refusal && retry()} ${button("archive", "Archive")}`,
    failed: () => html`${retry("primary")} ${button("archive", "Archive")}`,
    archived: () => job.transcriptDeletedAt === null && button("unarchive", "Bring back"),
  }[job.status];
  return html`<div class="actions">${offered()}</div>`;
}
