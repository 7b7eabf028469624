import type { SitePin } from "#features/projects/project.ts";
import type { Deployment } from "./deployment.ts";

/** A deployment as the interface and `--json` show it. `liveId`: the one that readers see. */
export function deploymentToJson(deployment: Deployment, liveId: string | null) {
  const { id, number, commit, branch, subject, author, state, trouble, pages, errors, warnings } = deployment;
  const { authoredAt, pushedAt, noticedAt, liveAt } = deployment;
  return {
    id,
    number,
    commit,
    branch,
    subject,
    author,
    authoredAt: authoredAt.toISOString(),
    noticedAt: noticedAt.toISOString(),
    liveAt: liveAt?.toISOString() ?? null,
    /** How long after the push it was live; null where the push was not seen, or it was not live at once. */
    liveAfterMs: pushedAt && liveAt ? liveAt.getTime() - pushedAt.getTime() : null,
    live: id === liveId,
    state,
    trouble,
    pages,
    errors,
    warnings,
  };
}

export const pinToJson = ({ commit, at, by }: SitePin) => ({ commit, at: at.toISOString(), by });
