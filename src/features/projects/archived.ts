import type { Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";

/** Rejects operations that an archived project does not accept. `AppError conflict`, in the caller's transaction. */
export async function refuseArchived(queryable: Queryable, id: ProjectId): Promise<void> {
  const row = await queryable.selectFrom("project").select("archived_at").where("id", "=", id).executeTakeFirst();
  if (row?.archived_at != null) throw new AppError("conflict", ARCHIVED);
}

/** Error message for work on an archived project. */
export const ARCHIVED =
  "This project is archived: it takes no jobs, automations or pushes. An admin can unarchive it in its settings.";
