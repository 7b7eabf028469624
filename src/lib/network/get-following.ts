import type { OutboundHttp, OutboundResult } from "./outbound-http.ts";

export interface FollowedRequest {
  url: URL;
  headers: Record<string, string>;
  /** Why the target of a redirect must not be requested; null when it may be. */
  refusalOf(url: URL): string | null;
  withinMs: number;
  maxResponseBytes: number;
  signal: AbortSignal;
}

export type FollowedResult = { result: OutboundResult & { ok: true }; url: URL } | { trouble: string };

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const MAX_REDIRECTS = 3;

/** Requests an address with GET. Follows up to three redirects, never from https to http. Rejects only on abort. */
export async function getFollowing(
  { outboundHttp }: { outboundHttp: Pick<OutboundHttp, "send"> },
  { url: first, headers, refusalOf, withinMs, maxResponseBytes, signal }: FollowedRequest,
): Promise<FollowedResult> {
  const deadline = performance.now() + withinMs;
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const timeoutMs = Math.max(1, Math.round(deadline - performance.now()));
    const result = await outboundHttp.send({
      url: url.href,
      method: "GET",
      headers,
      timeoutMs,
      maxResponseBytes,
      signal,
    });
    if (!result.ok) {
      return {
        trouble: result.reason === "timeout" ? `No answer within ${withinMs / 1_000} seconds.` : result.message,
      };
    }
    const location = REDIRECTS.includes(result.status) ? result.headers["location"] : undefined;
    if (location === undefined) return { result, url };
    const next = URL.parse(location, url.href);
    if (next === null || redirects >= MAX_REDIRECTS) return { trouble: "It redirects too often, or to no address." };
    const refusal = refusalOf(next);
    if (refusal !== null) return { trouble: refusal };
    if (url.protocol === "https:" && next.protocol !== "https:") return { trouble: "It redirects from https to http." };
    url = next;
  }
}
