import { pino } from "pino";
import { loadConfig } from "#app/instance/config.ts";
import { silentLogger } from "#lib/logger.ts";
import type { RunningServer } from "#main.ts";
import { createTestInstance, type TestInstance } from "./instance.ts";
import { startModels } from "./models.ts";
import type { AnyScript } from "#testing/model-server/script.ts";
import type { ModelServer } from "#testing/model-server/server.ts";
import type { TestFile } from "#testing/repositories.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { type ComposedOptions, startComposed } from "./composed-server.ts";

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
  /** Data directory; a temporary one by default. */
  data?: string;
  /** The ports, wrapped: faults of a code host, a store at its limit. A logger to look into. */
  server?: Partial<ComposedOptions>;
}): Promise<TestServer> {
  await using stack = new AsyncDisposableStack();
  const instance = stack.use(
    await createTestInstance(options.engine, options.files, options.environment, options.data),
  );
  const server = stack.use(await serveInstance(instance, options.server));
  const owned = stack.move();
  return { instance, baseUrl: server.baseUrl, port: server.port, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** The same with a scripted model on every wire format, which ends after it. */
export async function startScriptedServer({
  script,
  environment,
  ...options
}: Parameters<typeof startTestServer>[0] & { script: AnyScript }): Promise<TestServer & { models: ModelServer }> {
  await using stack = new AsyncDisposableStack();
  const started = await startModels(script);
  const models = stack.use(started.models);
  const server = stack.use(
    await startTestServer({ ...options, environment: { ...started.environment, ...environment } }),
  );
  const owned = stack.move();
  return { ...server, models, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A server in this process on a data directory that is there already. */
export function serveInstance(
  { data, environment }: Pick<TestInstance, "data" | "environment">,
  options: Partial<ComposedOptions> = {},
): Promise<RunningServer> {
  const config = loadConfig({ data, port: 0, logLevel: "silent" }, environment);
  return startComposed(config, {
    logger: silentLogger,
    content: sharedContent(),
    isOneThread: !LONG_TESTS,
    ...options,
  });
}

/** The same on a data directory that commands made, which may be empty, with all that it logs. */
export async function serveLogged(
  data: string,
  environment: Record<string, string> = {},
): Promise<RunningServer & { log(): string }> {
  const lines: string[] = [];
  const logger = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
  const server = await serveInstance({ data, environment }, { logger });
  return { ...server, log: () => lines.join("") };
}
