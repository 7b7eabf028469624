import type { Database } from "#db/database.ts";
import { newProjectId, type ProjectId } from "#lib/ids.ts";

/** A project's row only, without a repository, for tests that only refer to it. */
export async function insertTestProject(database: Database, slug = "harbor-docs"): Promise<ProjectId> {
  const id = newProjectId();
  await database.kysely
    .insertInto("project")
    .values({
      id,
      slug,
      name: "Harbor docs",
      source_url: null,
      code_host: "embedded",
      branch: "main",
      settings: "{}",
      created_at: Date.now(),
    })
    .execute();
  return id;
}
