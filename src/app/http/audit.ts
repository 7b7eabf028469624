import type { Context, MiddlewareHandler } from "hono";
import { type AuditEvent, recordAudit } from "#features/accounts/audit.ts";
import { actorOf, type AtWork, doerOf } from "#features/keys/actor.ts";
import type { Database } from "#db/database.ts";
import { type HttpEnv, subjectOf } from "#kit/http/context.ts";
import type { Clock } from "#lib/clock.ts";
import type { Logger } from "#lib/logger.ts";

export interface AuditDeps {
  database: Database;
  clock: Clock;
  logger: Logger;
}

/** Actions that change nothing of interest, or occur thousands of times. */
const LEFT_OUT = new Set([
  "sendViews",
  "searchPages",
  "readPage",
  "tryChores",
  "previewPage",
  "followAgentJob",
  "account/passkey-options",
]);
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Records an action. A failure to record it is logged, because the action itself has already taken place. */
export async function audit(
  { database, clock, logger }: AuditDeps,
  { doer, projectId }: AtWork,
  what: Pick<AuditEvent, "action" | "target" | "address" | "subject">,
): Promise<void> {
  try {
    await recordAudit(database, { ...what, at: clock.now(), projectId, actor: await actorOf(database, doer) });
  } catch (error) {
    logger.error({ err: error, ...what }, "the audit log could not be written");
  }
}

/**
 * Records every successful request that changes something, with the authenticated caller. Central, so that no route can
 * forget it.
 */
export function auditLog(deps: AuditDeps): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next();
    const atWork = doerOf(c);
    if (atWork === null || (atWork.isRead ?? READS.has(c.req.method)) || c.res.status >= 400) return;
    // Recorded with the first request.
    if (c.res.headers.has("Idempotent-Replayed")) return;
    const action = atWork.action ?? actionOf(c.req.path);
    // Changes by MCP tools are separate requests, which are recorded themselves.
    if (action === "" || LEFT_OUT.has(action)) return;
    // A deletion is an event of the instance: the audit log of the project is deleted with it.
    const where = action === "deleteProject" ? { ...atWork, projectId: null } : atWork;
    await audit(deps, where, {
      action,
      subject: subjectOf(c) ?? newJobOf(c),
      target: withoutSecrets(c.req.path),
      address: c.env.clientAddress,
    });
  };
}

/** The job that a request created, so that its entry links to it. */
function newJobOf(c: Context): string | null {
  const created = c.res.headers.get("Location") ?? "";
  return c.req.path.includes("/job_") ? null : (/\/(job_[0-9a-z]{26})$/.exec(created)?.[1] ?? null);
}

const ID = /^(?:[a-z]{2,4}_[0-9a-z]{26}|\d+|[\w-]{43})$/;

/** Derives the action of a dashboard form from its path: `/docs/jobs/job_…/cancel` is `jobs/cancel`. */
function actionOf(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  const [first = ""] = parts;
  const isOfInstance = ["-", "admin", "sign-in", "sign-out"].includes(first);
  const named = isOfInstance && first !== "-" ? parts : parts.slice(1);
  return named.filter((part) => !ID.test(part)).join("/");
}

/** Redacts the token of an invitation. */
const withoutSecrets = (path: string): string => path.replace(/^\/-\/join\/.*/, "/-/join/…");
