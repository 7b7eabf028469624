import { type RawBuilder, sql } from "kysely";
import type { JobStatus } from "#features/jobs/job.ts";
import type { JobRow } from "#features/jobs/job-rows.ts";

/** The states of a job, derived from its row. `waiting` and `working` are both `active`. */
export const JOB_STATES = {
  waiting: { status: "active", meaning: "Waiting for a worker." },
  working: { status: "active", meaning: "A worker is running the job; `phase` shows the current phase." },
  completed: {
    status: "completed",
    meaning:
      "Every message was handled. `lastMessage.error` is set if the last follow-up was refused. `prLink` is set if files changed and the job is not a dry run.",
  },
  failed: { status: "failed", meaning: "The last message could not be carried out; `error` gives the reason." },
  archived: { status: "archived", meaning: "Archived by you, or after 30 days without activity." },
} as const satisfies Record<string, { status: JobStatus; meaning: string }>;

export type JobState = keyof typeof JOB_STATES;

/**
 * The transitions, with the states that each leads from and to. `by-callers.ts` and `by-workers.ts` have a function for
 * each, which matches no row in another state. `event` describes the transition in the documentation.
 */
export const TRANSITIONS = {
  accept: { event: "a job is created", leads: { absent: ["waiting"] } },
  followUp: {
    event: "follow-up message",
    leads: { waiting: ["waiting"], working: ["working"], completed: ["waiting"], failed: ["waiting"] },
  },
  // A working job can be claimed once its lease has expired: its worker is dead.
  claim: { event: "a worker claims it", leads: { waiting: ["working"], working: ["working"] } },
  prolong: { event: "the worker renews its lease", leads: { working: ["working"] } },
  progress: { event: "the worker makes progress", leads: { working: ["working"] } },
  step: { event: "a step is stored", leads: { working: ["working"] } },
  release: { event: "the worker releases it", leads: { working: ["waiting"] } },
  resume: { event: "its model provider answers again", leads: { waiting: ["waiting"] } },
  finish: { event: "the turn ends", leads: { working: ["waiting", "completed", "failed"] } },
  // The worker notices the request, or another worker claims the job to publish its work.
  askToCancel: { event: "cancel", leads: { waiting: ["waiting"], working: ["working"] } },
  // A working job can be cancelled once its lease has expired.
  cancel: { event: "cancel", leads: { waiting: ["failed"], working: ["failed"] } },
  archive: { event: "archive", leads: { completed: ["archived"], failed: ["archived"] } },
  unarchive: { event: "unarchive", leads: { archived: ["completed", "failed"] } },
  notePullRequest: {
    event: "its pull request is merged or closed",
    leads: {
      waiting: ["waiting"],
      working: ["working"],
      completed: ["completed"],
      failed: ["failed"],
      archived: ["archived"],
    },
  },
  forget: { event: "its transcript is deleted by age", leads: { archived: ["archived"] } },
  remove: { event: "delete", leads: { completed: ["absent"], failed: ["absent"], archived: ["absent"] } },
} as const satisfies Record<string, { event: string; leads: Leads }>;

type Leads = Partial<Record<JobState | "absent", readonly (JobState | "absent")[]>>;

export type Transition = keyof typeof TRANSITIONS;

export const leadsOf = (transition: Transition): Leads => TRANSITIONS[transition].leads;

export const stateOf = ({ status, lease_owner: owner }: Pick<JobRow, "status" | "lease_owner">): JobState =>
  status === "active" ? (owner === null ? "waiting" : "working") : status;

const IN_STATE: Record<JobState, RawBuilder<boolean>> = {
  waiting: sql`(status = 'active' and lease_owner is null)`,
  working: sql`(status = 'active' and lease_owner is not null)`,
  completed: sql`status = 'completed'`,
  failed: sql`status = 'failed'`,
  archived: sql`status = 'archived'`,
};

/** The condition that a row meets if a transition may start from its state. */
export function mayStart(transition: Transition): RawBuilder<boolean> {
  const leads = leadsOf(transition);
  const states = Object.entries(IN_STATE).filter(([state]) => state in leads);
  return sql<boolean>`(${sql.join(
    states.map(([, condition]) => condition),
    sql` or `,
  )})`;
}
