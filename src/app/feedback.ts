import { addressPrefix, clientAddress } from "#features/visitors/client-address.ts";
import type { Analytics } from "#features/visitors/collect/analytics.ts";
import { createRateGuard } from "#features/visitors/collect/rate-guard.ts";
import { createAuthorFinder, keepFeedback } from "#features/visitors/feedback/feedback-book.ts";
import { createSiteFeedback, type SiteFeedback } from "#features/sites/feedback/site-feedback.ts";
import { PAGE_HEADERS } from "#features/sites/serving/page-headers.ts";
import type { Context } from "./context.ts";
import type { Store } from "./store.ts";

// A vote and its comment are two requests. The limit leaves room for an office behind one address.
const PER_MINUTE = 20;
const PER_DAY = 200;

/** Feedback of readers on pages, from sites to the store. */
export function composeFeedback(
  { clock, isTrustedProxy }: Context,
  {
    database,
    vault,
    time,
    analytics,
  }: Pick<Store, "database" | "vault" | "time"> & { analytics: Pick<Analytics, "agents"> },
): SiteFeedback {
  const guards = [createRateGuard({ clock, perMinute: PER_MINUTE }), createRateGuard({ clock, perDay: PER_DAY })];
  return createSiteFeedback({
    admits(project, request, peer) {
      const forwardedFor = request.headers.get("x-forwarded-for");
      const address = clientAddress({ peer, forwardedFor, isTrustedProxy });
      const key = `${project.id} ${addressPrefix(address)}`;
      return guards.every((guard) => guard.admits(key)) ? address : null;
    },
    findAuthor: createAuthorFinder(analytics),
    keep: (given) => keepFeedback({ database, vault, clock, time }, given),
    pageHeaders: PAGE_HEADERS,
  });
}
