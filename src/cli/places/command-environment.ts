import os from "node:os";
import path from "node:path";

/** What tells a command where it works, besides its options. */
export interface CommandEnvironment {
  /** Folder that `./data` is looked for in. */
  folder: string;
  /** File with the logins of whoever runs the command. */
  loginsFile: string;
  /** Whether the environment names a data directory or a database. */
  hasDataDirectory: boolean;
  /** `DOCENT_SERVER`, `DOCENT_PROJECT`, `DOCENT_API_KEY`: a login for programs, which is written nowhere. */
  server: string | null;
  project: string | null;
  key: string | null;
}

/** Reads the environment for what commands of one's own machine need; a server's settings are in `app/instance/config.ts`. */
export function readEnvironment(environment: NodeJS.ProcessEnv = process.env): CommandEnvironment {
  const own = (name: string) => environment[name]?.trim() || null;
  return {
    folder: process.cwd(),
    loginsFile: path.join(configurationFolder(environment), "docent", "logins.json"),
    hasDataDirectory: own("DOCENT_DATA") !== null || own("DATABASE_URL") !== null,
    server: own("DOCENT_SERVER"),
    project: own("DOCENT_PROJECT"),
    key: own("DOCENT_API_KEY"),
  };
}

/** As the XDG Base Directory Specification 0.8 says, on macOS too; on Windows as programs there do. */
function configurationFolder(environment: NodeJS.ProcessEnv): string {
  const named = environment["XDG_CONFIG_HOME"];
  if (named !== undefined && path.isAbsolute(named)) return named;
  const roaming = environment["APPDATA"];
  if (process.platform === "win32" && roaming) return roaming;
  return path.join(environment["HOME"] || os.homedir(), ".config");
}

/** The environment for programs that a command starts for its user. */
export const inheritedEnvironment = (): NodeJS.ProcessEnv => process.env;
