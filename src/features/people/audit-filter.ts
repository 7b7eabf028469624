import type { AuditFilter } from "#features/accounts/audit.ts";
import { DAY_MS, readCalendarDay } from "#lib/clock.ts";
import { actionsOf, isAuditKind } from "./audit-sentences.ts";

/** The filter of the audit log as entered; empty and invalid fields do not filter. */
export interface EnteredFilter {
  actor: string;
  action: string;
  /** A kind of actions; see `AUDIT_KINDS`. */
  kind: string;
  /** First and last day, both inclusive: 2026-11-28. */
  from: string;
  to: string;
}

export function readFilter({ actor, action, kind, from, to }: EnteredFilter): AuditFilter {
  const last = readCalendarDay(to);
  return {
    actor,
    action,
    actions: isAuditKind(kind) ? actionsOf(kind) : undefined,
    from: readCalendarDay(from) ?? undefined,
    to: last === null ? undefined : new Date(last.getTime() + DAY_MS),
  };
}
