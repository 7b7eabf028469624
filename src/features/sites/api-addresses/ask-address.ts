import type { OutboundHttp } from "#lib/network/outbound-http.ts";

/** What an address answers. `same`: what the caller has of it is the newest. */
export type AddressAnswer =
  | { kind: "content"; bytes: Buffer; etag: string | null; lastModified: string | null }
  | { kind: "same" }
  | { kind: "failed"; trouble: string };

export interface AddressQuestion {
  address: string;
  etag: string | null;
  lastModified: string | null;
  /** Whether the project has this address asked: each that a redirect leads to, too. */
  isAllowed(url: URL): boolean;
  signal: AbortSignal;
}

/** The largest public documents have 10 MB. */
export const MAX_DESCRIPTION_BYTES = 10_000_000;
const WITHIN_MS = 20_000;
const MAX_REDIRECTS = 3;
const MAX_VALIDATOR_LENGTH = 500;

/**
 * Asks one address for the description of an API. Redirects are followed where the project allows their hosts, and never from
 * https to http. Rejects only on abort.
 */
export async function askAddress(
  { outboundHttp, userAgent }: { outboundHttp: Pick<OutboundHttp, "send">; userAgent: string },
  { address, etag, lastModified, isAllowed, signal }: AddressQuestion,
): Promise<AddressAnswer> {
  const deadline = performance.now() + WITHIN_MS;
  let url = new URL(address);
  for (let redirects = 0; ; redirects += 1) {
    const result = await outboundHttp.send({
      url: url.href,
      method: "GET",
      headers: {
        Accept: "application/json, application/yaml, */*;q=0.5",
        "User-Agent": userAgent,
        ...(etag !== null && { "If-None-Match": etag }),
        ...(lastModified !== null && { "If-Modified-Since": lastModified }),
      },
      timeoutMs: Math.max(1, Math.round(deadline - performance.now())),
      maxResponseBytes: MAX_DESCRIPTION_BYTES,
      signal,
    });
    if (!result.ok) {
      const isLate = result.reason === "timeout";
      return failed(isLate ? `No answer within ${WITHIN_MS / 1_000} seconds.` : result.message);
    }
    const { status, headers, body, isCut } = result;
    const location = [301, 302, 303, 307, 308].includes(status) ? headers["location"] : undefined;
    if (location !== undefined) {
      const next = URL.parse(location, url.href);
      if (next === null || redirects >= MAX_REDIRECTS) return failed("It leads on and on, or to no address.");
      if (!isAllowed(next)) {
        return failed(`It leads to ${next.host.slice(0, 200)}, which is not among \`apiHosts\` of the project.`);
      }
      if (url.protocol === "https:" && next.protocol !== "https:") return failed("It leads from https to http.");
      url = next;
      continue;
    }
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
}

const failed = (trouble: string) => ({ kind: "failed", trouble }) as const;

/** What a host says for the next question; too long, or with what no header may hold, it is left out. */
function validator(value: string | undefined): string | null {
  return value !== undefined && value.length <= MAX_VALIDATOR_LENGTH && /^[\x20-\x7e]+$/.test(value) ? value : null;
}
