import type { SitePin } from "#features/projects/project.ts";
import type { Deployment } from "./deployment.ts";
import { html, type Html } from "#kit/pages/markup.ts";

/** What a deployment is to readers, as a label; nothing for one that was live earlier. */
export function badge(
  { id, state, liveAt }: Deployment,
  { liveId, pin }: { liveId: string | null; pin: SitePin | null },
): Html | null {
  if (id === liveId) return html`<span class="badge here">live</span>`;
  if (state !== "ready") return html`<span class="badge">${state}</span>`;
  return pin && liveAt === null ? html`<span class="badge">waits</span>` : null;
}

/** How long after its push a deployment was live; null where that is not known, or it waited behind a pin. */
export function liveAfter({ pushedAt, liveAt }: Deployment): string | null {
  if (!pushedAt || !liveAt) return null;
  const milliseconds = Math.max(0, liveAt.getTime() - pushedAt.getTime());
  return milliseconds < 10_000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 1000)} s`;
}

/** Its pages and its report's findings in a few words. */
export function findingsOf({ pages, errors, warnings }: Deployment): string {
  const counted = (count: number, word: string) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
  const parts = pages === null ? [] : [counted(pages, "page")];
  if (errors !== null && errors > 0) parts.push(counted(errors, "error"));
  if (warnings !== null && warnings > 0) parts.push(counted(warnings, "warning"));
  return parts.length === 0 ? "–" : parts.join(", ");
}
