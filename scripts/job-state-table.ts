import {
  JOB_STATES,
  type JobState,
  leadsOf,
  type Transition,
  TRANSITIONS,
} from "#features/jobs/transitions/job-states.ts";
import { code, type DocsTable } from "./docs-table.ts";

/** The states of a job, and the transitions between them. */
export const jobStateTable: DocsTable = {
  page: "concepts.mdx",
  head: "| State | `status` | Meaning | Next state |\n|---|---|---|---|\n",
  rows: () => (Object.keys(JOB_STATES) as JobState[]).map(row),
};

function row(state: JobState): string {
  const { status, meaning } = JOB_STATES[state];
  const on = (Object.keys(TRANSITIONS) as Transition[]).flatMap((transition) => {
    const next = (leadsOf(transition)[state] ?? []).map((to) => (to === "absent" ? "deleted" : to));
    const isElsewhere = next.some((to) => to !== state);
    return isElsewhere ? [`${TRANSITIONS[transition].event}: ${next.join(", ").replace(/, (?=\w+$)/, " or ")}`] : [];
  });
  return `| ${state} | ${code(status)} | ${meaning} | ${on.join("; ")} |`;
}
