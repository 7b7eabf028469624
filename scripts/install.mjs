// Plain JavaScript for Node 18 and later: it runs before anything is installed.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const binFolder = join(root, "node_modules", ".bin");
const lockFile = join(root, ".install.lock");
/** A folder for each server that runs from here: a workspace of `package.json` that fits no machine, so that npm refuses at once. */
const runningFolder = join(root, ".running");

/**
 * Node 24, a package for each platform (`optionalDependencies`), so that package-lock.json holds the hash of its program. Where
 * npm installed Docent it stands in that folder or, when others share it, in one around it.
 */
export function pinnedNode() {
  const file = join("node_modules", platformPackage(), "bin", "node");
  for (let at = root; at !== dirname(at); at = dirname(at)) {
    if (isThere(join(at, file))) return join(at, file);
  }
  return join(root, file);
}

/** The environment of a child that shall find the pinned Node and the tools first. */
export function pinnedEnvironment() {
  const folders = [dirname(pinnedNode()), binFolder, process.env.PATH];
  return { ...process.env, PATH: folders.filter(Boolean).join(delimiter) };
}

/**
 * Whether a Node version string such as `v24.12.0` runs TypeScript without a flag or a warning.
 * @param {string} version
 */
export function runsTypeScript(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 12);
}

function platformPackage() {
  const { platform, arch } = process;
  const family = platform === "darwin" && arch === "arm64" ? "node-bin" : "node";
  return `${family}-${platform === "win32" ? "win" : platform}-${arch}`;
}

/**
 * Makes `node_modules` match `package-lock.json`. Returns at once when it does. Writes to stderr only. With
 * `runtimeOnly` development packages are neither needed nor installed.
 */
export async function ensureInstalled({ runtimeOnly = false } = {}) {
  runningServers(); // forgets those that were killed, so that npm does not refuse for them
  if (!(await isStale(runtimeOnly))) return;
  const unlock = await lock();
  try {
    if (await isStale(runtimeOnly)) {
      refuseBesideServers();
      await installPackages(runtimeOnly);
    }
  } finally {
    unlock();
  }
  requireNode();
}

/**
 * Says that a server runs from this folder until the process ends, so that nobody takes its packages away: neither a command of
 * ours nor npm by itself. Where nothing can be written, nothing can be installed either.
 */
export function registerServer() {
  const { pid } = process;
  const folder = join(runningFolder, String(pid));
  const why = `none: a server runs from this folder. Stop process ${pid}, or delete .running/${pid} if it is gone`;
  const manifest = { name: `docent-server-${pid}`, version: "0.0.0", private: true, os: [why] };
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest)}\n`);
  } catch {
    return;
  }
  process.on("exit", () => forget(pid));
}

function forget(/** @type {number} */ pid) {
  rmSync(join(runningFolder, String(pid)), { force: true, recursive: true });
}

/** Throws while a server runs from this folder: `npm ci` deletes its packages first, and each page would fail until it ends. */
function refuseBesideServers() {
  const running = runningServers();
  if (running.length === 0) return;
  throw new Error(
    `A server runs from ${root} (process ${running.join(", ")}), and installing would take its packages away. ` +
      "Stop it first. To upgrade or build beside it, use a folder of its own (git worktree add).",
  );
}

export function runningServers() {
  /** @type {string[]} */
  let names = [];
  try {
    names = readdirSync(runningFolder);
  } catch {
    // No server ever ran from here.
  }
  return names.map(Number).filter((pid) => {
    const isServer = pid > 0 && isAlive(pid) && isDocent(pid);
    if (!isServer) forget(pid);
    return isServer;
  });
}

/** Whether a process is a server of ours, as far as the system tells: after a kill another one may have its number. */
function isDocent(/** @type {number} */ pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("docent");
  } catch {
    return process.platform !== "linux";
  }
}

/** Throws where neither this Node nor the pinned one runs Docent. */
export function requireNode() {
  if (runsTypeScript(process.version) || isThere(pinnedNode())) return;
  throw new Error(
    `npm has no Node 24 for this machine (${process.platform} ${process.arch}), or was told to leave optional packages out: ` +
      "use Node 24.12 or later yourself.",
  );
}

/** @param {boolean} runtimeOnly */
async function isStale(runtimeOnly) {
  if (!differs(runtimeOnly)) return false;
  if (!existsSync(join(root, "node_modules"))) return true;
  // npm writes its two lock files one after the other: look again before replacing everything.
  await sleep(500);
  return differs(runtimeOnly);
}

/** @param {boolean} runtimeOnly */
function differs(runtimeOnly) {
  const wanted = readPackages(join(root, "package-lock.json"));
  const installed = readPackages(join(root, "node_modules", ".package-lock.json"));
  if (!wanted) {
    throw new Error("package-lock.json is missing: a checkout of Docent's repository is installed by it.");
  }
  if (!installed) return true;
  return Object.entries(wanted).some(([path, entry]) => {
    const found = installed[path];
    if (path === "" || entry.link) return false;
    if (found) return found.version !== entry.version;
    return !(entry.optional || entry.devOptional || (runtimeOnly && entry.dev));
  });
}

/**
 * @typedef {{ version?: string; link?: boolean; dev?: boolean; optional?: boolean; devOptional?: boolean }} Entry
 * @param {string} file
 * @returns {Record<string, Entry> | null}
 */
function readPackages(file) {
  try {
    /** @type {{ packages: Record<string, Entry> }} */
    const lockfile = JSON.parse(readFileSync(file, "utf8"));
    return lockfile.packages;
  } catch {
    return null;
  }
}

/** @param {string} program */
function isThere(program) {
  return existsSync(program) || existsSync(`${program}.exe`);
}

/** @param {boolean} runtimeOnly */
async function installPackages(runtimeOnly) {
  say('Installing dependencies with "npm ci"; the first time this takes about a minute.');
  const startedAt = Date.now();
  const progress = setInterval(() => {
    say(`  still installing, ${Math.round((Date.now() - startedAt) / 1000)} s`);
  }, 10_000);
  try {
    const code = await npmCi(runtimeOnly ? ["--omit=dev"] : []);
    if (code !== 0) {
      throw new Error(`"npm ci" failed with exit code ${code}. Run it by hand in ${root} to see more.`);
    }
  } finally {
    clearInterval(progress);
  }
  say(`Installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
}

