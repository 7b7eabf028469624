import { lookup } from "node:dns/promises";
import { type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { createActivity } from "#lib/activity.ts";
import { errorText } from "#lib/app-error.ts";
import { isPublicAddress, parseAddressRanges, unmappedAddress } from "./network-address.ts";

export interface OutboundRequest {
  url: string;
  method: "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE" | "QUERY";
  headers: Record<string, string>;
  body?: string;
  /** For the whole request: name, connection, response. */
  timeoutMs: number;
  /** The response body is truncated here and the connection closed. */
  maxResponseBytes: number;
  signal?: AbortSignal;
}

/** `refused`: the target is not allowed, and a retry is useless. The other failures may be temporary. */
export type OutboundFailure = "refused" | "unknown_host" | "timeout" | "network";

export type OutboundResult =
  | { ok: true; status: number; headers: Record<string, string | undefined>; body: Buffer; isCut: boolean }
  | { ok: false; reason: OutboundFailure; message: string };

/** A guarded HTTP client for addresses that users enter. Every outcome is a value. */
export interface OutboundHttp {
  send(request: OutboundRequest): Promise<OutboundResult>;
  /** Why an address would be refused now; null when it would be allowed, or its name is unknown. */
  findRefusal(url: string): Promise<string | null>;
  /** The addresses that may be connected to for a URL, for clients of another kind (git). */
  findAddresses(
    url: string,
  ): Promise<{ ok: true; addresses: string[] } | { ok: false; reason: OutboundFailure; message: string }>;
}

/** Requests to other servers until their response was read. */
export const outboundRequests = createActivity<{
  method: OutboundRequest["method"];
  /** Null where addresses may be secrets, as those of webhooks are. */
  url: string | null;
  status?: number;
  failure?: OutboundFailure;
}>("outbound request");

export type ResolveName = (hostname: string) => Promise<string[]>;

const NAMES_WITHIN_MS = 10_000;

const systemNames: ResolveName = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/**
 * Parses a list of host names (`hooks.example.internal`), of all names below one (`*.example.internal`), of addresses
 * and of address ranges. Throws a `RangeError` that names an entry that is none of them.
 */
export function parseAllowedHosts(entries: readonly string[]) {
  const isRange = (entry: string) => isIP(entry.split("/", 1)[0] ?? "") !== 0;
  const isAllowedAddress = parseAddressRanges(entries.filter(isRange));
  const names = entries.filter((entry) => !isRange(entry)).map((entry) => entry.toLowerCase());
  for (const name of names) {
    // A name that ends in a number is an IPv4 address to every URL parser, so `10.0.0.400` would match nothing.
    const isName = /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name) && !/(?:^|\.)\d+$/.test(name);
    if (!isName) throw new RangeError(`"${name}" is not a host, an address or a range such as 10.0.0.0/8`);
  }
  const isAllowedName = (hostname: string) =>
    names.some((name) => (name.startsWith("*.") ? hostname.endsWith(name.slice(1)) : hostname === name));
  return { isAllowedAddress, isAllowedName };
}

/**
 * A client that reaches the public Internet only, and what `allow` adds (see `parseAllowedHosts`). A name is resolved once and the connection
 * goes to the addresses that were checked, which prevents DNS rebinding. Redirects are not followed. Throws a
 * `RangeError` for any other entry of `allow`.
 */
