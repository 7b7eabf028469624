import { pathInProject } from "#features/projects/site/external-site.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { memoize } from "#lib/memoize.ts";
import type { PlainAnswer, PlainRequest } from "#lib/network/plain-http.ts";
import type { ProxyWatch } from "./unnamed-proxy.ts";
import type { AgentList } from "#features/visitors/clients/agent-list.ts";
import { addressPrefix } from "#features/visitors/client-address.ts";
import type { AddressRanges } from "#lib/network/network-address.ts";
import { type Confirmation, readConfirmation } from "./confirmation.ts";
import type { Surface } from "#features/visitors/facts.ts";
import type { Journal } from "#features/visitors/journal/journal.ts";
import { isEditorFetch, createBrowserFinder } from "#features/visitors/clients/classify.ts";
import { createRateGuard } from "./rate-guard.ts";
import { isOfOwnSite } from "./own-site.ts";
import { type Arrival, isNavigation, isPrefetch, isPrivate, requestRecord } from "./request-record.ts";
import type { AnalyticsSettings, RecentSettings } from "#features/visitors/settings.ts";
import { pagePath, referrerHost, type SignatureVerdict, type ViewRecord } from "#features/visitors/view-record.ts";
import { cookieText, mintedCookie } from "#features/visitors/clients/visitor-key.ts";
import type { CheckSignature } from "#features/visitors/clients/web-bot-auth.ts";

/** Receives views. Its response to a confirmation means that the view is safely on disk. */
export interface Collector {
  /**
   * Records what the server sent. Returns at once; failed writes are counted as lost. For a page that was sent to a
   * browser only the number is kept, unless the project excludes addresses.
   */
  served(view: {
    projectId: ProjectId;
    path: string;
    surface: Surface;
    found: boolean;
    request: PlainRequest;
    peerAddress: string;
  }): void;
  /**
   * Accepts the message of the page's script. 204 once it is on disk, 403 for another site that is not on the project's
   * list, 429 for a flood from one address, 503 when it cannot be written. Throws `AppError invalid` for an invalid
   * message.
   */
  confirm(message: Message): Promise<PlainAnswer>;
  /**
   * Accepts the same message from docs that are hosted elsewhere, for origins on the project's list. Responds like
   * `confirm`, with the CORS headers; 403 for any other origin.
   */
  ingest(message: Omit<Message, "pageOf" | "read"> & { confirmation: Confirmation | null }): Promise<PlainAnswer>;
  /** Resolves when all pages served before are in the journal's queue. */
  settle(): Promise<void>;
}

/** A message with its arrival, and whether pages of the site are served here. */
type Sent = Omit<Message, "read"> & Arrival & { confirmation(): Confirmation | null; isOfServedPage: boolean };

interface Message {
  projectId: ProjectId;
  request: PlainRequest;
  peerAddress: string;
  /** Reads the script's message, when the view is about to be written. */
  read(): unknown;
  /** The canonical path of the page at a path; null when there is no page. */
  pageOf(path: string): string | null;
}

type Served = Parameters<Collector["served"]>[0];

/** The view of a message, null if it is refused, and the response once the view is on disk. */
interface Taken {
  record: ViewRecord | null;
  answer: PlainAnswer | AppError;
}

export interface CollectorDeps {
  journal: Pick<Journal, "append" | "count">;
  settings: RecentSettings;
  isTrustedProxy: AddressRanges;
  /** Sees each request; without it a missing trusted proxy is not noticed. */
  proxyWatch?: Pick<ProxyWatch, "note">;
  /** The list of agents in use; what comes with Docent by default. */
  agents?(): AgentList;
  /** Checks the signature of a request; without it none is checked. */
  checkSignature?: CheckSignature;
  clock: Clock;
  /** Confirmations from one address (IPv6: /64) in a minute. */
  maxConfirmsPerMinute?: number;
  /** Pages served to one address (IPv6: /64) in a minute that may count in a project. */
  maxServedPerMinute?: number;
}

