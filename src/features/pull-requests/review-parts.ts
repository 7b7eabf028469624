import { tokenFacts } from "#features/jobs/pages/job-page.ts";
import { checkCounts, findingView, planView, shownDuration, storedNote } from "#features/jobs/pages/transcript-view.ts";
import type { ShownProject } from "#kit/pages/document.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { counted } from "#lib/counted.ts";
import { cutText } from "#lib/cut-text.ts";
import type { Review } from "./review.ts";

const MAX_LEAD = 240;
const MAX_PROMPT = 200;
const MAX_LISTED = 20;

const text = (value: string): Html => raw(visibleHtml(value));

/** A line about the work of the last turn, one about the request, and one about the last follow-up. */
export function reviewLead({ job, prompts: [request = "", ...followUps] }: Review): Html {
  const done = firstLine(job.summary ?? job.error?.message ?? "");
  const asked = (what: string, prompt = "") =>
    prompt !== "" && html`<p class="muted">${what}: ${text(cut(firstLine(prompt), MAX_PROMPT))}</p>`;
  return html`<div class="review-lead">
    ${done !== "" && html`<p>${text(cut(done, MAX_LEAD))}</p>`}
    ${asked("Asked for", request)}
    ${asked(followUps.length > 1 ? `Last of ${followUps.length} follow-ups` : "Follow-up", followUps.at(-1))}
  </div>`;
}

/** The first line, without the server's introduction to a summary and without the marks of a list or heading. */
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

/** The job next to its change: cost, plan, checks and failed calls. */
export function reviewAside(place: ShownProject, review: Review): Html {
  const { job, plan, checks } = review;
  const address = `/${place.slug}/jobs/${job.id}`;
  return html`<section>
      <h2>Agent job</h2>
      <p><a href="${address}">Transcript and follow-ups</a></p>
      <dl class="facts review-facts">
        <dt>Model</dt>
        <dd>${job.model}</dd>
        <dt>Worked</dt>
        <dd>${shownDuration(review.workedMs) || "under a second"}, ${counted(job.usage.steps, "step")}</dd>
        ${tokenFacts(job) || html`<dt>Cost</dt><dd>none</dd>`}
      </dl>
    </section>
    <section>
      <h2>Plan</h2>
      ${plan.length > 0 ? planView(plan) : html`<p class="muted">The agent made no plan.</p>`}
    </section>
    <section>
      <h2>Checks</h2>
      ${checksView(checks, job.messageCount > 1)}
    </section>
    <section>
      <h2>Failed calls</h2>
      ${review.failedCalls.length > 0 ? failedView(review, address) : html`<p class="muted">No tool call failed.</p>`}
    </section>`;
}

function checksView(checks: Review["checks"], hasTurns: boolean): Html {
  if (checks === null) return html`<p class="muted">Nothing was checked yet.</p>`;
  const { findings, newHosts, totals } = checks;
  const ofTurn = hasTurns ? " in the last turn" : "";
  const counts = checkCounts(totals);
  if (counts === "") return html`<p>Checks passed${ofTurn}.</p>`;
  return html`<details class="findings">
    <summary>${counts}${ofTurn}</summary>
    <ul>
      ${findings.map((finding) => findingView(finding, finding.severity))}
      ${newHosts.map((host) => html`<li><span class="badge">new host</span> ${text(host)}</li>`)}
    </ul>
    ${storedNote(findings.length + newHosts.length, totals)}
  </details>`;
}

function failedView({ failedCalls: calls, hasMoreFailedCalls: hasMore }: Review, address: string): Html {
  const shown = calls.slice(-MAX_LISTED);
  return html`<details class="findings">
    <summary>${hasMore ? "More than " : ""}${counted(calls.length, "call")} failed</summary>
    <ul>
      ${shown.map(
        ({ seq, tool, summary, reason }) =>
          html`<li><a href="${address}#event-${seq}"><b>${text(tool.replaceAll("_", " "))}</b></a> ${text(summary)}${reason !== null && reason !== "" && html`<br /><span class="muted">${text(reason)}</span>`}</li>`,
      )}
    </ul>
    ${calls.length > shown.length && html`<p class="muted">These are the last ${shown.length}; the <a href="${address}">transcript</a> has all.</p>`}
  </details>`;
}
