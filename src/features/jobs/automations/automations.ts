import type { CommonEffort } from "#models/settings.ts";
import type { Selectable } from "kysely";
import { mirrorOf, requireSource, type SourceRepository } from "#hosts/sources/sources.ts";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { Tables } from "#db/schema.ts";
import type { AutomationTriggerKind } from "#db/tables/jobs.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { newId, type ProjectId } from "#lib/ids.ts";
import { refuseCredentials } from "#lib/secrets/refuse-credentials.ts";
import { checkSchedule, nextSlot } from "./cron.ts";
import { isAgentBranch } from "#features/jobs/branch-name.ts";
import { claimKey, type IdempotencyKey } from "#kit/http/request-outcomes.ts";
import { type ListPage, pageOf, readCursor } from "#features/jobs/list.ts";

export type AutomationTrigger =
  | { kind: "schedule"; cron: string; timeZone: string }
  | { kind: "push"; branch: string }
  /** New commits of a source; for `source_merge`, only when they include a merged pull request. */
  | { kind: "source_push" | "source_merge"; source: string }
  /** Runs only on request, which every automation can. */
  | { kind: "api" };

/** An instruction that the agent carries out repeatedly. */
export interface AutomationSettings {
  name: string;
  prompt: string;
  trigger: AutomationTrigger;
  /** Branch to start from; null = the project's. */
  ref: string | null;
  /** Null = the project's. */
  model: string | null;
  /** How long the model thinks; null = as the settings of the project or model say. */
  effort: CommonEffort | null;
  draft: boolean;
  enabled: boolean;
}

export interface Automation extends AutomationSettings {
  id: string;
  projectId: ProjectId;
  /** When it runs next; for a schedule, the next slot. */
  dueAt: Date | null;
  dueBy: AutomationTriggerKind | null;
  /** The new commits of its source since its last run; null when there are no new commits. */
  pending: { base: string; head: string } | null;
  /** Runs so far. */
  runs: number;
  createdAt: Date;
  updatedAt: Date;
}

interface Deps {
  database: Database;
  clock: Clock;
  repoStore: Pick<RepoStore, "resolve">;
}

export interface AutomationName {
  projectId: ProjectId;
  automationId: string;
}

const MAX_AUTOMATIONS = 50;

