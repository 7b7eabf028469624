import { beginningWith, containing } from "#db/containing.ts";
import { deletedRows } from "#db/batches.ts";
import type { Database, Queryable } from "#db/database.ts";
import { newId, type ProjectId } from "#lib/ids.ts";

/** Who did something, with the name that they had then. */
export interface Actor {
  kind: "person" | "key" | "operator";
  id: string;
  name: string;
}

/** One thing that somebody did. */
export interface AuditEvent {
  id: string;
  at: Date;
  /** Null: on the instance. */
  projectId: ProjectId | null;
  actor: Actor;
  /** An operation of the interface (`mergeAgentJob`), or what a form of the dashboard does (`jobs/cancel`). */
  action: string;
  /** What it was about, by the name that this had then: a key, a person. Null where the action says enough. */
  subject: string | null;
  /** The path that it was done at. */
  target: string;
  /** Where it came from. */
  address: string;
}

const MAX_TARGET = 500;

export async function recordAudit(
  { kysely }: Pick<Database, "kysely">,
  { at, projectId, actor, action, subject, target, address }: Omit<AuditEvent, "id">,
): Promise<void> {
  await kysely
    .insertInto("audit_event")
    .values({
      id: newId("aud", at),
      at: at.getTime(),
      project_id: projectId,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      action,
      subject: subject?.slice(0, MAX_TARGET) ?? null,
      target: target.slice(0, MAX_TARGET),
      address,
    })
    .execute();
}

/** What is not given filters nothing, nor does an empty text. */
export interface AuditFilter {
  /** A part of the actor's name, in any case. */
  actor?: string | undefined;
  /** The beginning of an action. */
  action?: string | undefined;
  /** Only these actions. */
  actions?: readonly string[] | undefined;
  /** Not before. */
  from?: Date | undefined;
  /** Before. */
  to?: Date | undefined;
}

/** What was done in a project, or with null everywhere, newest first; of a page, so many before one of this id. */
export async function listAudit(
  queryable: Queryable,
  { projectId, filter, before, limit }: { projectId: ProjectId | null; filter: AuditFilter; before: string | null; limit: number }, // oxfmt-ignore
): Promise<AuditEvent[]> {
  const rows = await queryable
    .selectFrom("audit_event")
    .selectAll()
    .$if(projectId !== null, (query) => query.where("project_id", "=", projectId))
    .$if(before !== null, (query) => query.where("id", "<", before!))
    .$if(!!filter.actor, (query) => query.where(containing("actor_name", filter.actor!)))
    .$if(!!filter.action, (query) => query.where(beginningWith("action", filter.action!)))
    .$if(filter.actions !== undefined, (query) => query.where("action", "in", filter.actions!))
    .$if(filter.from !== undefined, (query) => query.where("at", ">=", filter.from!.getTime()))
    .$if(filter.to !== undefined, (query) => query.where("at", "<", filter.to!.getTime()))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    at: new Date(row.at),
    projectId: row.project_id,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    subject: row.subject,
    target: row.target,
    address: row.address,
  }));
}

/** Deletes up to `limit` entries from before a time; answers with how many. */
export function deleteOldAudit(
  { kysely }: Pick<Database, "kysely">,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const old = kysely.selectFrom("audit_event").select("id").where("at", "<", before).limit(limit);
  return deletedRows(kysely.deleteFrom("audit_event").where("id", "in", old));
}
