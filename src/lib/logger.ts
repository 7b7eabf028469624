import { isShutdown } from "./app-error.ts";
import { type Logger as PinoLogger, pino } from "pino";

export type Logger = PinoLogger;
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "silent";

/** JSON lines on standard error, so that standard output stays the command's own. `keep` receives each line, too. */
export function createLogger(options: { level: LogLevel; keep?: (line: string) => void }): Logger {
  const standardError = pino.destination({ dest: 2, sync: false, minLength: 0 });
  const { keep } = options;
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: serializeError },
      redact: { paths: ["authorization", "*.authorization", "*.apiKey", "apiKey"], censor: "[redacted]" },
    },
    keep === undefined
      ? standardError
      : {
          write(line) {
            standardError.write(line);
            keep(line);
          },
        },
  );
}

/** Stacks are for faults. A server that is stopping refuses the requests in progress, and that is not a fault. */
function serializeError(error: Error): object {
  return isShutdown(error) ? { type: error.name, message: error.message } : pino.stdSerializers.err(error);
}

/** Calls `tell` with the `detail` of each error that is logged, for a command that has no log. */
export const createFaultLogger = (tell: (detail: string) => void): Logger =>
  pino(
    { level: "error" },
    {
      write(line) {
        const { detail } = JSON.parse(line) as { detail?: unknown };
        if (typeof detail === "string") tell(detail);
      },
    },
  );

export const silentLogger: Logger = pino({ level: "silent" });
