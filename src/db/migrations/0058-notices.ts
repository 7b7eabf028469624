import type { Kysely } from "kysely";

/** Mail notices to people other than the end of their jobs, sent at once or daily. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const person = () => db.schema.alterTable("person");
  await person()
    .addColumn("notices", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  await person()
    .addColumn("notices_since", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  await person()
    .addColumn("daily_mail", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("notice")
    .addColumn("person_id", "text", (c) => c.notNull().references("person.id").onDelete("cascade"))
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("project_id", "text", (c) => c.references("project.id").onDelete("cascade"))
    .addColumn("headline", "text", (c) => c.notNull())
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("sent_at", "bigint")
    .addPrimaryKeyConstraint("notice_pk", ["person_id", "kind", "subject"])
    .execute();
}