/** `AppError invalid` for a bad trigger or a credential in a text, `conflict` above 50 automations in a project. */
export async function createAutomation(
  deps: Deps,
  { projectId, settings }: { projectId: ProjectId; settings: AutomationSettings },
  idempotency: IdempotencyKey | null = null,
): Promise<Automation> {
  refuseCredentials({ name: settings.name, prompt: settings.prompt });
  const now = deps.clock.now();
  const id = newId("aut", now);
  const trigger = await triggerColumns(deps, { projectId, settings, now });
  const row = await deps.database.transaction(async (transaction) => {
    await claimKey(transaction, idempotency, { outcome: id, at: now.getTime() });
    const { count } = await transaction
      .selectFrom("automation")
      .select((expression) => expression.fn.countAll<number>().as("count"))
      .where("project_id", "=", projectId)
      .executeTakeFirstOrThrow();
    if (count >= MAX_AUTOMATIONS)
      throw new AppError("conflict", `A project has at most ${MAX_AUTOMATIONS} automations.`);
    return transaction
      .insertInto("automation")
      .values({
        id,
        project_id: projectId,
        ...plainColumns(settings),
        ...trigger,
        runs: 0,
        created_at: now.getTime(),
        updated_at: now.getTime(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return fromRow(row);
}

/** Newest first. */
export async function listAutomations(
  { database }: Pick<Deps, "database">,
  options: { projectId: ProjectId; limit: number; cursor: string | null },
): Promise<ListPage<Automation>> {
  let query = database.kysely
    .selectFrom("automation")
    .selectAll()
    .where("project_id", "=", options.projectId)
    .orderBy("id", "desc")
    .limit(options.limit + 1);
  if (options.cursor !== null) query = query.where("id", "<", readCursor(options.cursor, "aut"));
  return pageOf(await query.execute(), options.limit, fromRow);
}

/** `AppError not_found`. */
export async function requireAutomation(deps: Pick<Deps, "database">, name: AutomationName): Promise<Automation> {
  const automation = await findAutomation(deps, name);
  if (!automation) throw noAutomation();
  return automation;
}

/** Null when it does not exist or belongs to another project. */
export async function findAutomation(
  { database }: Pick<Deps, "database">,
  { projectId, automationId }: AutomationName,
): Promise<Automation | null> {
  const row = await database.kysely
    .selectFrom("automation")
    .selectAll()
    .where("id", "=", automationId)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

/**
 * Changes the given settings. A new trigger, or enabling it again, starts from now. `check` receives the current, locked
 * automation and may throw to refuse the change. `AppError invalid`, `not_found`.
 */
export async function updateAutomation(
  deps: Deps,
  name: AutomationName,
  changes: Partial<AutomationSettings>,
  check?: (current: Automation) => void,
): Promise<Automation> {
  // Only changed texts are checked, so that an older automation with a credential can still be turned off.
  refuseCredentials({ name: changes.name, prompt: changes.prompt });
  const before = await requireAutomation(deps, name);
  const settings = { ...before, ...changes };
  const now = deps.clock.now();
  const isRestarted =
    changes.trigger !== undefined || (changes.enabled !== undefined && changes.enabled !== before.enabled);
  const trigger = isRestarted ? await triggerColumns(deps, { projectId: name.projectId, settings, now }) : {};
  const row = await deps.database.transaction(async (transaction) => {
    const current = fromRow(await lockRow(transaction, name));
    check?.(current);
    return transaction
      .updateTable("automation")
      .set({ ...plainColumns({ ...current, ...changes }), ...trigger, updated_at: now.getTime() })
      .where("id", "=", name.automationId)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return fromRow(row);
}

/** Removes an automation and the list of its runs; its jobs stay. `check` is as in `updateAutomation`. `AppError not_found`. */
export async function deleteAutomation(
  { database }: Pick<Deps, "database">,
  name: AutomationName,
  check?: (current: Automation) => void,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const row = await lockRow(transaction, name);
    check?.(fromRow(row));
    await transaction.deleteFrom("automation").where("id", "=", row.id).execute();
  });
}

/** Reads the row and locks it until the transaction ends. */
async function lockRow(transaction: DatabaseTransaction, { projectId, automationId }: AutomationName) {
  return transaction
    .updateTable("automation")
    .set((expression) => ({ updated_at: expression.ref("updated_at") }))
    .where("id", "=", automationId)
    .where("project_id", "=", projectId)
    .returningAll()
    .executeTakeFirstOrThrow(noAutomation);
}

function plainColumns(settings: AutomationSettings) {
  const flag = (value: boolean) => (value ? 1 : 0);
  return {
    name: settings.name,
    prompt: settings.prompt,
    ref: settings.ref,
    model: settings.model,
    effort: settings.effort,
    draft: flag(settings.draft),
    enabled: flag(settings.enabled),
  } as const;
}

async function triggerColumns(
  { repoStore, database }: Deps,
  options: { projectId: ProjectId; settings: AutomationSettings; now: Date },
) {
  const { projectId, now } = options;
  const { trigger, enabled } = options.settings;
  if (trigger.kind === "schedule") checkSchedule(trigger, now);
  // Watching an agent branch would let the agent trigger itself.
  if (trigger.kind === "push" && isAgentBranch(trigger.branch)) {
    throw new AppError("invalid", "Pushes to branches of the agent (docent/…) start no automation.", {
      details: [{ path: "trigger.branch", message: "a branch of the agent itself" }],
    });
  }
  const slot = trigger.kind === "schedule" && enabled ? nextSlot(trigger, now) : null;
  const source = "source" in trigger ? await sourceOf(database, projectId, trigger.source) : null;
  // Commits that were pushed before now do not count as new.
  const seen =
    trigger.kind === "push"
      ? await repoStore.resolve(projectId, `refs/heads/${trigger.branch}`)
      : source && (await repoStore.resolve(mirrorOf(source), `refs/heads/${source.branch}`));
  return {
    trigger_kind: trigger.kind,
    cron: trigger.kind === "schedule" ? trigger.cron : null,
    time_zone: trigger.kind === "schedule" ? trigger.timeZone : null,
    branch: trigger.kind === "push" ? trigger.branch : null,
    source: source?.name ?? null,
    from_commit: null,
    due_at: slot?.getTime() ?? null,
    due_by: slot ? ("schedule" as const) : null,
    seen_commit: seen,
  };
}

async function sourceOf(database: Database, projectId: ProjectId, name: string): Promise<SourceRepository> {
  try {
    return await requireSource(database, projectId, name);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    const details = [{ path: "trigger.source", message: "no source of the project" }];
    throw new AppError("invalid", error.message, { details });
  }
}

const noAutomation = () =>
  new AppError("not_found", "There is no automation of this id. The list of automations shows the ids.");

export function fromRow(row: Selectable<Tables["automation"]>): Automation {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    prompt: row.prompt,
    trigger: triggerOf(row),
    ref: row.ref,
    model: row.model,
    effort: row.effort,
    draft: row.draft === 1,
    enabled: row.enabled === 1,
    dueAt: row.due_at === null ? null : new Date(row.due_at),
    dueBy: row.due_by,
    pending: row.from_commit && row.seen_commit ? { base: row.from_commit, head: row.seen_commit } : null,
    runs: row.runs,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

function triggerOf(row: Selectable<Tables["automation"]>): AutomationTrigger {
  switch (row.trigger_kind) {
    case "schedule":
      return { kind: "schedule", cron: row.cron ?? "", timeZone: row.time_zone ?? "UTC" };
    case "push":
      return { kind: "push", branch: row.branch ?? "" };
    case "source_push":
    case "source_merge":
      return { kind: row.trigger_kind, source: row.source ?? "" };
    case "api":
      return { kind: "api" };
  }
}
