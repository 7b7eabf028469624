import type { Selectable } from "kysely";
import type { Database } from "#db/database.ts";
import type { ConnectionRemarkTable } from "#db/tables/code-hosts.ts";
import type { ProjectId } from "#lib/ids.ts";

export type RemarkSubject = Selectable<ConnectionRemarkTable>["about"];

/** A host's message with a full stop, which hosts omit, so that more text can follow. */
export const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Records what does not work at a project's host; null when it works. */
export async function recordRemark(
  { database }: { database: Database },
  projectId: ProjectId,
  about: RemarkSubject,
  text: string | null,
): Promise<void> {
  if (text === null) {
    await database.kysely
      .deleteFrom("connection_remark")
      .where("project_id", "=", projectId)
      .where("about", "=", about)
      .execute();
    return;
  }
  // A project that was deleted meanwhile gets no remark.
  await database.kysely
    .insertInto("connection_remark")
    .columns(["project_id", "about", "text"])
    .expression((query) =>
      query
        .selectFrom("connection")
        .select(({ val }) => ["project_id", val(about).as("about"), val(text).as("text")])
        .where("project_id", "=", projectId),
    )
    .onConflict((conflict) => conflict.columns(["project_id", "about"]).doUpdateSet({ text }))
    .execute();
}

/** The problems at a project's host, although its repository is followed. */
export async function listRemarks(
  { database }: { database: Database },
  projectId: ProjectId,
): Promise<{ about: RemarkSubject; text: string }[]> {
  return database.kysely
    .selectFrom("connection_remark")
    .select(["about", "text"])
    .where("project_id", "=", projectId)
    .orderBy("about")
    .execute();
}
