import type { StatsFs } from "node:fs";
import { statfs, stat } from "node:fs/promises";
import { addressNotes } from "#app/instance/public-address.ts";
import type { Config } from "#app/instance/config.ts";
import { MIN_FREE_BYTES } from "#app/instance/readiness.ts";
import { AppError } from "#lib/app-error.ts";
import { createGitRunner, DEFAULT_GIT_ENVIRONMENT } from "#git/process/runner.ts";
import { age, type Diagnosis, type DoctorInput, diagnose, sizeOf } from "./diagnosis.ts";

const LITTLE_ROOM_BYTES = 1024 ** 3;
const LITTLE_SHARE = 0.05;
const CLOCKS_APART_MS = 5_000;
const CLOCK_BEHIND_MS = 60_000;
const SERVER_MS = 5_000;

export async function checkDirectory({ dataDirectory }: Config): Promise<Diagnosis[]> {
  const { mode, uid } = await stat(dataDirectory);
  const own = process.geteuid?.() ?? uid;
  if (uid !== own) {
    const advice = `Run the command as user ${uid}. If the server runs as user ${own}: chown -R ${own} ${dataDirectory}`;
    return [
      diagnose.problem(
        "directory",
        `${dataDirectory} belongs to user ${uid}, and this command runs as user ${own}.`,
        advice,
      ),
    ];
  }
  if ((mode & 0o077) === 0) return [diagnose.ok("directory", `${dataDirectory} belongs to the server's user alone.`)];
  return [
    diagnose.warning(
      "directory",
      `Other users may read ${dataDirectory}.`,
      `chmod 0700 ${dataDirectory}: a start of the server does it too.`,
    ),
  ];
}

export const checkDisk = async ({ dataDirectory }: Config): Promise<Diagnosis[]> =>
  judgeDisk(dataDirectory, await statfs(dataDirectory));

/** A disk is full here exactly when a server on it is not ready. */
export function judgeDisk(
  dataDirectory: string,
  { bavail, bsize, blocks, ffree, files }: Pick<StatsFs, "bavail" | "bsize" | "blocks" | "ffree" | "files">,
): Diagnosis[] {
  const free = bavail * bsize;
  const share = bavail / blocks;
  const words = `${sizeOf(free)} free, ${Math.floor(share * 100)} %.`;
  const advice = "Free some space, or move the data directory to a larger disk.";
  if (free < MIN_FREE_BYTES)
    return [diagnose.problem("disk", `The disk of ${dataDirectory} is full: ${words}`, advice)];
  if (files > 0 && ffree / files < 0.01) {
    return [
      diagnose.warning("disk", `The disk of ${dataDirectory} can hold only ${ffree} more files (inodes).`, advice),
    ];
  }
  const isLow = free < LITTLE_ROOM_BYTES || (share < LITTLE_SHARE && free < 10 * LITTLE_ROOM_BYTES);
  return isLow ? [diagnose.warning("disk", `Little space: ${words}`, advice)] : [diagnose.ok("disk", words)];
}

export async function checkGit({ signal }: Pick<DoctorInput, "signal">): Promise<Diagnosis[]> {
  const run = createGitRunner({ environment: DEFAULT_GIT_ENVIRONMENT, maxProcesses: 1 });
  const { stdout } = await run({ args: ["--version"], workingDirectory: "/", signal });
  return [diagnose.ok("git", `${stdout.toString().trim()}.`)];
}

/** Compares the clock with that of the database, and with the latest time in the store. */
export async function checkClock({ database, now }: DoctorInput): Promise<Diagnosis[]> {
  const row = await database.kysely.selectFrom("trusted_time").select(["wall", "parted_at"]).executeTakeFirst();
  if (row && Number(row.wall) - now.getTime() > CLOCK_BEHIND_MS) {
    const behind = age(Number(row.wall) - now.getTime());
    return [
      diagnose.problem(
        "clock",
        `The clock is ${behind} behind the latest time in the store.`,
        "Set the clock, and keep it right with NTP.",
      ),
    ];
  }
  if (row?.parted_at != null) {
    const advice =
      "Set the clock if it is wrong. If it is right, leave it: it is believed once servers ran for seven days.";
    return [
      diagnose.warning(
        "clock",
        "The clock was set far ahead and is not believed: nothing is deleted as too old.",
        advice,
      ),
    ];
  }
  if (database.engine === "postgres") {
    const { sql } = await import("kysely");
    const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(
      database.kysely,
    );
    const apart = Math.abs(Number(rows[0]?.ms) - Date.now());
    if (apart > CLOCKS_APART_MS) {
      return [
        diagnose.warning(
          "clock",
          `This machine and the database are ${Math.round(apart / 1_000)} s apart.`,
          "Keep both right with NTP.",
        ),
      ];
    }
  }
  return [diagnose.ok("clock", `${now.toISOString()}.`)];
}

/** Settings that are valid but rarely intended. They come from this shell, because a server does not report its own. */
export function checkSettings(config: Config, baseUrl: string): Diagnosis[] {
  const check = "configuration";
  const { protocol, hostname } = new URL(baseUrl);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  const found = addressNotes(config, baseUrl).map((note) => diagnose.warning(check, note, null)); // says what to do
  if (config.traces instanceof AppError) {
    const advice = "Correct the variable, or set OTEL_SDK_DISABLED=true. A server does not start until then.";
    found.push(diagnose.problem(check, config.traces.message, advice));
  }
  if (protocol === "http:" && !isLocal) {
    const advice = "Put a proxy with TLS in front, and set DOCENT_BASE_URL to its https:// address.";
    found.push(
      diagnose.warning(check, `${baseUrl} is not encrypted: keys and sign-ins can be read on the way.`, advice),
    );
  }
  if (protocol === "https:" && config.trustedProxies.length === 0) {
    const advice = "Set DOCENT_TRUSTED_PROXIES to the addresses of the proxy, such as 127.0.0.1.";
    found.push(
      diagnose.warning(
        check,
        "The server is behind a proxy that it does not know: all readers count as one visitor.",
        advice,
      ),
    );
  }
  return found.length > 0
    ? found
    : [diagnose.ok(check, `The server is at ${baseUrl}, sites below ${config.siteDomain}.`)];
}

export async function checkServer(server: string | null): Promise<Diagnosis[]> {
  if (server === null) return [diagnose.ok("server", "No server runs on this data directory.")];
  try {
    const response = await fetch(`${server}/ready`, { signal: AbortSignal.timeout(SERVER_MS) });
    if (response.ok) return [diagnose.ok("server", `The server at ${server} is ready.`)];
    const { reasons = [] } = (await response.json()) as { reasons?: string[] };
    return [
      diagnose.problem(
        "server",
        `The server at ${server} is not ready: ${reasons.join(" ")}`,
        "docent logs --level warn",
      ),
    ];
  } catch {
    const advice = "If a proxy or firewall stands between, this may be right. Otherwise: docent logs --level warn";
    return [diagnose.warning("server", `The server's own address ${server} does not answer from here.`, advice)];
  }
}
