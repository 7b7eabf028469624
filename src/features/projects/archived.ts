import type { Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";

/** Refuses what an archived project takes no more. `AppError conflict`, in the caller's transaction. */
export async function refuseArchived(queryable: Queryable, id: ProjectId): Promise<void> {
  const row = await queryable.selectFrom("project").select("archived_at").where("id", "=", id).executeTakeFirst();
  if (row?.archived_at != null) throw new AppError("conflict", ARCHIVED);
}

/** What who asks an archived project for work is told. */
export const ARCHIVED =
  "This project is archived: it takes no jobs, automations or pushes. An admin can unarchive it in its settings.";