const empty = (status: number, headers: Record<string, string> = {}): PlainAnswer => ({ status, headers, body: null });
const TAKEN = empty(204, { "Cache-Control": "no-store" });
const FLOOD = empty(429, { "Retry-After": "60" });
const UNWRITTEN = empty(503, { "Retry-After": "30" });
const NO_MESSAGE = new AppError("invalid", "The view does not have the expected format.");

const MAX_CONFIRMS_PER_MINUTE = 1_200;
const MAX_SERVED_PER_MINUTE = 1_200;
/** Served pages that wait for a signature check or for the project's settings. */
const MAX_WAITING = 1_000;

export function createCollector(deps: CollectorDeps): Collector {
  const { checkSignature = () => Promise.resolve(null) } = deps;
  const noting = new Set<Promise<void>>();
  const guard = createRateGuard({ clock: deps.clock, perMinute: deps.maxConfirmsPerMinute ?? MAX_CONFIRMS_PER_MINUTE });

  const servings = createRateGuard({
    clock: deps.clock,
    perMinute: deps.maxServedPerMinute ?? MAX_SERVED_PER_MINUTE,
  });

  const isBrowser = createBrowserFinder(deps);
  const pathOfRoute = memoize(pagePath);

  /** Whether only the number of a page may be needed; the project's settings may still require more. */
  const mayBeNumber = ({ surface, found, request: { headers } }: Served) =>
    surface === "html" &&
    found &&
    headers.get("signature-agent") === null &&
    isBrowser(headers.get("user-agent") ?? "") &&
    !isEditorFetch({ userAgent: headers.get("user-agent") ?? "", isPrivate: isPrivate(headers) });

  const numberOf = ({ projectId, request: { headers }, time }: Arrival) => ({
    project: projectId,
    time,
    isPrivate: isPrivate(headers),
    isPrefetch: isPrefetch(headers),
  });

  const count = (served: Served & Arrival, settings: AnalyticsSettings | null) => {
    if (settings !== null && settings.excludedNetworks.length > 0) return keep(served, null); // the address decides
    deps.journal.count(numberOf(served));
  };

  const keep = (served: Served & Arrival, signature: SignatureVerdict | null) => {
    void deps.journal.append({ project: served.projectId, make: () => servedRecord(served, signature) });
  };

  const servedRecord = (served: Served & Arrival, signature: SignatureVerdict | null): ViewRecord | null => {
    const { surface, found, request } = served;
    const path = pagePath(served.path);
    if (path === null) return null;
    const said = requestRecord(deps.isTrustedProxy, served);
    if (!servings.admits(`${served.projectId} ${addressPrefix(said.address)}`)) {
      deps.journal.count({ ...numberOf(served), isFlood: true });
      return null;
    }
    return {
      ...said,
      ...(signature && { signature }),
      ...(isNavigation(request.headers) && { isNavigation: true }),
      path,
      surface,
      found,
      source: "served",
      referrer: referrerHost(request.headers.get("referer"), request.url),
    };
  };

  /** The response does not wait for its records, and those do not wait for the disk. */
  const later = (note: Promise<void>) => {
    const waiting = note.finally(() => noting.delete(waiting));
    noting.add(waiting);
  };

  const take = async (message: Sent, settings: AnalyticsSettings): Promise<PlainAnswer> => {
    const { projectId, request } = message;
    let known: Taken | null = null;
    const taken = () => (known ??= takenView(message, settings));
    // Browsers do not sign. A refused message is not worth a check: only a few run at a time.
    const isToBeChecked = request.headers.get("signature-input") !== null && taken().record !== null;
    const signature = isToBeChecked ? await checkSignature(request) : null;
    const make = () => {
      const { record } = taken();
      return record && signature ? { ...record, signature } : record;
    };
    const isDurable = await deps.journal.append({ project: projectId, make });
    if (!isDurable) return UNWRITTEN;
    const { answer } = taken();
    if (answer instanceof AppError) throw answer;
    return answer;
  };

  const takenView = (message: Sent, settings: AnalyticsSettings): Taken => {
    const { request, pageOf } = message;
    const confirmation = message.confirmation();
    const page = confirmation && pageOf(confirmation.path);
    const path = confirmation && (page === null ? pagePath(confirmation.path) : pathOfRoute(page));
    if (confirmation === null || path === null) return { record: null, answer: NO_MESSAGE };
    const said = requestRecord(deps.isTrustedProxy, message);
    if (!guard.admits(addressPrefix(said.address))) return { record: null, answer: FLOOD };
    const minted = mintedCookie(settings, said, confirmation.storage);
    const record: ViewRecord = {
      ...said,
      path,
      surface: "html",
      found: !confirmation.isMissing && (page !== null || pageOf(path) !== null),
      source: "confirmed",
      referrer: referrerHost(confirmation.referrer, request.headers.get("origin") ?? request.url),
      event: confirmation.id,
      cookie: settings.identity === "cookie" ? (said.cookie ?? minted) : null,
      isPrefetch: false,
      ...(confirmation.isAutomated && { isAutomated: true }),
      ...(message.isOfServedPage && { isOfServedPage: true }),
    };
    if (minted === null) return { record, answer: TAKEN };
    return { record, answer: { ...TAKEN, headers: { ...TAKEN.headers, "Set-Cookie": cookieText(minted, request) } } };
  };

  return {
    served(view) {
      const { projectId, request } = view;
      if (request.method !== "GET") return;
      deps.proxyWatch?.note(request, view.peerAddress);
      const served = { ...view, time: deps.clock.now().getTime() };
      if (request.headers.get("signature-input") !== null) {
        return later(checkSignature(request).then((signature) => keep(served, signature)));
      }
      if (!mayBeNumber(served)) return keep(served, null);
      if (noting.size >= MAX_WAITING) return keep(served, null); // the store is slow, and memory is limited
      const known = deps.settings.known(projectId);
      if (known !== undefined) return count(served, known);
      const counting = deps.settings.read(projectId).then(
        (settings) => count(served, settings),
        () => keep(served, null),
      );
      later(counting);
    },

    async confirm(message) {
      deps.proxyWatch?.note(message.request, message.peerAddress);
      const time = deps.clock.now().getTime();
      const settings = await deps.settings.read(message.projectId);
      if (settings === null) throw new AppError("not_found", "There is no such project.");
      if (!isOfOwnSite(message.request, settings.allowedOrigins)) return empty(403);
      return await take(
        { ...message, confirmation: () => readConfirmation(message.read()), time, isOfServedPage: true },
        settings,
      );
    },

    async ingest(message) {
      const { request, peerAddress } = message;
      deps.proxyWatch?.note(request, peerAddress);
      const time = deps.clock.now().getTime();
      const settings = await deps.settings.read(message.projectId);
      const origin = request.headers.get("origin");
      if (origin === null || !settings?.allowedOrigins.includes(origin)) return empty(403);
      const allowed = { "Access-Control-Allow-Origin": origin, Vary: "Origin" };
      if (request.method === "OPTIONS") {
        const preflight = {
          ...allowed,
          "Access-Control-Allow-Headers": "content-type",
          "Access-Control-Max-Age": "86400",
        };
        return empty(204, preflight);
      }
      // Our cookie on another site's page would be a third-party cookie.
      const identity = settings.identity === "cookie" ? "stable" : settings.identity;
      const { confirmation } = message;
      // A page next to the docs, of a site that publishes them below a path.
      if (confirmation !== null && pathInProject(settings.siteBase, confirmation.path) === null)
        return { ...TAKEN, headers: { ...TAKEN.headers, ...allowed } };
      const pageOf = (path: string) => pathInProject(settings.siteBase, path) ?? path; // only that site knows more
      const answer = await take(
        { ...message, confirmation: () => confirmation, pageOf, time, isOfServedPage: false },
        { ...settings, identity },
      );
      return { ...answer, headers: { ...answer.headers, ...allowed } };
    },

    async settle() {
      await Promise.all(noting);
    },
  };
}
