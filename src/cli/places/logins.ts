import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { AppError } from "#lib/app-error.ts";
import { trimEndOf } from "#lib/trim.ts";

/** A key for one project of a server. */
export interface Login {
  /** URL of the server, without a trailing slash. */
  server: string;
  /** ID of the project, `prj_…`. */
  project: string;
  /** The name that the person used on the command line instead of the ID. */
  name: string | null;
  key: string;
}

/** An instance key: for every project of a server, and for managing projects. */
export interface InstanceLogin extends Omit<Login, "project"> {
  project: null;
}

export type AnyLogin = Login | InstanceLogin;

const OTHERS = 0o077;

/** The logins of a person, the most recent first; empty if there is no file. Rejects a file that others can read. */
export function readLogins(file: string): AnyLogin[] {
  let text: string;
  try {
    if (process.platform !== "win32" && (statSync(file).mode & OTHERS) !== 0) {
      throw new AppError("forbidden", `${file} contains API keys, and other users can read it. Run: chmod 600 ${file}`);
    }
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
  const logins = parseLogins(text);
  if (logins === null) {
    throw new AppError("invalid", `${file} is invalid. Delete it, then run \`docent login\` again.`);
  }
  return logins;
}

/** Replaces the file atomically by one that only its owner can read; removes it with the last login. */
export function writeLogins(file: string, logins: readonly AnyLogin[]): void {
  if (logins.length === 0) return rmSync(file, { force: true });
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify({ logins }, null, 2)}\n`, { mode: 0o600 });
  chmodSync(fresh, 0o600); // the temporary file may have existed before
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

/** Normalizes a server URL for the file of logins. `AppError invalid` if it is not one. */
export function serverAddress(given: string): string {
  const bare = URL.parse(`https://${given}`);
  const scheme = bare && isLoopback(bare.hostname) ? "http" : "https";
  const url = /^[a-z]+:\/\//i.test(given) ? URL.parse(given) : URL.parse(`${scheme}://${given}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new AppError("invalid", `"${given}" is not a server address such as https://docs.example.com.`);
  }
  return url.origin + trimEndOf(url.pathname, "/");
}

/** Matches the whole name: the owner of `localhost.example.com` could otherwise intercept keys. */
const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);
