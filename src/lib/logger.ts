import { type Logger as PinoLogger, pino } from "pino";

export type Logger = PinoLogger;
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "silent";

/** JSON lines on standard error, so that standard output stays the command's own. */
export function createLogger(options: { level: LogLevel }): Logger {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: ["authorization", "*.authorization", "*.apiKey", "apiKey"], censor: "[redacted]" },
    },
    pino.destination({ dest: 2, sync: false, minLength: 0 }),
  );
}

export const silentLogger: Logger = pino({ level: "silent" });
