import { beginningWith, containing } from "#db/containing.ts";
import { deletedRows } from "#db/batches.ts";
import type { Database, Queryable } from "#db/database.ts";
import { cutText } from "#lib/cut-text.ts";
import { newId, type ProjectId } from "#lib/ids.ts";

/** Who acted, with their name at that time. */
export interface Actor {
  kind: "person" | "key" | "operator";
  id: string;
  name: string;
}

/** An entry of the audit log. */
export interface AuditEvent {
  id: string;
  at: Date;
  /** Null: the instance. */
  projectId: ProjectId | null;
  actor: Actor;
  /** ID of an API operation (`mergeAgentJob`), or of a dashboard form (`jobs/cancel`). */
  action: string;
  /** Name of the affected object at that time, such as a key or a person. Null if the action says enough. */
  subject: string | null;
  /** Path of the request. */
  target: string;
  /** Client address. */
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
      subject: subject === null || subject.length <= MAX_TARGET ? subject : `${cutText(subject, MAX_TARGET - 1)}…`,
      target: target.slice(0, MAX_TARGET),
      address,
    })
    .execute();
}

/** Absent and empty fields do not filter. */
export interface AuditFilter {
  /** Part of the actor's name, in any case. */
  actor?: string | undefined;
  /** Prefix of the action. */
  action?: string | undefined;
  /** Only these actions. */
  actions?: readonly string[] | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/** Entries of a project, or of all with null, newest first. For paging: up to `limit` entries before an ID. */
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

/** Deletes up to `limit` entries before a time; returns their number. */
export function deleteOldAudit(
  { kysely }: Pick<Database, "kysely">,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const old = kysely.selectFrom("audit_event").select("id").where("at", "<", before).limit(limit);
  return deletedRows(kysely.deleteFrom("audit_event").where("id", "in", old));
}
