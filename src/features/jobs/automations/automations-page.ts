import { doneNote, formStart, problemNote, type Refused } from "#kit/pages/post-form.ts";
import { dashboardDocument, may, mayStartWork, type ShownProject, time } from "#kit/pages/document.ts";
import { listTable } from "#kit/pages/list-table.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { BUILTIN_RULES } from "#models/model.ts";
import type { JobId } from "#lib/ids.ts";
import type { Job } from "#features/jobs/job.ts";
import type { AutomationRun } from "./automation-runs.ts";
import { type AutomationForm, automationForm } from "./automation-form.ts";
import type { Automation, AutomationTrigger } from "./automations.ts";
import { RUN_STARTS, triggerWords } from "./trigger-words.ts";

interface Page {
  place: ShownProject;
  csrfToken: string;
  notice: string | null;
  refused: Refused | null;
}

export interface AutomationsPage extends Page {
  /** Each with its newest run. */
  automations: readonly { automation: Automation; lastRun: AutomationRun | null }[];
  /** The jobs of these runs that still exist. */
  jobs: ReadonlyMap<JobId, Job>;
  form: AutomationForm;
}

interface Example {
  name: string;
  prompt: string;
  model: string;
  trigger: AutomationTrigger | { kind: "push" };
}

/** Automations to start with. They use the built-in rules, so they work without a language model. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  links: {
    name: "Weekly link check",
    prompt: "Fix the broken links.",
    model: BUILTIN_RULES,
    trigger: { kind: "schedule", cron: "0 6 * * 1", timeZone: "UTC" },
  },
  descriptions: {
    name: "Page descriptions",
    prompt: "Add missing descriptions.",
    model: BUILTIN_RULES,
    trigger: { kind: "push" },
  },
  changelog: {
    name: "Monthly changelog",
    prompt: "Add a changelog entry from the git history since the last tag.",
    model: BUILTIN_RULES,
    trigger: { kind: "schedule", cron: "0 6 1 * *", timeZone: "UTC" },
  },
};

const notes = ({ notice, refused }: Page, isForForm: boolean): Html =>
  html`${doneNote(notice)}
  ${refused !== null && !isForForm && problemNote(refused.problem)}`;

/** The automations of a project, each with its trigger, its last run and its next run. */
export function automationsPage(page: AutomationsPage): Html {
  const { place, automations } = page;
  const isAdmin = may(place, "admin");
  return dashboardDocument({
    title: `Automations · ${place.name}`,
    place,
    reader: "member",
    section: "automations",
    body: html`<div class="heading"><h1>Automations</h1></div>
      ${notes(page, page.refused?.action === "add")}
      <p class="muted lead">
        An automation gives the agent the same instruction again and again: on a schedule, after a push, or when a source changes. While the
        pull request of an earlier run is open, the next run adds to it.
      </p>
      ${automations.length > 0 && table(page)}
      ${automations.length === 0 && html`<p class="muted">None yet.${isAdmin && " Start with one of these, or add your own."}</p>`}
      ${isAdmin && examples(page)}
      ${isAdmin && html`<section class="block panel" id="add"><h2>Add automation</h2>${automationForm(page.form)}</section>`}`,
  });
}

/** The examples that the project has not added yet. */
function examples({ place, csrfToken, automations }: AutomationsPage): Html | null {
  const when: Record<string, string> = {
    links: "Each Monday at 06:00 UTC.",
    descriptions: "On each push to the main branch.",
    changelog: "On the first day of each month.",
  };
  const added = new Set(automations.map(({ automation }) => automation.prompt));
  const others = Object.entries(EXAMPLES).filter(([, { prompt }]) => !added.has(prompt));
  if (others.length === 0) return null;
  return html`<section class="panel block"><ul class="offers">
    ${others.map(
      ([key, { name, prompt }]) =>
        html`<li>
          <div><b>${name}</b><p class="muted">“${prompt}” ${when[key]}</p></div>
          ${formStart(`/${place.slug}/automations/example`, csrfToken, "")}
            <input type="hidden" name="example" value="${key}" />
            <button class="button" aria-label="Add ${name}">Add</button>
          </form>
        </li>`,
    )}
  </ul></section>`;
}

function table({ place, csrfToken, automations, jobs }: AutomationsPage): Html {
  return listTable(
    ["Name", "Runs", "Last run", "Next run"],
    automations.map(
      ({ automation, lastRun }) =>
        html`<tr class="${automation.enabled ? "" : "over"}">
          <td><a href="/${place.slug}/automations/${automation.id}">${raw(visibleHtml(automation.name))}</a> ${!automation.enabled && html`<span class="badge">paused</span>`}</td>
          <td data-label="Runs">${triggerWords(automation.trigger)}</td>
          <td data-label="Last run">${lastRun ? html`${time(lastRun.startedAt)}<br />${runOutcome(place, lastRun, jobs)}` : "never"}</td>
          <td data-label="Next run">${automation.dueAt && !place.isArchived ? time(automation.dueAt) : "–"}</td>
          <td>${mayStartWork(place) && action({ place, csrfToken }, automation, "run", html`<button class="button" aria-label="Run now: ${automation.name}">Run now</button>`)}</td>
        </tr>`,
    ),
    "Run now",
  );
}

