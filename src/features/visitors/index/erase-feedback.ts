import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { AddressKeys } from "./address-keys.ts";

const CHUNK = 500;

/** Deletes what the readers of an address said of pages, and returns how many entries that were. */
export async function eraseFeedback(
  { kysely }: Database,
  given: { projectId: ProjectId; keys: AddressKeys; signal: AbortSignal | undefined },
): Promise<number> {
  const { projectId, keys, signal } = given;
  let erased = 0;
  for (let after = ""; ;) {
    signal?.throwIfAborted();
    const rows = await kysely
      .selectFrom("feedback")
      .select(["id", "day", "page", "author", "comment", "voter"])
      .where("project_id", "=", projectId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(CHUNK)
      .execute();
    for (const { id, day, page, author, comment, voter } of rows) {
      const agentWords = author === "agent" ? (comment ?? "") : null;
      if (!keys.votersOf(day, { page, agentWords }).has(Number(voter))) continue;
      await kysely.deleteFrom("feedback").where("id", "=", id).execute();
      erased += 1;
    }
    const last = rows.at(-1);
    if (rows.length < CHUNK || last === undefined) return erased;
    after = last.id;
  }
}
