import { getRequestListener, RequestError } from "@hono/node-server";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex, Readable } from "node:stream";
import { AppError } from "#lib/app-error.ts";
import { newId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { createFairTurns } from "#lib/waiting/fair-turns.ts";
import { type PlainAnswer, toResponse } from "#lib/network/plain-http.ts";
import type { App } from "./app.ts";
import { type AnswersOnTheirWay, createAnswersOnTheirWay } from "./answers-on-their-way.ts";
import { createBodyWatch } from "./body-watch.ts";
import { type ConnectionLimits, limitConnections } from "./connection-places.ts";
import { requestIdOf } from "#kit/http/context.ts";
import { errorAnswer } from "#kit/http/errors.ts";
import type { HostTarget } from "#kit/http/hosts.ts";
import { starting } from "./starting.ts";
import { plainRequest, sendPlain, UNREADABLE_REQUEST } from "./site-listener.ts";

export interface HttpServer {
  port: number;
  /** Stops accepting connections, waits for active responses up to a limit, then closes them. */
  close(): Promise<void>;
}

/** A server that is bound to its port, and responds that it is starting until it has an app. */
export interface BoundServer extends HttpServer {
  serve(app: App): void;
}

interface ServerOptions {
  answerIdleMs?: number;
  connections?: ConnectionLimits;
}

const HEADERS_TIMEOUT_MS = 15_000;
const BODY_IDLE_MS = 60_000;
/** For all requests except pushes and fetches, which have no total limit. */
const BODY_TOTAL_MS = 5 * 60_000;
/** How long a connection stays open while its client reads nothing of the response. Node destroys it then. */
const ANSWER_IDLE_MS = 60_000;
/**
 * Bytes of site responses waiting for slow readers, see `answers-on-their-way.ts`: enough for two dozen of the largest
 * files.
 */
const ANSWERS_ROOM = { total: 384 * 1024 * 1024, perOwner: 96 * 1024 * 1024 };
const CLOSE_GRACE_MS = 5_000;
const MAX_HEADER_BYTES = 16_384;

/** Listens on one address. `AppError unavailable` if the port is in use. */
export async function listen(
  { app, logger }: { app: App; logger: Logger },
  address: { host: string; port: number },
  options: ServerOptions = {},
): Promise<HttpServer> {
  const bound = await bind({ logger }, address, options);
  bound.serve(app);
  return bound;
}

/** Binds an address before anything is changed: `AppError unavailable` if another program uses it. */
export async function bind(
  { logger }: { logger: Logger },
  address: { host: string; port: number },
  { answerIdleMs = ANSWER_IDLE_MS, connections }: ServerOptions = {},
): Promise<BoundServer> {
  let app: App | null = null;
  const listener = getRequestListener(
    async (request, { incoming, outgoing }) => {
      if (app === null) throw new Error("nothing is served yet"); // handled by `starting`
      const answer = await app.fetch(copyable(request), { peerAddress: incoming.socket.remoteAddress ?? "" });
      if (answer.status >= 400) drainBody(incoming);
      if (!mayPause(answer, incoming.url)) outgoing.setTimeout(answerIdleMs);
      return answer;
    },
    {
      hostname: address.host, // for requests without a Host header, as health checks send them
      overrideGlobalObjects: false, // keep the runtime's own Response class
      errorHandler(error) {
        if (error instanceof RequestError) return errorResponse(UNREADABLE_REQUEST);
        // A client that hangs up needs no response. A form that validates while it is edited aborts requests all the
        // time.
        if (!(error instanceof Error && error.message.includes("prematurely closed"))) {
          logger.error({ err: error }, "request failed outside of the app");
        }
        return errorResponse(error);
      },
    },
  );
  const bodies = createBodyWatch({ idleMs: BODY_IDLE_MS, totalMs: BODY_TOTAL_MS });
  const onTheirWay = createAnswersOnTheirWay(ANSWERS_ROOM);
  const inTurn = createFairTurns();
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: 0, // see `body-watch.ts`
      keepAliveTimeout: 10_000,
      maxHeaderSize: MAX_HEADER_BYTES,
      optimizeEmptyRequests: true, // no stream for a request without a body
      requireHostHeader: false, // Node would refuse with an empty body
    },
    (incoming, outgoing) => {
      bodies.watch(incoming, { mayTakeLong: incoming.url?.startsWith("/git/") ?? false });
      const refusal = refusalOf(incoming) ?? useHostOfTarget(incoming);
      if (refusal !== null) {
        incoming.resume();
        return sendPlain(outgoing, plainError(refusal));
      }
      const serving = app;
      if (serving === null) {
        incoming.resume();
        return sendPlain(outgoing, starting(incoming.url));
      }
      const answer = (slug: HostTarget): void =>
        inTurn(serving.turnOwnerOf(incoming, slug), () => {
          if (slug === null) void listener(incoming, outgoing);
          else void answerSite({ app: serving, logger, onTheirWay, answerIdleMs }, { slug, incoming, outgoing });
        });
      const target = serving.siteOf(incoming.headers.host);
      if (target instanceof Promise) void target.then(answer);
      else answer(target);
    },
  );
  if (connections) limitConnections({ server, logger }, connections, refuseConnection);
  server.on("clientError", refuseUnparsed);
  // Node passes the socket on and sends no response.
  server.on("connect", (_incoming, socket) => endSocket(socket, "405 Method Not Allowed", plainError(NO_SUCH_METHOD)));
  server.on("checkExpectation", (_incoming, outgoing) => sendPlain(outgoing, plainError(NO_EXPECTATION)));
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
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const cut = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    await closed;
    clearTimeout(cut);
    bodies[Symbol.dispose]();
  };
  let closing: Promise<void> | null = null;
  return {
    port: typeof bound === "object" && bound !== null ? bound.port : address.port,
    serve: (given) => void (app = given),
    close: () => (closing ??= close()),
  };
}

