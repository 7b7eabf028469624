import type { Database } from "#db/database.ts";
import { mergersOf } from "#features/projects/mergers.ts";
import { nameInTrailer } from "#git/objects/objects.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import type { Deployment } from "./deployment.ts";

/** The people behind the commits of deployments: who merged here, and who asked the agent, as its commits say. */
export type DeployedBy = ReadonlyMap<string, { mergedBy: string | null; askedBy: string | null }>;

const MAX_LOGGED = 100;

/** From one log: deployments are commits of one branch. A commit that is not in it is shown with its author alone. */
export async function readDeployedBy(
  { database, repoStore }: { database: Pick<Database, "kysely">; repoStore: Pick<RepoStore, "log"> },
  projectId: ProjectId,
  newest: Pick<Deployment, "commit"> | undefined,
): Promise<DeployedBy> {
  const range = newest && { base: null, head: newest.commit, limit: MAX_LOGGED };
  // A commit that was force-pushed away may be gone.
  const commits = range ? await repoStore.log(projectId, range).catch(() => []) : [];
  const ids = commits.map(({ id }) => id);
  const mergers = await mergersOf(database.kysely, projectId, ids);
  return new Map(
    commits.map(({ id, trailers }) => [
      id,
      { mergedBy: mergers.get(id) ?? null, askedBy: nameInTrailer(trailers["Co-authored-by"]) },
    ]),
  );
}

/** The author, with who asked the agent for the commit and who merged it. */
export function deployedBy({ author, commit }: Deployment, people: DeployedBy): Html {
  const { mergedBy = null, askedBy = null } = people.get(commit) ?? {};
  const asked = askedBy !== null && askedBy !== author ? html` for ${raw(visibleHtml(askedBy))}` : "";
  return html`${raw(visibleHtml(author))}${asked}${mergedBy !== null && html`, merged by ${raw(visibleHtml(mergedBy))}`}`;
}
