import { randomBytes } from "node:crypto";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { memoize } from "#lib/memoize.ts";
import type { PlainAnswer, PlainRequest } from "#lib/plain-http.ts";
import { MAX_USER_AGENT_LENGTH } from "./classify.ts";
import { addressPrefix, type AddressRanges, clientAddress } from "./client-address.ts";
import type { Surface } from "./facts.ts";
import type { Journal } from "./journal.ts";
import { createBrowserFinder } from "./known-browsers.ts";
import { createRateGuard } from "./rate-guard.ts";
import type { AnalyticsSettings } from "./settings.ts";
import { acceptPreference, pagePath, referrerHost, type SignatureVerdict, type ViewRecord } from "./view-record.ts";
import type { CheckSignature } from "./web-bot-auth.ts";

/** Takes views in. What it answers to confirmations says that they are safely on disk. */
export interface Collector {
  /**
   * Notes a delivery of ours. Returns at once; what cannot be written is counted as lost. Of a page that a browser was
   * given only the number is kept, unless the project excludes addresses.
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
   * Takes the message of the page's script. 204 once it is on disk, 400 for a wrong body, 403 from another site,
   * 429 for a flood from one address, 503 when it cannot be written. `pageOf` gives the canonical path of the page that
   * a path leads to now, null for none.
   */
  confirm(options: {
    projectId: ProjectId;
    request: PlainRequest;
    peerAddress: string;
    body: unknown;
    pageOf(path: string): string | null;
  }): Promise<PlainAnswer>;
  /**
   * Takes the same message from docs that are hosted elsewhere, for origins on the project's list. Answers like
   * `confirm`, with the headers that cross-origin requests need; 403 for any other origin.
   */
  ingest(options: {
    projectId: ProjectId;
    request: PlainRequest;
    peerAddress: string;
    body: unknown;
  }): Promise<PlainAnswer>;
  /** Resolves when what was served before is in the journal's queue. */
  settle(): Promise<void>;
}

type Delivered = Parameters<Collector["served"]>[0];

export interface CollectorDeps {
  journal: Pick<Journal, "append" | "count">;
  /** Settings of a project, null when there is none; may be a few seconds old. At once when they are known. */
  settings(projectId: ProjectId): AnalyticsSettings | null | Promise<AnalyticsSettings | null>;
  isTrustedProxy: AddressRanges;
  /** Judges how a request is signed; without it nothing is. */
  checkSignature?: CheckSignature;
  clock: Clock;
  /** Confirmations from one address (IPv6: /64) in a minute. */
  maxConfirmsPerMinute?: number;
}

/** The message of the page's script. */
interface Confirmation {
  /** `location.pathname` of the page. */
  path: string;
  /** `document.referrer`, on the first page only. */
  referrer: string | null;
  /** Made by the script for this view; a repeat of it counts once. One too short to be unique is none. */
  id: string | null;
  /** Cookies work in this browser. */
  storage: boolean;
}

const MAX_TEXT_LENGTH = 4_096;
const MAX_ID_LENGTH = 64;

/**
 * Null for anything else. By hand: a schema costs a view a twentieth of its time. The script may be newer or older than
 * the server, so more fields are nothing to refuse.
 */
function readConfirmation(body: unknown): Confirmation | null {
  if (typeof body !== "object" || body === null) return null;
  const { path, referrer = null, id = null, storage = null } = body as Record<string, unknown>;
  if (typeof path !== "string" || path === "" || path.length > MAX_TEXT_LENGTH) return null;
  if (!isTextOrNull(referrer, MAX_TEXT_LENGTH) || !isTextOrNull(id, MAX_ID_LENGTH)) return null;
  if (storage !== null && typeof storage !== "boolean") return null;
  return { path, referrer, id, storage: storage === true };
}

const isTextOrNull = (value: unknown, maxLength: number): value is string | null =>
  value === null || (typeof value === "string" && value.length <= maxLength);

const MIN_ID_LENGTH = 8;
const COOKIE = "docent_visitor";
const COOKIE_SECONDS = 13 * 30 * 24 * 3_600; // 13 months, the longest that the French exemption allows
const MAX_CONFIRMS_PER_MINUTE = 1_200;
/** Deliveries that wait for a signature's check or for the project's settings. */
const MAX_WAITING = 1_000;