async function answerSite(
  {
    app,
    logger,
    onTheirWay,
    answerIdleMs,
  }: { app: App; logger: Logger; onTheirWay: AnswersOnTheirWay; answerIdleMs: number },
  { slug, incoming, outgoing }: { slug: string; incoming: IncomingMessage; outgoing: ServerResponse },
): Promise<void> {
  const requestId = requestIdOf(incoming.headers["x-request-id"] as string | undefined); // Node joins repeated headers
  outgoing.setHeader("X-Request-Id", requestId);
  try {
    const { socket } = incoming;
    const answer = await app.site(plainRequest(incoming), slug, {
      peerAddress: socket.remoteAddress ?? "",
      requestId,
      claim: (each) => onTheirWay.add(each, { outgoing, socket }),
    });
    outgoing.setTimeout(answerIdleMs);
    sendPlain(outgoing, answer);
  } catch (error) {
    if (error !== UNREADABLE_REQUEST) logger.error({ err: error, requestId }, "site request failed outside of the app");
    if (outgoing.headersSent) outgoing.destroy();
    else sendPlain(outgoing, plainError(error, requestId));
  }
}

/** Streams of events pause between events, and git between counting and sending objects. */
function mayPause({ headers }: Response, url: string | undefined): boolean {
  return url?.startsWith("/git/") === true || (headers.get("content-type") ?? "").startsWith("text/event-stream");
}

/**
 * Counts a body without an announced length as it is read, and passes it on in a copy of the request, because the
 * listener's request class has no way to replace a body.
 */
function copyable(request: Request): Request {
  const { method, headers } = request;
  if (method === "GET" || method === "HEAD" || headers.has("content-length")) return request;
  const body = headers.has("transfer-encoding") ? request.body : null; // RFC 9112, 6.3: otherwise there is no body
  return new Request(request.url, { method, headers, body, duplex: "half", signal: request.signal });
}

/**
 * Drains a rejected body, so that the next request on the connection can be read. The listener (2.1) intends to do so,
 * but a body that was once read as a stream blocks, and the connection is cut during the next request.
 */
function drainBody(incoming: Readable): void {
  if (incoming.readableEnded) return;
  incoming.removeAllListeners("data");
  incoming.resume();
}

const NO_SUCH_METHOD = new AppError("method_not_allowed", "TRACE and CONNECT are answered nowhere.", {
  headers: { Allow: "DELETE, GET, HEAD, OPTIONS, POST" },
});
const NO_EXPECTATION = new AppError("invalid", "`Expect` may be `100-continue` alone.");
const WRONG_HOST = new AppError("invalid", "A request names one host, once, in the header `Host`.");
const WRONG_TARGET = new AppError("invalid", "A whole address as the target of a request names a host, and no user.");
const WRONG_VERSION = new AppError("invalid", "This server speaks HTTP/1.1 and HTTP/1.0.");
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Errors of a request that are independent of its target: RFC 9112, 2.3 and 3.2, and RFC 9110, 9.3.8. */
function refusalOf({ method, headers, rawHeaders, httpVersion }: IncomingMessage): AppError | null {
  if (method === "TRACE") return NO_SUCH_METHOD;
  // A request line without a version is HTTP/0.9. Node accepts that, and HTTP/2.0 on such a connection.
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return WRONG_VERSION;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  if (hosts === 0 && httpVersion === "1.0") return null; // old proxies send health checks without a Host header
  return hosts === 1 && HOST.test(headers.host ?? "") ? null : WRONG_HOST;
}

/** RFC 9112, 3.2.2: the host of an absolute-form target overrides the `Host` header. */
function useHostOfTarget({ url = "", headers, rawHeaders }: IncomingMessage): AppError | null {
  const [, host] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  if (host === undefined) return null;
  if (!HOST.test(host)) return WRONG_TARGET;
  headers.host = host;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === "host") rawHeaders[index + 1] = host;
  return null;
}

const HEADERS_TOO_LARGE = new AppError(
  "too_large",
  `The request's headers may have at most ${MAX_HEADER_BYTES / 1024} KiB.`,
);

const errorResponse = (error: unknown): Response => toResponse(plainError(error));

function plainError(error: unknown, requestId: string = newId("req")): PlainAnswer {
  const { status, headers, body } = errorAnswer(error, requestId);
  return {
    status,
    headers: { ...headers, "Content-Type": "application/json", "X-Request-Id": requestId },
    body: JSON.stringify(body),
  };
}

/** Responds in the standard error format when Node's parser rejects a request; otherwise the body would be empty. */
function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const isTooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const status = isTooLarge ? "431 Request Header Fields Too Large" : "400 Bad Request";
  endSocket(socket, status, plainError(isTooLarge ? HEADERS_TOO_LARGE : UNREADABLE_REQUEST));
}

const TOO_MANY_CONNECTIONS = new AppError("unavailable", "Your address has too many connections open.", {
  retryAfterSeconds: 5,
});

/** Rejects a connection before its first request is read. */
function refuseConnection(socket: Socket): void {
  endSocket(socket, "503 Service Unavailable", plainError(TOO_MANY_CONNECTIONS));
  socket.destroySoon();
}

/** Writes a response when Node has no response object, and closes the connection. */
function endSocket(socket: Duplex, status: string, { headers, body }: PlainAnswer): void {
  const text = typeof body === "string" ? body : "";
  const fields = { ...headers, "Content-Length": Buffer.byteLength(text), Connection: "close" };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  socket.on("error", () => undefined); // the client may be gone already
  socket.end(`HTTP/1.1 ${[status, ...lines].join("\r\n")}\r\n\r\n${text}`);
}
