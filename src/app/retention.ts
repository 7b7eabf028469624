import { inBatches } from "#db/batches.ts";
import { deleteOldAudit } from "#features/accounts/audit.ts";
import { deleteExpiredInvitations } from "#features/accounts/invitations.ts";
import { forgetOldTranscripts } from "#features/jobs/requests/lifecycle.ts";
import { deleteExpiredSessions } from "#features/keys/sessions.ts";
import { deleteOldMail } from "#features/mail/mail-queue.ts";
import { deleteOldDeployments } from "#features/sites/deployments/deployment-rows.ts";
import { DAY_MS } from "#lib/clock.ts";
import type { Context } from "./context.ts";
import type { Store } from "./store.ts";

/**
 * Deletes records that are older than the retention period, and logs how many. A clock that jumped ahead deletes
 * nothing.
 */
export async function deleteOldRecords(
  { config, logger }: Pick<Context, "config" | "logger">,
  { database, time }: Pick<Store, "database" | "time">,
  signal: AbortSignal,
): Promise<void> {
  const { transcriptDays, deploymentDays, auditDays } = config.retention;
  const now = await time.now();
  const at = now.getTime();
  /** Null keeps records forever. */
  const older = (days: number | null, deleteSome: (range: { before: number; limit: number }) => Promise<number>) =>
    days === null ? 0 : inBatches((limit) => deleteSome({ before: at - days * DAY_MS, limit }), signal);
  const deleted = {
    transcripts: await older(transcriptDays, (range) => forgetOldTranscripts({ database }, { ...range, at })),
    deployments: await older(deploymentDays, (range) => deleteOldDeployments({ database }, range)),
    auditEntries: await older(auditDays, (range) => deleteOldAudit(database, range)),
  };
  await deleteExpiredSessions(database, now);
  await deleteExpiredInvitations(database, now);
  await deleteOldMail(database, now);
  if (Object.values(deleted).some((count) => count > 0)) logger.info(deleted, "old records were deleted");
}
