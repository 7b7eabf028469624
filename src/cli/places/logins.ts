import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { AppError } from "#lib/app-error.ts";
import { trimEndOf } from "#lib/trim.ts";

/** A key for one project of a server. */
export interface Login {
  /** Address of the server, without a slash at its end. */
  server: string;
  /** Id of the project, `prj_…`. */
  project: string;
  /** What the person calls the project on the command line, besides its id. */
  name: string | null;
  key: string;
}

/** A key of the instance: for every project of a server, and for the projects themselves. */
export interface InstanceLogin extends Omit<Login, "project"> {
  project: null;
}

export type AnyLogin = Login | InstanceLogin;

const OTHERS = 0o077;

/** The logins of a person, the one used first on top; none without the file. Refuses a file that others may read. */
export function readLogins(file: string): AnyLogin[] {
  let text: string;
  try {
    if (process.platform !== "win32" && (statSync(file).mode & OTHERS) !== 0) {
      throw new AppError("forbidden", `${file} holds keys, and others may read it. Say: chmod 600 ${file}`);
    }
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
  const logins = parseLogins(text);
  if (logins === null) {
    throw new AppError("invalid", `${file} is not what \`docent login\` writes. Remove it, and log in again.`);
  }
  return logins;
}

/** Replaces the file, in one step, by one that only its owner reads; removes it when no login is left. */
export function writeLogins(file: string, logins: readonly AnyLogin[]): void {
  if (logins.length === 0) return rmSync(file, { force: true });
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify({ logins }, null, 2)}\n`, { mode: 0o600 });
  chmodSync(fresh, 0o600); // whatever was there under this name
  renameSync(fresh, file);
}

function parseLogins(text: string): AnyLogin[] | null {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return null;
  }
  const logins: unknown = typeof found === "object" && found !== null && "logins" in found ? found.logins : null;
  return Array.isArray(logins) && logins.every(isLogin) ? logins : null;
}

function isLogin(value: unknown): value is AnyLogin {
  if (typeof value !== "object" || value === null) return false;
  const { server, project, name, key } = value as Record<string, unknown>;
  return (
    [server, key].every((part) => typeof part === "string") &&
    [project, name].every((part) => part === null || typeof part === "string")
  );
}

/** The address of a server as logins keep it. `AppError invalid` for what is none. */
export function serverAddress(given: string): string {
  const bare = URL.parse(`https://${given}`);
  const scheme = bare && isLoopback(bare.hostname) ? "http" : "https";
  const url = /^[a-z]+:\/\//i.test(given) ? URL.parse(given) : URL.parse(`${scheme}://${given}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new AppError("invalid", `"${given}" is no address of a server, such as https://docs.example.com.`);
  }
  return url.origin + trimEndOf(url.pathname, "/");
}

/** A whole name: who holds `localhost.example.com` would read keys on their way. */
const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);
