import { loadConfig } from "#config.ts";
import { silentLogger } from "#lib/logger.ts";
import { type ServerOptions, startServer } from "#main.ts";
import { createTestInstance, type TestInstance } from "./instance.ts";
import type { TestFile } from "#testing/repositories.ts";

export interface TestServer extends AsyncDisposable {
  instance: TestInstance;
  baseUrl: string;
  port: number;
}

/** A whole server in this process, on a free loopback port, with one project. */
export async function startTestServer(options: {
  engine: "sqlite" | "postgres";
  files: Record<string, TestFile>;
  environment?: Record<string, string>;
  /** The ports, wrapped: faults of a code host, a store at its limit. A logger to look into. */
  server?: Partial<ServerOptions>;
}): Promise<TestServer> {
  await using stack = new AsyncDisposableStack();
  const instance = stack.use(await createTestInstance(options.engine, options.files, options.environment));
  const config = loadConfig({ data: instance.data, port: 0, logLevel: "silent" }, instance.environment);
  const server = stack.use(await startServer(config, { logger: silentLogger, ...options.server }));
  const owned = stack.move();
  return { instance, baseUrl: server.baseUrl, port: server.port, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
