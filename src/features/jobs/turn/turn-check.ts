import type { ShownText } from "#agent/gate/judge.ts";
import { type Change, checkChange, type GateCheck, type GateDeps, type GateReport } from "#agent/gate/gate.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import type { Project } from "#features/projects/project.ts";
import { type JobError, jobError } from "#features/jobs/job.ts";
import { movesSite } from "#agent/toolbox/chore-calls.ts";
import { type Instruction, requestWordsOf } from "#features/jobs/chore-messages.ts";
import type { Claim } from "#features/jobs/queue/queue.ts";
import { shownOfSources } from "./shown-sources.ts";
import { lastCheckedCommit, lastDelivered, startOfJob } from "./turn-history.ts";
import { listSteps, promptsAfter, type StepDeps, type Turn } from "./turns.ts";

export interface CheckDeps {
  repoStore: RepoStore;
  gate: GateDeps;
}

/** Faults from before the job that may return: “Undo that” restores broken links. */
const MAY_RETURN: ReadonlySet<GateCheck> = new Set(["pages", "navigation", "links"]);

/** Faults that a failed turn may leave on the branch and that a later turn must repair before it publishes. */
const KEPT: ReadonlySet<GateCheck> = new Set(["pages", "navigation", "links", "deletions"]);

const UNSAFE_TO_SHOW: ReadonlySet<GateCheck> = new Set(["policy", "secrets", "markup", "invisible"]);

/** Whether people may see a change that cannot be published. */
export const isSafeToShow = ({ errors }: GateReport): boolean =>
  errors.every((finding) => !UNSAFE_TO_SHOW.has(finding.check));

/** Whether a pull request may show a change, at least as a draft. */
export const isPublishable = (report: GateReport, { settings }: Pick<Project, "settings">): boolean =>
  report.errors.length === 0 || (isSafeToShow(report) && settings.draftOnFindings === true);

/** The error of a turn whose change the gate refused. */
export function refusedByGate({ errors }: GateReport): JobError {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return jobError(first!.check === "policy" ? "policy" : "validation_failed", `${first!.message}${more}`);
}

/**
 * Checks a turn's tree with the gate: with all checks against `base`, the commit that the turn started from, except for
 * faults that the docs had when the job began; and against `checked`, the last commit that passed, with the checks that
 * kept work of failed turns may not have passed.
 */
export async function checkTurn(
  deps: CheckDeps & Pick<StepDeps, "database" | "vault">,
  options: {
    claim: Claim;
    project: Project;
    /** Number of the turn, which is that of its first message. */
    turn: number;
    base: ObjectId;
    checked: ObjectId;
    tree: ObjectId;
  },
): Promise<GateReport> {
  const { claim, project, turn, base, checked, tree } = options;
  // Messages that wait behind the turn permit nothing: the agent has not received them.
  const delivered = (await lastDelivered(deps, claim, turn)) ?? turn;
  const messages = (await promptsAfter(deps, claim, 0)).filter(({ seq }) => seq <= delivered);
  const prompts = messages.filter(({ seq }) => seq >= turn).map(requestWordsOf);
  const steps = await listSteps(deps, claim);
  const shown = shownOfSources(steps.flatMap((step) => step.messages));
  // An earlier message may have requested what an earlier turn did.
  const allPrompts = messages.map(requestWordsOf);
  const choresOf = (each: readonly Instruction[]) => each.flatMap(({ chores }) => chores ?? []);
  const isMove = movesSite(choresOf(messages));
  const own = movesSite(choresOf(messages.filter(({ seq }) => seq >= turn)));
  let report = await checkAgainst(deps, { project, base, tree, prompts, shown, isMove: own });
  const start = report.errors.some(({ check }) => MAY_RETURN.has(check)) ? await startOfJob(deps, claim) : null;
  if (start !== null && start !== base) {
    const sinceStart = await checkAgainst(deps, { project, base: start, tree, prompts: allPrompts, shown: [], isMove });
    const isNew = new Set(sinceStart.errors.map(({ path, message }) => `${path} ${message}`));
    const errors = report.errors.filter(
      ({ check, path, message }) => !MAY_RETURN.has(check) || isNew.has(`${path} ${message}`),
    );
    report = { ...report, errors };
  }
  if (checked === base) return report;
  const whole = await checkAgainst(deps, { project, base: checked, tree, prompts: allPrompts, shown: [], isMove });
  const known = new Set(report.errors.map(({ path, message }) => `${path} ${message}`));
  const kept = whole.errors.filter(({ check, path, message }) => KEPT.has(check) && !known.has(`${path} ${message}`));
  return { ...report, errors: [...report.errors, ...kept] };
}

/** The same for a turn, with the last commit that passed as `checked`. */
export async function checkTurnTree(
  deps: CheckDeps & Pick<StepDeps, "database" | "vault">,
  { claim, project, turn }: { claim: Claim; project: Project; turn: Turn },
  tree: ObjectId,
): Promise<GateReport> {
  const checked = await lastCheckedCommit(deps, claim, turn);
  return checkTurn(deps, { claim, project, turn: turn.turn, base: turn.baseCommit, checked, tree });
}

/** The report on the change from `base` to `tree` alone. */
export async function checkAgainst(
  { repoStore, gate }: CheckDeps,
  {
    project,
    base: from,
    tree,
    prompts,
    shown,
    isMove,
  }: {
    project: Project;
    base: ObjectId;
    tree: ObjectId;
    prompts: readonly string[];
    shown: readonly ShownText[];
    isMove: boolean;
  },
): Promise<GateReport> {
  const base = commitSnapshot(repoStore, project.id, from);
  const head = commitSnapshot(repoStore, project.id, tree);
  const differences = await repoStore.changes(project.id, from, tree);
  const paths = new Set(differences.flatMap((difference) => [difference.path, difference.oldPath ?? difference.path]));
  const changes: Change[] = [];
  for (const path of paths) changes.push({ path, before: await base.read(path), after: await head.read(path) });
  const changedLines = differences.reduce(
    (sum, { additions, deletions }) => sum + (additions ?? 0) + (deletions ?? 0),
    0,
  );
  return checkChange(gate, {
    base,
    head,
    contentRoot: project.settings.contentRoot ?? null,
    changes,
    changedLines,
    refusesUnseenWords: project.settings.unseenWords === "refuse",
    prompts,
    shownOfSources: shown,
    movesSite: isMove,
  });
}