/** The outcome of a run, with a link to its job. */
function runOutcome(place: ShownProject, run: AutomationRun, jobs: AutomationsPage["jobs"]): Html {
  if (run.jobId === null) return html`<span class="muted">${run.note ?? "No job"}</span>`;
  const job = jobs.get(run.jobId);
  if (!job) return html`<span class="muted">The job was deleted</span>`;
  const { tone, words } = outcomeOf(job, (run.messageSeq ?? 1) + run.retries);
  const { pullRequest } = job;
  return html`<span class="lamp ${tone}" aria-hidden="true"></span> <a href="/${place.slug}/jobs/${job.id}">${words}</a>${pullRequest && html` <span class="muted">· #${pullRequest.number} ${pullRequest.state}</span>`}`;
}

/** A job records the outcome of its last message only. Of earlier messages it is known only that they were handled. */
function outcomeOf({ status, refusal, messageCount, handledCount }: Job, seq: number): { tone: string; words: string } {
  if (seq > handledCount) return { tone: "wait", words: handledCount + 1 < seq ? "Waiting" : "Running" };
  if (seq < messageCount) return { tone: "", words: "Finished" };
  if (refusal !== null) return { tone: "bad", words: "Not carried out" };
  if (status === "failed") return { tone: "bad", words: "Failed" };
  return status === "archived" ? { tone: "", words: "Archived" } : { tone: "good", words: "Completed" };
}

const action = (
  { place, csrfToken }: Pick<Page, "place" | "csrfToken">,
  { id }: Automation,
  name: string,
  button: Html,
): Html => html`${formStart(`/${place.slug}/automations/${id}/${name}`, csrfToken, "")}${button}</form>`;

export interface AutomationPage extends Page {
  automation: Automation;
  /** Newest first. */
  runs: readonly AutomationRun[];
  /** The jobs of these runs that still exist. */
  jobs: ReadonlyMap<JobId, Job>;
  /** Link to the older runs; null when there are no older runs. */
  olderHref: string | null;
  /** True when the page does not show the newest runs. */
  isOlder: boolean;
  /** When the newest run is retried after an outage; null when no retry is scheduled. */
  retryAt: Date | null;
  form: AutomationForm;
}

/** The page of one automation: its settings, its actions and its runs. */
export function automationPage(page: AutomationPage): Html {
  const { place, automation, runs } = page;
  const isAdmin = may(place, "admin");
  return dashboardDocument({
    title: `${automation.name} · Automations · ${place.name}`,
    place,
    reader: "member",
    section: "automations",
    body: html`<p><a href="/${place.slug}/automations">Automations</a></p>
      <div class="heading"><h1>${raw(visibleHtml(automation.name))}</h1></div>
      ${notes(page, page.refused?.action === "change")}
      <p>
        ${triggerWords(automation.trigger)}. ${!automation.enabled && html`<span class="badge">paused</span>`}
        ${automation.dueAt && !place.isArchived && html`<span class="muted">Next run: ${time(automation.dueAt)}</span>`}
      </p>
      ${!isAdmin && html`<p>“${raw(visibleHtml(automation.prompt))}”</p>`}
      <div class="buttons">
        ${mayStartWork(place) && action(page, automation, "run", html`<button class="button primary">Run now</button>`)}
        ${isAdmin && action(page, automation, automation.enabled ? "pause" : "resume", html`<button class="button">${automation.enabled ? "Pause" : "Resume"}</button>`)}
      </div>
      <section class="block">
        <h2>Runs</h2>
        ${runs.length === 0 ? html`<p class="muted">It has ${page.isOlder ? "no older runs" : "not run yet"}.</p>` : runsTable(page)}
        ${page.isOlder && html`<p><a href="/${place.slug}/automations/${automation.id}">Newest runs</a></p>`}
        ${page.olderHref && html`<p><a href="${page.olderHref}" rel="next">${runs.at(-1)!.number - 1} older</a></p>`}
      </section>
      ${isAdmin && html`<section class="block panel"><h2>Change automation</h2>${automationForm(page.form)}</section>`}
      ${
        isAdmin &&
        html`<details class="block panel danger-zone">
          <summary>Delete automation</summary>
          <p>The list of its runs is deleted with it. Its jobs and pull requests stay.</p>
          ${action(page, automation, "delete", html`<button class="button danger">Delete automation</button>`)}
        </details>`
      }`,
  });
}

function runsTable({ place, automation, runs, jobs, retryAt }: AutomationPage): Html {
  const retried = ({ number, retries, retriedAt }: AutomationRun) => {
    const isNext = retryAt !== null && !place.isArchived && number === automation.runs;
    return html`${retriedAt && html`<br /><span class="muted">Retried ${retries === 1 ? "once" : `${retries} times`} after an outage, last ${time(retriedAt)}</span>`}
    ${isNext && html`<br /><span class="muted">An outage ended it. Next try: ${time(retryAt)}</span>`}`;
  };
  return listTable(
    ["Run", "Started by", "Started", "Outcome"],
    runs.map((run) => {
      const { number, startedBy, startedAt, jobId, messageSeq } = run;
      const kind = messageSeq === 1 ? "New job" : "Follow-up";
      return html`<tr>
        <td>#${number}</td>
        <td data-label="Started by">${RUN_STARTS[startedBy]}</td>
        <td data-label="Started">${time(startedAt)}</td>
        <td data-label="Outcome">${runOutcome(place, run, jobs)}${jobId !== null && html`<br /><small class="muted">${kind}</small>${retried(run)}`}</td>
      </tr>`;
    }),
  );
}
