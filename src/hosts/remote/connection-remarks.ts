import type { Selectable } from "kysely";
import type { Database } from "#db/database.ts";
import type { ConnectionRemarkTable } from "#db/tables/code-hosts.ts";
import type { ProjectId } from "#lib/ids.ts";

export type RemarkSubject = Selectable<ConnectionRemarkTable>["about"];

/** What a host said, with the full stop that hosts leave out, before more is said. */
export const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Writes down what does not work at a project's host, or with null that it works. */
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
  // A project that is deleted at this moment takes no remark.
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

/** What does not work at a project's host, though its repository is followed. */
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
