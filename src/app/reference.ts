import path from "node:path";
import { addressPrefix, clientAddress } from "#features/visitors/client-address.ts";
import { createRateGuard } from "#features/visitors/collect/rate-guard.ts";
import { createCallGuard } from "#features/sites/mcp/call-guard.ts";
import type { PageRenderer } from "#features/sites/page-content.ts";
import { readGuides } from "#features/sites/reference/guides.ts";
import { createReferenceSite, type ReferenceSite } from "#features/sites/reference/reference-site.ts";
import type { Context } from "./context.ts";

/** Docent's own documentation: next to `src` in a checkout, and included in the package. */
const DOCS = path.join(import.meta.dirname, "..", "..", "docs");
const SEARCHES_PER_MINUTE = 600;

/** `/reference`: the server's own API reference, rendered like the site of a project. */
export function composeReference(
  { clock, logger, isTrustedProxy }: Context,
  { content }: { content: PageRenderer },
): ReferenceSite {
  const searches = createRateGuard({ clock, perMinute: SEARCHES_PER_MINUTE });
  return createReferenceSite({
    contentProcess: content,
    logger,
    clock,
    readGuides: () => readGuides(DOCS),
    admitsCall: createCallGuard({ clock, isTrustedProxy }),
    admitsSearch(request, peer) {
      const forwardedFor = request.headers.get("x-forwarded-for");
      return searches.admits(addressPrefix(clientAddress({ peer, forwardedFor, isTrustedProxy })));
    },
  });
}
