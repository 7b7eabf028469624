import { existsSync } from "node:fs";
import { loadConfig } from "#app/instance/config.ts";
import { AppError, errorText } from "#lib/app-error.ts";
import { logDirectory } from "#lib/logs/log-files.ts";
import { type LogQuery, readKeptLog } from "#lib/logs/read-log.ts";
import type { PlaceOptions } from "#cli/places/place.ts";

/** The log files of a data directory. */
export function openKeptLog(options: PlaceOptions) {
  const { dataDirectory } = loadConfig({ data: options.data });
  const directory = logDirectory(dataDirectory);
  if (!existsSync(directory)) {
    throw new AppError(
      "not_found",
      `No server has kept a log in ${dataDirectory}. --data names another data directory.`,
    );
  }
  return (asked: Omit<LogQuery, "before">) =>
    readKeptLog(directory, { ...asked, before: null }).catch((cause: unknown) => {
      throw new AppError("forbidden", `The log in ${directory} cannot be read: ${errorText(cause)}.`, { cause });
    });
}