export function createCollector(deps: CollectorDeps): Collector {
  const { checkSignature = () => null } = deps;
  const checking = new Set<Promise<void>>();
  const guard = createRateGuard({ clock: deps.clock, perMinute: deps.maxConfirmsPerMinute ?? MAX_CONFIRMS_PER_MINUTE });

  const isBrowser = createBrowserFinder(deps);
  const pathOfRoute = memoize(pagePath);

  /** False for a delivery of which more than the number may be wanted, whatever the project's settings are. */
  const mayBeNumber = ({ surface, found, request: { headers } }: Delivered) =>
    surface === "html" &&
    found &&
    headers.get("signature-agent") === null &&
    isBrowser(headers.get("user-agent") ?? "");

  const count = (delivered: Delivered, settings: AnalyticsSettings | null) => {
    if (settings !== null && settings.excludedNetworks.length > 0) return keep(delivered); // the address decides
    const { projectId, request } = delivered;
    const time = deps.clock.now().getTime();
    const kind = { isPrivate: isPrivate(request.headers), isPrefetch: isPrefetch(request.headers) };
    deps.journal.count({ project: projectId, time, ...kind });
  };

  const keep = ({ projectId, path, surface, found, request, peerAddress }: Delivered, signature?: SignatureVerdict) => {
    const normal = pagePath(path);
    if (normal === null) return;
    const said = recordOf(deps, { projectId, request, peerAddress });
    const referrer = referrerHost(request.headers.get("referer"));
    const view: ViewRecord = { ...said, path: normal, surface, found, source: "served", referrer };
    void deps.journal.append(signature === undefined ? view : { ...view, signature });
  };

  /** The answer waits for nothing that is noted of it, and none of that for the disk. */
  const later = (noting: Promise<void>) => {
    const waiting = noting.finally(() => checking.delete(waiting));
    checking.add(waiting);
  };

  const take = async (options: Parameters<Collector["confirm"]>[0] & { settings: AnalyticsSettings }) => {
    const { projectId, request, peerAddress, settings } = options;
    const confirmation = readConfirmation(options.body);
    const page = confirmation && options.pageOf(confirmation.path);
    const path = confirmation && (page === null ? pagePath(confirmation.path) : pathOfRoute(page!));
    if (confirmation === null || path === null) throw new AppError("invalid", "The view is not of the expected shape.");
    const { id, storage, referrer } = confirmation;
    const record = recordOf(deps, { projectId, request, peerAddress });
    if (!guard.admits(addressPrefix(record.address))) {
      return empty(429, { "Retry-After": "60" });
    }
    const check = checkSignature(request);
    const signature = check && (await check);
    const minted = mintedCookie(settings, record, storage);
    const isDurable = await deps.journal.append({
      ...record,
      ...(signature && { signature }),
      path,
      surface: "html",
      found: page !== null || options.pageOf(path) !== null,
      source: "confirmed",
      referrer: referrerHost(referrer),
      event: id !== null && id.length >= MIN_ID_LENGTH ? id : null,
      cookie: settings.identity === "cookie" ? (record.cookie ?? minted) : null,
      isPrefetch: false,
    });
    if (!isDurable) return empty(503, { "Retry-After": "30" });
    const cookie = minted !== null && { "Set-Cookie": cookieText(minted, request) };
    return empty(204, { "Cache-Control": "no-store", ...cookie });
  };

  return {
    served(delivered) {
      if (delivered.request.method !== "GET") return;
      const checked = checkSignature(delivered.request);
      if (checked !== null) return later(checked.then((signature) => keep(delivered, signature ?? undefined)));
      if (!mayBeNumber(delivered)) return keep(delivered);
      if (checking.size >= MAX_WAITING) return keep(delivered); // the store is slow, and memory is not endless
      const settings = deps.settings(delivered.projectId);
      if (!(settings instanceof Promise)) return count(delivered, settings);
      const counting = settings.then(
        (known) => count(delivered, known),
        () => keep(delivered),
      );
      later(counting);
    },

    async confirm({ projectId, request, peerAddress, body, pageOf }) {
      // Sent by the browser alone; other sites must not be able to make views of this one.
      if (request.headers.get("sec-fetch-site") === "cross-site") return empty(403);
      const known = deps.settings(projectId);
      const settings = known instanceof Promise ? await known : known;
      if (settings === null) throw new AppError("not_found", "There is no such project.");
      return await take({ projectId, request, peerAddress, body, pageOf, settings });
    },

    async ingest({ projectId, request, peerAddress, body }) {
      const settings = await deps.settings(projectId);
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
      const answer = await take({
        projectId,
        request,
        peerAddress,
        body,
        pageOf: (path) => path, // only that site knows
        // A cookie of ours on somebody else's page would be a third party's.
        settings: { ...settings, identity: settings.identity === "cookie" ? "stable" : settings.identity },
      });
      return { ...answer, headers: { ...answer.headers, ...allowed } };
    },

    async settle() {
      await Promise.all(checking);
    },
  };
}

const empty = (status: number, headers: Record<string, string> = {}): PlainAnswer => ({ status, headers, body: null });

/** Everything that a request itself says. */
function recordOf(
  { isTrustedProxy, clock }: CollectorDeps,
  { projectId, request, peerAddress }: { projectId: ProjectId; request: PlainRequest; peerAddress: string },
): Omit<ViewRecord, "path" | "surface" | "found" | "source" | "referrer"> {
  const { headers } = request;
  return {
    project: projectId,
    time: clock.now().getTime(),
    address: clientAddress({ peer: peerAddress, forwardedFor: headers.get("x-forwarded-for"), isTrustedProxy }),
    userAgent: (headers.get("user-agent") ?? "").slice(0, MAX_USER_AGENT_LENGTH),
    preference: acceptPreference(headers.get("accept")),
    isPrivate: isPrivate(headers),
    cookie: cookieValue(headers.get("cookie")),
    event: null,
    signatureAgent: headers.get("signature-agent")?.slice(0, 256) ?? null,
    isPrefetch: isPrefetch(headers),
  };
}

const isPrivate = (headers: PlainRequest["headers"]): boolean =>
  headers.get("sec-gpc") === "1" || headers.get("dnt") === "1";

function isPrefetch(headers: PlainRequest["headers"]): boolean {
  const purpose = headers.get("sec-purpose") ?? headers.get("purpose");
  return purpose !== null && /prefetch|prerender/i.test(purpose);
}

function cookieValue(header: string | null): string | null {
  if (header === null) return null;
  return /(?:^|;\s*)docent_visitor=([\w-]{22})(?:;|$)/.exec(header)?.[1] ?? null;
}

// Only in answer to a script whose browser keeps cookies: an id for each fetch would make each fetch a visitor.
function mintedCookie(
  settings: AnalyticsSettings,
  record: { cookie: string | null; isPrivate: boolean },
  works: boolean,
) {
  const isWanted = settings.identity === "cookie" && works && record.cookie === null && !record.isPrivate;
  return isWanted ? randomBytes(16).toString("base64url") : null;
}

function cookieText(value: string, request: PlainRequest): string {
  const secure = request.url.startsWith("https:") || request.headers.get("x-forwarded-proto") === "https";
  return `${COOKIE}=${value}; Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
}
