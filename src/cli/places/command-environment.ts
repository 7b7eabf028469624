import os from "node:os";
import path from "node:path";

/** Environment that selects where a command works, in addition to its options. */
export interface CommandEnvironment {
  /** Folder that may contain `./data`. */
  folder: string;
  /** File with the logins of the current user. */
  loginsFile: string;
  /** Whether the environment names a data directory or a database. */
  hasDataDirectory: boolean;
  /** `DOCENT_SERVER`, `DOCENT_PROJECT`, `DOCENT_API_KEY`: a login for scripts, which is never stored. */
  server: string | null;
  project: string | null;
  key: string | null;
}

/** Reads the variables of commands; a server's settings are in `app/instance/config.ts`. */
export function readEnvironment(environment: NodeJS.ProcessEnv = process.env): CommandEnvironment {
  const own = (name: string) => environment[name]?.trim() || null;
  return {
    folder: process.cwd(),
    loginsFile: path.join(configurationFolder(environment), "docent", "logins.json"),
    hasDataDirectory: own("DOCENT_DATA") !== null || (own("DATABASE_URL") ?? own("DATABASE_URL_FILE")) !== null,
    server: own("DOCENT_SERVER"),
    project: own("DOCENT_PROJECT"),
    key: own("DOCENT_API_KEY"),
  };
}

/** Follows the XDG Base Directory Specification 0.8, on macOS too, and the convention of programs on Windows. */
function configurationFolder(environment: NodeJS.ProcessEnv): string {
  const named = environment["XDG_CONFIG_HOME"];
  if (named !== undefined && path.isAbsolute(named)) return named;
  const roaming = environment["APPDATA"];
  if (process.platform === "win32" && roaming) return roaming;
  return path.join(environment["HOME"] || os.homedir(), ".config");
}

/** The environment for programs that a command starts for its user. */
export const inheritedEnvironment = (): NodeJS.ProcessEnv => process.env;
