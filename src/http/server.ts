import { getRequestListener, RequestError } from "@hono/node-server";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex, Readable } from "node:stream";
import { AppError } from "#lib/app-error.ts";
import { newId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { type PlainAnswer, toResponse } from "#lib/plain-http.ts";
import type { App } from "./app.ts";
import { errorAnswer } from "./errors.ts";
import { plainRequest, sendPlain, UNREADABLE } from "./site-listener.ts";

export interface HttpServer {
  port: number;
  /** Stops accepting, lets running answers end for a while, then cuts them. */
  close(): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 15_000;
const CLOSE_GRACE_MS = 5_000;
const MAX_HEADER_BYTES = 16_384;

/** Listens on one address. `AppError unavailable` when it is taken. */
export async function listen(
  { app, logger }: { app: App; logger: Logger },
  address: { host: string; port: number },
): Promise<HttpServer> {
  const listener = getRequestListener(
    async (request, { incoming }) => {
      const answer = await app.fetch(copyable(request), { peerAddress: incoming.socket.remoteAddress ?? "" });
      if (answer.status >= 400) readOn(incoming);
      return answer;
    },
    {
      hostname: address.host, // of a request without a Host, as health checks send it
      overrideGlobalObjects: false, // the runtime's own Response stays what it is for everybody else
      errorHandler(error) {
        if (error instanceof RequestError) return errorResponse(UNREADABLE);
        logger.error({ err: error }, "request failed outside of the app");
        return errorResponse(error);
      },
    },
  );
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: 10_000,
      maxHeaderSize: MAX_HEADER_BYTES,
      optimizeEmptyRequests: true, // no stream for a body that nothing announces
      requireHostHeader: false, // Node would refuse with an empty body
    },
    (incoming, outgoing) => {
      const slug = app.siteOf(incoming.headers.host);
      if (slug === null) void listener(incoming, outgoing);
      else void answerSite({ app, logger }, { slug, incoming, outgoing });
    },
  );
  server.on("clientError", refuseUnparsed);
  server.listen(address.port, address.host);
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", (cause) => {
      const { code } = cause as NodeJS.ErrnoException;
      const reason = code === "EADDRINUSE" ? "another program listens there; choose another --port" : cause.message;
      reject(new AppError("unavailable", `Cannot listen on ${address.host}:${address.port}: ${reason}.`, { cause }));
    });
  });
  const bound = server.address();
  return {
    port: typeof bound === "object" && bound !== null ? bound.port : address.port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
      await closed;
      clearTimeout(cut);
    },
  };
}

async function answerSite(
  { app, logger }: { app: App; logger: Logger },
  { slug, incoming, outgoing }: { slug: string; incoming: IncomingMessage; outgoing: ServerResponse },
): Promise<void> {
  try {
    const answer = await app.site(plainRequest(incoming), slug, incoming.socket.remoteAddress ?? "");
    sendPlain(outgoing, answer);
  } catch (error) {
    if (error !== UNREADABLE) logger.error({ err: error }, "site request failed outside of the app");
    if (outgoing.headersSent) outgoing.destroy();
    else sendPlain(outgoing, plainError(error));
  }
}

/**
 * A body without an announced length is counted as it is read, and then put into a copy of the request, which the
 * listener's own kind of request does not allow.
 */
function copyable(request: Request): Request {
  const { method, headers } = request;
  if (method === "GET" || method === "HEAD" || headers.has("content-length")) return request;
  return new Request(request.url, { method, headers, body: request.body, duplex: "half", signal: request.signal });
}

/**
 * Drops what is left of a refused body, so that the next request on the connection is read. The listener (2.1) means to,
 * but once a body was looked at as a stream, that stream holds it back, and the connection is cut under the next request.
 */
function readOn(incoming: Readable): void {
  if (incoming.readableEnded) return;
  incoming.removeAllListeners("data");
  incoming.resume();
}

const HEADERS_TOO_LARGE = new AppError(
  "too_large",
  `The request's headers may have at most ${MAX_HEADER_BYTES / 1024} KiB.`,
);

const errorResponse = (error: unknown): Response => toResponse(plainError(error));

function plainError(error: unknown): PlainAnswer {
  const requestId = newId("req");
  const { status, headers, body } = errorAnswer(error, requestId);
  return {
    status,
    headers: { ...headers, "Content-Type": "application/json", "X-Request-Id": requestId },
    body: JSON.stringify(body),
  };
}

/** Answers what Node's parser refuses, in the shape of every other error; without this the body is empty. */
function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const isTooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const requestId = newId("req");
  const { body } = errorAnswer(isTooLarge ? HEADERS_TOO_LARGE : UNREADABLE, requestId);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${isTooLarge ? "431 Request Header Fields Too Large" : "400 Bad Request"}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${requestId}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`);
}
