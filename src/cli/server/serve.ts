import { hostname } from "node:os";
import { loadConfig } from "#app/instance/config.ts";
import { type NodeRole, NODE_ROLES } from "#app/instance/node-role.ts";
import { createLogger } from "#lib/logger.ts";
import { keepLog } from "#lib/logs/keep-log.ts";
import { logDirectory, nodeName } from "#lib/logs/log-files.ts";
import { startServer } from "#main.ts";
import { readRelease } from "#lib/version.ts";
import { addressNotes, publicAddress } from "#app/instance/public-address.ts";
import { startWatchdog } from "#app/instance/watchdog.ts";
import { type Command, readArguments, UsageError, wholeNumber } from "#cli/command/command.ts";
import { writeLine } from "#cli/command/io.ts";

/** The documented limit. The main thread exits earlier, unless it gets no processor time. */
const STOP_LIMIT_MS = 8_000;

export const serve: Command = {
  usage: `docent serve [--port 4000] [--host 127.0.0.1] [--data ./data] [--role all|web|worker] [--adopt]

Runs a server on a data directory:
  http://localhost:4000/v2/agent/…          the agent jobs API (and /v1/analytics/…)
  http://localhost:4000/reference           the API reference
  http://{project}.localhost:4000/          each project's site
  http://localhost:4000/git/{project}.git   each project's repository (clone, push)

Options
  --port N       port to listen on; 0 chooses a free one (default 4000, or DOCENT_PORT)
  --host ADDR    address to listen on (default 127.0.0.1, or DOCENT_HOST); links start with it
                 unless DOCENT_BASE_URL is set
  --data DIR     data directory (default ./data, or DOCENT_DATA)
  --role ROLE    what this process does (default all, or DOCENT_ROLE). With PostgreSQL: web serves sites, the API,
                 the dashboard and git; worker runs jobs and other background work, and answers health checks only
  --adopt        start although the database, data directory and key are not from the same server, and join them.
                 If you can, restore a backup instead

If DATABASE_URL is set, the server uses PostgreSQL instead of SQLite.
Press Ctrl-C to stop it. Running jobs continue after the next start.`,
  async run(args, io) {
    const { values } = readArguments(
      args,
      {
        port: { type: "string" },
        host: { type: "string" },
        role: { type: "string" },
        adopt: { type: "boolean" },
      },
      { min: 0, max: 0, names: "" },
    );
    const config = loadConfig({
      role: values.role === undefined ? undefined : roleOf(values.role),
      data: values.data,
      host: values.host,
      port: values.port === undefined ? undefined : wholeNumber("--port", values.port, 0, 65_535),
    });
    await using stack = new AsyncDisposableStack();
    const keptLog = { directory: logDirectory(config.dataDirectory), node: nodeName(hostname(), config.port) };
    const kept = keepLog({ logger: createLogger({ level: config.logLevel }) }, keptLog);
    stack.defer(() => kept.settled());
    const logger = createLogger({ level: config.logLevel, keep: kept.write });
    // Node prints the error to standard error only, where it may get lost.
    process.on("uncaughtExceptionMonitor", (error) =>
      logger.fatal({ err: error }, "the server stopped because of an uncaught error"),
    );
    await using watchdog = startWatchdog({ limitMs: config.stallMs, keptLog });
    await using server = await startServer(config, { logger, keptLog, adopt: values.adopt ?? false });
    const { baseUrl } = server;
    logger.info({ baseUrl, role: config.role, version: readRelease(), pid: process.pid }, "server started");
    // Starts late, because a migration of a large store takes time.
    watchdog.watch();
    const { setupUrl } = server;
    // One write: a program that waits for the first line may close the stream after it.
    const words = [
      config.role === "worker"
        ? `Docent runs jobs, and answers health checks at ${publicAddress({ ...config, baseUrl: null }, server.port)} (data in ${config.dataDirectory}). Ctrl-C stops it.`
        : `Docent is listening at ${baseUrl} (data in ${config.dataDirectory}). Ctrl-C stops it.`,
      ...(setupUrl === null ? [] : [`Nobody has an account yet. Create the first one within an hour at ${setupUrl}`]),
    ].join("\n");
    writeLine(io.stdout, values.json ? JSON.stringify({ baseUrl, port: server.port }) : words);
    for (const note of addressNotes(config, server.baseUrl)) writeLine(io.stderr, `Note: ${note}`);
    await new Promise<void>((resolve) => {
      if (io.signal.aborted) resolve();
      io.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    watchdog.endAfter(STOP_LIMIT_MS);
    logger.info({ baseUrl, pid: process.pid }, "server stops");
    writeLine(io.stderr, "Stopping …");
  },
};

function roleOf(text: string): NodeRole {
  const role = NODE_ROLES.find((known) => known === text);
  if (role === undefined) throw new UsageError(`--role takes ${NODE_ROLES.join(", ")}, not "${text}".`);
  return role;
}
