import type { Kysely } from "kysely";

/**
 * Packs may be objects in a bucket. An object that no pack names yet, or no longer, has a row until it is removed: it is
 * inserted before the object is stored, so that no object is lost from sight.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("repository_pack").addColumn("object", "text").execute();
  await db.schema
    .createTable("unused_object")
    .addColumn("object", "text", (c) => c.primaryKey())
    .addColumn("remove_after", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("unused_object_due").on("unused_object").column("remove_after").execute();
}
