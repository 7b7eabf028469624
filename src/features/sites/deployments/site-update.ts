import type { Selectable } from "kysely";
import { z } from "zod";
import type { SiteUpdateTable } from "#db/tables/sites.ts";
import type { ProjectId } from "#lib/ids.ts";

export const UPDATE_STATES = ["queued", "in_progress", "success", "failure"] as const;

const Files = z.array(z.string());

/** What a call came to, as it is stored; loose, as another version may have written it. */
export const SiteUpdateOutcome = z.object({
  summary: z.string(),
  logs: z.array(z.string()),
  author: z.string().optional().describe("Who wrote the commit."),
  commit: z
    .object({
      sha: z.string().describe("Id of the commit."),
      ref: z.string().describe("The branch."),
      message: z.string().describe("The commit's message."),
      filesChanged: z
        .object({
          added: Files.describe("New files."),
          modified: Files.describe("Changed files."),
          removed: Files.describe("Removed files."),
        })
        .describe("What the commit changed."),
    })
    .optional()
    .describe("The commit that it led to."),
});
export type SiteUpdateOutcome = z.infer<typeof SiteUpdateOutcome>;

/** What a caller asked of a site: to be brought up to date, or to show a branch. */
export interface SiteUpdate extends SiteUpdateOutcome {
  id: string;
  projectId: ProjectId;
  kind: "update" | "preview";
  branch: string;
  status: (typeof UPDATE_STATES)[number];
  createdAt: Date;
  endedAt: Date | null;
}

/** Longer than any of them takes; a server that stopped meanwhile says nothing more. */
const GIVEN_UP_MS = 15 * 60_000;

export function updateFromRow(row: Selectable<SiteUpdateTable>, now: Date): SiteUpdate {
  const outcome = SiteUpdateOutcome.parse(JSON.parse(row.outcome));
  const isLost = row.ended_at === null && now.getTime() - row.created_at > GIVEN_UP_MS;
  return {
    ...outcome,
    ...(isLost && { summary: "The server was stopped while it worked on this. Ask again." }),
    id: row.id,
    projectId: row.project_id,
    kind: row.kind,
    branch: row.branch,
    status: isLost ? "failure" : row.status,
    createdAt: new Date(row.created_at),
    endedAt: isLost ? new Date(row.created_at + GIVEN_UP_MS) : row.ended_at === null ? null : new Date(row.ended_at),
  };
}
