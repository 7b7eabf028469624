import type { Job, JobPhase } from "#features/jobs/job.ts";
import { html, type Html } from "#kit/pages/markup.ts";

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

/** What a job does just now, in a word. */
export function statusWord(job: Pick<Job, "status" | "phase">): string {
  if (job.status !== "active") return job.status;
  if (job.phase === "waiting") return "Waiting";
  return job.phase === "idle" ? LABELS.queued : LABELS[job.phase];
}

/** How far an active job is: its steps, one of them the current one. */
export function phaseSteps(job: Pick<Job, "phase">): Html {
  const at = PHASES.findIndex((phase) => phase === (job.phase === "waiting" ? "running" : job.phase));
  return html`<ol class="phases" aria-label="Progress">
    ${PHASES.map(
      (phase, index) =>
        html`<li class="${index < at ? "done" : index === at ? "current" : ""}" ${index === at ? html`aria-current="step"` : ""}>${LABELS[phase]}</li>`,
    )}
  </ol>`;
}

/** A name for a job: its title once it has one, until then the start of what was asked. */
export function jobName(job: Pick<Job, "title">, prompt: string | undefined): string {
  if (job.title !== null) return job.title;
  const line = (prompt ?? "").trim().split("\n")[0] ?? "";
  return line.length > 120 ? `${line.slice(0, 120).trimEnd()}…` : line || "Untitled";
}
