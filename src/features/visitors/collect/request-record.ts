import type { ProjectId } from "#lib/ids.ts";
import type { PlainRequest } from "#lib/network/plain-http.ts";
import { MAX_USER_AGENT_LENGTH } from "#features/visitors/clients/classify.ts";
import { clientAddress } from "#features/visitors/client-address.ts";
import type { AddressRanges } from "#lib/network/network-address.ts";
import { acceptPreference, type ViewRecord } from "#features/visitors/view-record.ts";
import { cookieValue } from "#features/visitors/clients/visitor-key.ts";

/** The facts about a request for a project's page, or about a message, on arrival. */
export interface Arrival {
  projectId: ProjectId;
  request: PlainRequest;
  peerAddress: string;
  /** Milliseconds since 1970. */
  time: number;
}

/** The fields of a view that follow from its request. */
export function requestRecord(
  isTrustedProxy: AddressRanges,
  { projectId, request: { headers }, peerAddress, time }: Arrival,
): Omit<ViewRecord, "path" | "surface" | "found" | "source" | "referrer"> {
  return {
    project: projectId,
    time,
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

/** GPC or DNT is set. */
export const isPrivate = (headers: PlainRequest["headers"]): boolean =>
  headers.get("sec-gpc") === "1" || headers.get("dnt") === "1";

/** A browser requests it to display it. Browsers send this over https and on localhost. */
export const isNavigation = (headers: PlainRequest["headers"]): boolean => headers.get("sec-fetch-mode") === "navigate";

/** The browser prefetches a page that the reader may never open. */
export function isPrefetch(headers: PlainRequest["headers"]): boolean {
  const purpose = headers.get("sec-purpose") ?? headers.get("purpose");
  return purpose !== null && /prefetch|prerender/i.test(purpose);
}
