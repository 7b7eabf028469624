import { getRequestListener, RequestError } from "@hono/node-server";
import { createServer } from "node:http";
import type { Duplex, Readable } from "node:stream";
import { AppError } from "#lib/app-error.ts";
import { newId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import type { RequestHandler } from "./app.ts";
import { errorAnswer } from "./errors.ts";

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
  { handler, logger }: { handler: RequestHandler; logger: Logger },
  address: { host: string; port: number },
): Promise<HttpServer> {
  const listener = getRequestListener(
    async (request, { incoming }) => {
      const answer = await handler(copyable(request), { peerAddress: incoming.socket.remoteAddress ?? "" });
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
      requireHostHeader: false, // Node would refuse with an empty body
    },
    (incoming, outgoing) => void listener(incoming, outgoing),
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

const UNREADABLE = new AppError("invalid", "This is not a request that can be read.");
const HEADERS_TOO_LARGE = new AppError(
  "too_large",
  `The request's headers may have at most ${MAX_HEADER_BYTES / 1024} KiB.`,
);

function errorResponse(error: unknown): Response {
  const requestId = newId("req");
  const { status, headers, body } = errorAnswer(error, requestId);
  return Response.json(body, { status, headers: { ...headers, "X-Request-Id": requestId } });
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
