import { jobName } from "#features/jobs/pages/job-list.ts";
import { tokenFacts } from "#features/jobs/pages/job-page.ts";
import { findingView, planView, shownDuration } from "#features/jobs/pages/transcript-view.ts";
import type { ShownProject } from "#kit/pages/document.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { cutText } from "#lib/cut-text.ts";
import type { FailedCall, Review } from "./review.ts";

const MAX_LEAD = 240;
const MAX_PROMPT = 200;
const MAX_LISTED = 20;

const text = (value: string): Html => raw(visibleHtml(value));

/** One line of what was done, and one of why. */
export function reviewLead({ job }: Review, prompt: string | null): Html {
  const done = firstLine(job.summary ?? job.error?.message ?? "");
  const asked = firstLine(prompt ?? "");
  return html`<div class="lead">
    ${done !== "" && html`<p>${text(cut(done, MAX_LEAD))}</p>`}
    ${asked !== "" && html`<p class="muted">Asked for: ${text(cut(asked, MAX_PROMPT))}</p>`}
  </div>`;
}

/** Without what the server says first of every summary, and without the marks of a list or a heading. */
const firstLine = (words: string) =>
  (
    words
      .replace(/^(?:Changed \d+ files?|No file was changed)\. The agent (?:says|asks):\s*/, "")
      .split("\n")
      .find((line) => line.trim() !== "") ?? ""
  )
    .replace(/^\s*(?:[-*+]|#{1,6}|\d+[.)])\s+/, "")
    .trim();

const cut = (words: string, length: number) =>
  words.length > length ? `${cutText(words, length - 1).trimEnd()}…` : words;

/** The job beside its change: cost, plan, checks, and calls that failed. */
export function reviewAside(place: ShownProject, review: Review): Html {
  const { job, plan, checks, failedCalls } = review;
  const address = `/${place.slug}/jobs/${job.id}`;
  return html`<section>
      <h2>Agent job</h2>
      <p><a href="${address}">Transcript and follow-ups</a></p>
      <dl class="facts review-facts">
        <dt>Model</dt>
        <dd>${job.model}</dd>
        <dt>Worked</dt>
        <dd>${shownDuration(review.workedMs) || "under a second"}, ${job.usage.steps.toLocaleString("en")} ${job.usage.steps === 1 ? "step" : "steps"}</dd>
        ${tokenFacts(job) || html`<dt>Cost</dt><dd>none</dd>`}
      </dl>
    </section>
    <section>
      <h2>Plan</h2>
      ${plan.length > 0 ? planView(plan) : html`<p class="muted">The agent worked without a plan.</p>`}
    </section>
    <section>
      <h2>Checks</h2>
      ${checksView(checks, job.messageCount > 1)}
    </section>
    <section>
      <h2>Failed calls</h2>
      ${failedCalls.length > 0 ? failedView(failedCalls, address) : html`<p class="muted">Every call of a tool worked.</p>`}
    </section>`;
}

function checksView(checks: Review["checks"], hasTurns: boolean): Html {
  if (checks === null) return html`<p class="muted">Nothing was checked yet.</p>`;
  const { findings, newHosts, isCut } = checks;
  const ofTurn = hasTurns ? " Of the last turn." : "";
  if (findings.length + newHosts.length === 0) return html`<p>Nothing was found.${ofTurn}</p>`;
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const parts = [
    errors > 0 ? count(errors, "error") : "",
    findings.length > errors ? count(findings.length - errors, "warning") : "",
    newHosts.length > 0 ? count(newHosts.length, "new outside address").replace("addresss", "addresses") : "",
  ].filter(Boolean);
  return html`<details class="findings">
    <summary>${parts.join(", ")}${ofTurn}</summary>
    <ul>
      ${findings.map((finding) => findingView(finding, finding.severity))}
      ${newHosts.map((host) => html`<li><span class="badge">new address</span> ${text(host)}</li>`)}
    </ul>
    ${isCut && html`<p class="muted">There are more: lists are kept up to 200 entries.</p>`}
  </details>`;
}

function failedView(calls: readonly FailedCall[], address: string): Html {
  const shown = calls.slice(-MAX_LISTED);
  return html`<details class="findings">
    <summary>${calls.length} ${calls.length === 1 ? "call" : "calls"} failed</summary>
    <ul>
      ${shown.map(
        ({ seq, tool, summary, reason }) =>
          html`<li><a href="${address}#event-${seq}"><b>${text(tool.replaceAll("_", " "))}</b></a> ${text(summary)}${reason !== null && reason !== "" && html`<br /><span class="muted">${text(reason)}</span>`}</li>`,
      )}
    </ul>
    ${calls.length > shown.length && html`<p class="muted">These are the last ${shown.length}; the <a href="${address}">transcript</a> has all.</p>`}
  </details>`;
}

/** What a job is called where it has no pull request's title. */
export const reviewTitle = ({ job }: Review, prompt: string | null): string => jobName(job, prompt ?? undefined);
