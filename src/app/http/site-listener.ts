import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { AppError } from "#lib/app-error.ts";
import type { PlainAnswer, WholeRequest } from "#lib/network/plain-http.ts";

export const UNREADABLE_REQUEST = new AppError("invalid", "This is not a request that can be read.");
const CUT_SHORT = new AppError("invalid", "The request ended before its body did.");

/**
 * A request to a site as parsed by Node. Web `Request` and `Response` objects would cost about as much as serving the
 * page.
 *
 * @throws AppError `invalid` for a malformed target.
 */
export function plainRequest(incoming: IncomingMessage): WholeRequest {
  const { method = "GET", headers } = incoming;
  const location = wholeUrl(incoming.url ?? "", headers.host ?? "");
  return {
    method,
    location,
    url: location.href,
    headers: {
      get(name) {
        const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
        return typeof value === "string" ? value : null;
      },
    },
    textUpTo: (maxBytes) => readText(incoming, maxBytes),
  };
}

/** RFC 9112, 3.2: the target is a path, or an absolute URL whose host is already in `host`. */
function wholeUrl(target: string, host: string): URL {
  const path = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "") || "/";
  const url = path.startsWith("/") && !path.includes("\\") ? URL.parse(`http://${host}${path}`) : null;
  if (url === null) throw UNREADABLE_REQUEST;
  return url;
}

function readText(incoming: IncomingMessage, maxBytes: number): Promise<string | null> {
  if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) return Promise.resolve(null); // Node drains it
  if (incoming.readableEnded) return Promise.resolve(""); // set by `optimizeEmptyRequests`, without an event
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const keep = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      incoming.off("data", keep).resume(); // drain, so that the next request on the connection can be read
      resolve(null);
    };
    incoming.on("data", keep);
    incoming.on("end", () => resolve((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString("utf8")));
    incoming.on("close", () => reject(CUT_SHORT)); // has no effect after the end; unhandled errors are not reported
  });
}

/** Sends a response, in one piece unless its body is a stream. */
export function sendPlain(outgoing: ServerResponse, { status, headers, body }: PlainAnswer): void {
  if (outgoing.destroyed) return;
  if (body !== null && typeof body !== "string" && !(body instanceof Uint8Array)) {
    outgoing.writeHead(status, headers);
    // Fails if the reader disconnects or the file becomes unreadable. The announced length shows that the body is
    // incomplete.
    pipeline(body, outgoing).catch(() => outgoing.destroy());
    return;
  }
  const mayBeEmpty = status === 204 || status === 304 || outgoing.req.method === "HEAD";
  if (headers["Content-Length"] === undefined && (body !== null || !mayBeEmpty)) {
    outgoing.setHeader("Content-Length", body === null ? 0 : Buffer.byteLength(body));
  }
  outgoing.writeHead(status, headers);
  if (body === null) outgoing.end();
  else outgoing.end(body);
}
