import { serve } from "@hono/node-server";
import type { Server } from "node:http";
import { AppError } from "#lib/app-error.ts";
import type { RequestHandler } from "./app.ts";

export interface HttpServer {
  port: number;
  /** Stops accepting, lets running answers end for a while, then cuts them. */
  close(): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 15_000;
const CLOSE_GRACE_MS = 5_000;

/** Listens on one address. `AppError unavailable` when it is taken. */
export async function listen(handler: RequestHandler, address: { host: string; port: number }): Promise<HttpServer> {
  const server = serve({
    hostname: address.host,
    port: address.port,
    fetch: (request, { incoming }) => handler(request, { peerAddress: incoming.socket.remoteAddress ?? "" }),
    serverOptions: { headersTimeout: HEADERS_TIMEOUT_MS, keepAliveTimeout: 10_000, maxHeaderSize: 16_384 },
  }) as Server;
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
