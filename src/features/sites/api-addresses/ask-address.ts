import { getFollowing } from "#lib/network/get-following.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";

/** The response of an address. `same`: the caller's copy is current. */
export type AddressAnswer =
  | { kind: "content"; bytes: Buffer; etag: string | null; lastModified: string | null }
  | { kind: "same" }
  | { kind: "failed"; trouble: string };

export interface AddressQuestion {
  address: string;
  etag: string | null;
  lastModified: string | null;
  /** Whether the project allows an address, including each target of a redirect. */
  isAllowed(url: URL): boolean;
  signal: AbortSignal;
}

/** The largest public API descriptions have 10 MB. */
export const MAX_DESCRIPTION_BYTES = 10_000_000;
const WITHIN_MS = 20_000;
const MAX_VALIDATOR_LENGTH = 500;

/**
 * Fetches an API description from an address. Follows redirects to hosts that the project allows, and never from https
 * to http. Rejects only on abort.
 */
export async function askAddress(
  { outboundHttp, userAgent }: { outboundHttp: Pick<OutboundHttp, "send">; userAgent: string },
  { address, etag, lastModified, isAllowed, signal }: AddressQuestion,
): Promise<AddressAnswer> {
  const found = await getFollowing(
    { outboundHttp },
    {
      url: new URL(address),
      headers: {
        Accept: "application/json, application/yaml, */*;q=0.5",
        "User-Agent": userAgent,
        ...(etag !== null && { "If-None-Match": etag }),
        ...(lastModified !== null && { "If-Modified-Since": lastModified }),
      },
      refusalOf: (next) =>
        isAllowed(next)
          ? null
          : `It redirects to ${next.host.slice(0, 200)}, which is not among \`apiHosts\` of the project.`,
      withinMs: WITHIN_MS,
      maxResponseBytes: MAX_DESCRIPTION_BYTES,
      signal,
    },
  );
  if ("trouble" in found) return failed(found.trouble);
  const { status, headers, body, isCut } = found.result;
  if (status === 304 && (etag !== null || lastModified !== null)) return { kind: "same" };
  if (status !== 200) return failed(`The host answers with status ${status}.`);
  if (isCut) return failed(`It is larger than ${MAX_DESCRIPTION_BYTES / 1_000_000} MB.`);
  return {
    kind: "content",
    bytes: body,
    etag: validator(headers["etag"]),
    lastModified: validator(headers["last-modified"]),
  };
}

const failed = (trouble: string) => ({ kind: "failed", trouble }) as const;

/** A validator for the next request; dropped when it is too long or invalid in a header. */
function validator(value: string | undefined): string | null {
  return value !== undefined && value.length <= MAX_VALIDATOR_LENGTH && /^[\x20-\x7e]+$/.test(value) ? value : null;
}