// npm must not run on the Node that it is about to delete.
function outerEnvironment() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const outer = folders.filter((folder) => !folder.includes("node_modules"));
  const hasNode = outer.some((folder) => existsSync(join(folder, "node")));
  return { ...process.env, PATH: (hasNode ? outer : folders).join(delimiter) };
}

/**
 * @param {string[]} options
 * @returns {Promise<number | string | null>}
 */
function npmCi(options) {
  return new Promise((resolve, reject) => {
    const child = spawn("npm", ["ci", ...options, "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: root,
      env: outerEnvironment(),
      shell: process.platform === "win32",
      stdio: ["ignore", 2, 2],
    });
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? signal));
  });
}

/** One install at a time for a checkout; a lock whose process is gone is taken over. */
async function lock() {
  let waiting = false;
  for (;;) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: "wx" });
      await sleep(50);
      if (lockOwner() === process.pid) return () => rmSync(lockFile, { force: true });
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
      const owner = lockOwner();
      if (owner === null || !isAlive(owner)) rmSync(lockFile, { force: true });
      else if (!waiting) say(`Waiting for process ${owner}, which is installing.`);
      waiting = true;
    }
    await sleep(300);
  }
}

function lockOwner() {
  try {
    return Number(readFileSync(lockFile, "utf8")) || null;
  } catch {
    return null;
  }
}

/**
 * @param {unknown} error
 * @param {string} code
 */
function hasCode(error, code) {
  return error instanceof Error && "code" in error && error.code === code;
}

/** @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

/** @param {string} message */
function say(message) {
  process.stderr.write(`${message}\n`);
}

/**
 * Runs a command to its end with our stdio and becomes it: signals go to the child, and our exit
 * code (or signal) is the child's.
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {{ endsWithUs?: boolean }} [options] `endsWithUs`: a Node child gets a channel, which closes when this process
 * ends in whatever way, `kill -9` included.
 */
export function become(command, args, env, { endsWithUs = false } = {}) {
  const child = spawn(command, args, {
    stdio: endsWithUs ? ["inherit", "inherit", "inherit", "ipc"] : "inherit",
    env,
  });
  /** @type {NodeJS.Signals[]} */
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  // A terminal sends Ctrl-C to the child as well: a second one would mean "now".
  const forward = (/** @type {NodeJS.Signals} */ signal) => {
    if (signal === "SIGTERM" || !process.stdin.isTTY) child.kill(signal);
  };
  for (const signal of signals) process.on(signal, forward);
  child.on("error", (error) => {
    say(`${command}: ${error.message}`);
    process.exit(127);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const name of signals) process.removeListener(name, forward);
    process.kill(process.pid, signal);
  });
}
