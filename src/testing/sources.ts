import { mirrorOf } from "#hosts/sources/sources.ts";
import type { Database } from "#db/database.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { newSourceId, type ProjectId } from "#lib/ids.ts";
import { createTestRepository } from "./repositories.ts";

/** A source whose mirror exists already; `commit` is what following it would fetch. */
export async function insertTestSource(
  { database, repoStore }: { database: Database; repoStore: RepoStore },
  options: { projectId: ProjectId; name: string; files: Record<string, string>; url?: string },
) {
  const { projectId, name, files, url = `https://github.com/acme/${name}` } = options;
  const id = newSourceId();
  const mirror = mirrorOf({ id });
  await using made = await createTestRepository(files);
  await repoStore.import(mirror, { source: made.path, branch: null });
  await database.kysely
    .insertInto("source")
    .values({
      id,
      project_id: projectId,
      name,
      kind: "github",
      url,
      branch: "main",
      sealed_token: null,
      synced_at: null,
      tried_at: Date.now(),
      trouble: null,
      created_at: Date.now(),
    })
    .execute();
  const ref = "refs/heads/main";
  return {
    id,
    mirror,
    async commit(message: string, changed: Record<string, string>): Promise<string> {
      const expected = await repoStore.resolve(mirror, ref);
      const edits = Object.entries(changed).map(([path, text]) => ({ path, content: Buffer.from(text) }));
      const tree = await repoStore.snapshot(mirror, { base: expected!, edits });
      const author = { name: "Ada Writer", email: "ada@example.com" };
      const to = await repoStore.commit(mirror, { tree, parents: [expected!], message, author, at: new Date() });
      await repoStore.updateRef(mirror, { ref, to, expected });
      return to;
    },
  };
}
