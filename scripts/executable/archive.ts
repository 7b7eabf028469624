import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { NEEDED_PACKAGES } from "../bundle.mjs";
import { constants, zstdCompressSync } from "node:zlib";

const COMPRESSION_LEVEL = 10;
/** Of packages: what only those read who work on them. */
const LEFT_OUT = /\.(?:map|d\.ts|d\.mts|d\.cts)$/;

interface Entry {
  name: string;
  file: string;
}

/** The files that the executable carries, as npm would install them: the program in a package beside those that it needs to run. */
export function programFiles(root: string): Entry[] {
  const own = ["package.json", "LICENSE", "scripts/install.mjs", ...below(root, "bin"), ...below(root, "dist/program")];
  const packages = runtimePackages(root).flatMap((folder) => below(root, folder));
  return [
    ...own.map((name) => ({ name: `node_modules/docent/${name}`, file: path.join(root, name) })),
    ...packages.map((name) => ({ name, file: path.join(root, name) })),
  ].filter(({ name }) => !LEFT_OUT.test(name));
}

/** The index's length (32 bits, little endian), the index as JSON, the bytes of each file in its order; all of it Zstandard. */
export function packFiles(entries: readonly Entry[]): Buffer {
  const bodies = entries.map(({ file }) => readFileSync(file));
  const index = Buffer.from(
    JSON.stringify(
      entries.map(({ name, file }, at) => ({ name, mode: statSync(file).mode & 0o777, size: bodies[at]!.length })),
    ),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(index.length);
  return zstdCompressSync(Buffer.concat([length, index, ...bodies]), {
    params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL },
  });
}

/** Folders of the packages that the bundle needs, with what these need, as far as they are installed for this system. */
function runtimePackages(root: string): string[] {
  const { packages } = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dependencies?: object; optionalDependencies?: object } | undefined>;
  };
  const found = new Set<string>();
  const open = [...NEEDED_PACKAGES];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const folder = `node_modules/${name}`;
    if (found.has(folder) || !isFolder(path.join(root, folder))) continue;
    found.add(folder);
    const { dependencies = {}, optionalDependencies = {} } = packages[folder] ?? {};
    open.push(...Object.keys(dependencies), ...Object.keys(optionalDependencies));
  }
  return [...found];
}

/** Files below a folder, relative to the root, without those of packages inside packages: these have entries of their own. */
function below(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : below(root, name);
    return entry.isFile() ? [name] : [];
  });
}

const isFolder = (folder: string): boolean => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
