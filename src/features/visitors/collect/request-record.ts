import type { ProjectId } from "#lib/ids.ts";
import type { PlainRequest } from "#lib/network/plain-http.ts";
import { MAX_USER_AGENT_LENGTH } from "#features/visitors/clients/classify.ts";
import { clientAddress } from "#features/visitors/client-address.ts";
import type { AddressRanges } from "#lib/network/network-address.ts";
import { acceptPreference, type ViewRecord } from "#features/visitors/view-record.ts";
import { cookieValue } from "#features/visitors/clients/visitor-key.ts";

/** What is known of a request for a project's page, or of a message about one, when it arrives. */
export interface Arrival {
  projectId: ProjectId;
  request: PlainRequest;
  peerAddress: string;
  /** Milliseconds since 1970. */
  time: number;
}

/** Everything of a view that its request itself says. */
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

/** A browser asks for it to show it to somebody. Browsers say so on https and on the machine itself. */
export const isNavigation = (headers: PlainRequest["headers"]): boolean => headers.get("sec-fetch-mode") === "navigate";

/** The browser fetches ahead of a reader who may never come. */
export function isPrefetch(headers: PlainRequest["headers"]): boolean {
  const purpose = headers.get("sec-purpose") ?? headers.get("purpose");
  return purpose !== null && /prefetch|prerender/i.test(purpose);
}
