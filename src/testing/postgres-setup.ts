import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startPostgresServer, type PostgresServer } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresSocket: string;
  }
}

/**
 * Vitest's global setup: one PostgreSQL server for the whole run, started when a test first requests a database through
 * a local socket, so that a run without databases does not pay for it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "docent-test-run-"));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeFolder);
  const socket = join(folder, "postgres");
  let starting: Promise<PostgresServer> | null = null;
  const broker = createServer((_request, response) => {
    starting ??= startPostgresServer();
    starting.then(
      (server) => response.end(server.url("postgres")),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  broker.listen(socket);
  await once(broker, "listening");
  project.provide("postgresSocket", socket);

  return async () => {
    broker.closeAllConnections();
    broker.close();
    const server = await starting?.catch(() => null);
    await server?.stop();
    removeFolder();
  };
}