export function createOutboundHttp(options: {
  allow: readonly string[];
  resolve?: ResolveName;
  /** For a lookup alone; a request has its own limit. */
  namesWithinMs?: number;
  /** The name of the setting behind `allow`, which refusals mention. */
  setting?: string;
  /** Whether it is an environment variable of a command, which does not see the server's settings. */
  isOfShell?: boolean;
  /** Whether followers of `outboundRequests` may see where requests go. */
  isTargetPublic?: boolean;
}): OutboundHttp {
  const { resolve = systemNames, namesWithinMs = NAMES_WITHIN_MS, setting, isOfShell = false } = options;
  const owner = isOfShell ? "the settings of this shell" : "this server's settings";
  const words = setting === undefined ? "" : `: ${setting} names the hosts and ranges beside it`;
  const toDo = isOfShell && setting !== undefined ? ". Set it here, as it is set for the server" : "";
  const { isAllowedAddress, isAllowedName } = parseAllowedHosts(options.allow);

  /** Addresses that may be connected to. */
  async function findTarget(
    text: string,
  ): Promise<{ ok: true; url: URL; addresses: string[] } | (OutboundResult & { ok: false })> {
    const url = URL.parse(text);
    if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
      return refused("It is not an http or https address.");
    if (url.username !== "" || url.password !== "") return refused("It contains a user name or a password.");
    const hostname = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
    let addresses: string[];
    try {
      addresses = isIP(hostname) === 0 ? await resolve(hostname) : [hostname];
    } catch (error) {
      return { ok: false, reason: "unknown_host", message: `The name ${hostname} is unknown (${errorText(error)}).` };
    }
    if (isAllowedName(hostname)) return { ok: true, url, addresses };
    const allowed = addresses.filter(
      (address) => isPublicAddress(address) || isAllowedAddress(unmappedAddress(address)),
    );
    if (allowed.length === 0) {
      return refused(`${hostname} is not on the public Internet, and ${owner} do not allow it${words}${toDo}.`);
    }
    return { ok: true, url, addresses: allowed };
  }

  return {
    async findRefusal(url) {
      const target = await findTarget(url);
      return !target.ok && target.reason === "refused" ? target.message : null;
    },
    async findAddresses(url) {
      const deadline = AbortSignal.timeout(namesWithinMs);
      try {
        return await orAborted(findTarget(url), deadline);
      } catch {
        return {
          ok: false,
          reason: "timeout",
          message: `No name server answers within ${namesWithinMs / 1000} seconds.`,
        };
      }
    },
    send(request) {
      const { method } = request;
      const traced: Parameters<typeof outboundRequests.run>[0] = {
        method,
        url: options.isTargetPublic === true ? request.url : null,
      };
      return outboundRequests.run(traced, async () => {
        const result = await sendNow(request);
        if (result.ok) traced.status = result.status;
        else traced.failure = result.reason;
        return result;
      });
    },
  };

  async function sendNow(request: OutboundRequest): Promise<OutboundResult> {
    const deadline = AbortSignal.timeout(request.timeoutMs);
    const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline;
    try {
      // A lookup cannot be cancelled, so it is abandoned.
      const target = await orAborted(findTarget(request.url), signal);
      return target.ok ? await exchange(request, { ...target, signal }) : target;
    } catch (error) {
      request.signal?.throwIfAborted();
      if (deadline.aborted) {
        return { ok: false, reason: "timeout", message: `No answer within ${request.timeoutMs / 1000} seconds.` };
      }
      return { ok: false, reason: "network", message: networkMessage(error) };
    }
  }
}

const refused = (message: string) => ({ ok: false, reason: "refused", message }) as const;

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

async function exchange(
  { method, headers, body, maxResponseBytes }: OutboundRequest,
  { url, addresses, signal }: { url: URL; addresses: string[]; signal: AbortSignal },
): Promise<OutboundResult> {
  const checked = addresses.map((address) => ({ address, family: isIP(address) }));
  // The hostname stays in the request, so that Host, SNI and the certificate's name are checked against it.
  const pinned: LookupFunction = (_hostname, { all }, done) =>
    all ? done(null, checked) : done(null, checked[0]?.address ?? "", checked[0]?.family);
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const request = send(url, {
    method,
    headers: {
      ...headers,
      "Accept-Encoding": "identity",
      ...(body !== undefined && { "Content-Length": Buffer.byteLength(body) }),
    },
    lookup: pinned,
    agent: false,
    signal,
    maxHeaderSize: 16_384,
  });
  try {
    const response = await answerOf(request, body);
    const read = await readUpTo(response, maxResponseBytes);
    const single = Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : value,
    ]);
    return {
      ok: true,
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(single) as Record<string, string>,
      ...read,
    };
  } finally {
    request.destroy();
  }
}

function answerOf(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    request.on("error", reject); // not removed: an abort after the response head also emits an error here
    request.end(body);
  });
}

async function readUpTo(response: IncomingMessage, limit: number): Promise<{ body: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, limit), isCut: size > limit };
}

function networkMessage(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (code === "ECONNREFUSED") return "The connection was refused.";
  if (code === "ECONNRESET" || code === "EPIPE") return "The connection was cut.";
  if (error instanceof AggregateError && error.errors.length > 0) return networkMessage(error.errors[0]);
  return `The connection failed: ${errorText(error)}.`;
}
