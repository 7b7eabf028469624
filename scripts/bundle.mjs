// The server and its command as a few JavaScript files (rolldown). Without them Node opens, strips and links 1,500 modules of ours and
// as many of packages at each start: 2.6 s of processor time to the first answer of a server instead of 1.4 s, and 1.1 s instead of
// 0.3 s (119 MB instead of 86) for a render process, which may not use Node's compile cache. Plain JavaScript, because a package is
// built on the Node that npm runs on.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runningServers } from "./install.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, "src");
const bundles = join(root, "dist", "bundle");
const DAY_MS = 24 * 60 * 60_000;
const MAIN = "cli/main.ts";
/** A server that tests start again and again, relative to `src/`; not part of the package. */
const TEST_SERVERS = ["../test/support/crashing-server.ts"].filter((file) => existsSync(join(source, file)));
/** Packages that stay packages, because they load a compiled library or files of their own. */
const EXTERNAL = ["@takumi-rs/wasm", "satteri"];
/** All that an installed package needs besides its bundle: also those whose files are sent to browsers or drawn. */
export const NEEDED_PACKAGES = [
  ...EXTERNAL,
  "@fontsource-variable/inter",
  "@fontsource-variable/noto-sans-arabic",
  "@fontsource-variable/noto-sans-hebrew",
  "@iconify-json/fa6-brands",
  "@iconify-json/fa6-regular",
  "@iconify-json/fa6-solid",
  "@iconify-json/lucide",
  "@iconify-json/tabler",
  "@mermaid-js/tiny",
  "fastest-levenshtein",
];
const OWN_MODULE = /\bownModule\(import\.meta\.url, "([^"]+)"\)/g;

/** The folder with the bundle of this checkout, to be used now; null if none was made since its last change. */
export function currentBundle() {
  const folder = bundleFolder();
  if (!existsSync(join(folder, "main.js"))) return null;
  try {
    utimesSync(folder, new Date(), new Date()); // see `removeOld`
  } catch {
    // Where nothing can be written, nothing is removed either.
  }
  return folder;
}

/** Makes the bundle of this checkout unless it is there, and removes old ones of earlier states. */
export async function ensureBundle() {
  const known = currentBundle();
  if (known !== null) return known;
  const folder = bundleFolder();
  const half = `${folder}.${process.pid}`;
  await makeBundle(half, source, TEST_SERVERS);
  try {
    renameSync(half, folder);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    // Another process was first.
    if (!existsSync(folder)) throw error;
  }
  removeOld(folder);
  return folder;
}

/**
 * Removes bundles that nobody has begun to use for a day. What runs loads parts of its bundle only when it needs them, and a
 * run of the tests starts processes from its bundle to its end, whatever is started beside it after a change.
 * @param {string} current
 */
function removeOld(current) {
  if (runningServers().length > 0) return;
  for (const name of readdirSync(bundles)) {
    const folder = join(bundles, name);
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (folder !== current && age > DAY_MS) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Writes the bundle: `main.js`, a file for each thread and child process, and the parts that they share.
 * @param {string} output
 * @param {string} files The folder that stands for `src/` when it runs: style sheets, data and modules for browsers are read from it.
 * @param {readonly string[]} [others] Further programs, relative to `src/`.
 */
export async function makeBundle(output, files, others = []) {
  const { rolldown } = await import("rolldown");
  mkdirSync(output, { recursive: true });
  const build = await rolldown({
    input: Object.fromEntries([MAIN, ...ownModules(), ...others].map((file) => [entryName(file), join(source, file)])),
    cwd: root,
    platform: "node",
    external: EXTERNAL.map((name) => new RegExp(`^${name}(?:/|$)`)),
    // Of packages in several forms the one for bundlers.
    resolve: { mainFields: ["module", "main"] },
    plugins: [withPlaces(relative(output, files))],
    onLog(_level, { code, message }) {
      if (code === "UNRESOLVED_IMPORT") throw new Error(message);
    },
  });
  const { output: chunks } = await build.write({
    dir: output,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // V8 keeps the text of each file for as long as the process runs, at two bytes a character if one of them is beyond Latin-1.
    charset: "ascii",
    comments: { legal: true, jsdoc: false, annotation: false },
  });
  await build.close();
  const imported = chunks.flatMap((chunk) => ("imports" in chunk ? [...chunk.imports, ...chunk.dynamicImports] : []));
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const missing = imported.filter((name) => !own.has(name) && !isBuiltin(name) && !isNeeded(name));
  if (missing.length > 0) throw new Error(`The bundle imports packages that it should contain: ${missing.join(", ")}`);
}

/** @param {string} name */
const isNeeded = (name) => NEEDED_PACKAGES.some((needed) => name === needed || name.startsWith(`${needed}/`));

/**
 * A plugin for vitest: tests run the sources, and start threads and child processes from a bundle.
 * @param {string} bundle
 */
export const startsFrom = (bundle) => ({
  name: "docent-bundled-processes",
  enforce: /** @type {const} */ ("pre"),
  /** @type {(code: string, id: string) => string | null} */
  transform: (code, id) =>
    id.startsWith(source) && code.includes("ownModule(import.meta.url")
      ? code.replaceAll(OWN_MODULE, startOf(id, JSON.stringify(pathToFileURL(join(bundle, "main.js")).href)))
      : null,
});

/**
 * Modules know where their own files are; in a bundle they stand elsewhere.
 * @param {string} files `src/`, relative to the bundle
 */
function withPlaces(files) {
  return {
    name: "docent-places",
    /** @type {(code: string, id: string) => string | null} */
    transform(code, id) {
      if (!id.startsWith(source) || !code.includes("import.meta.")) return null;
      const place = join(files, relative(source, id)).replaceAll("\\", "/");
      return code
        .replaceAll(OWN_MODULE, startOf(id, "@@BUNDLE"))
        .replaceAll("import.meta.url", `new URL(${JSON.stringify(place)}, import.meta.url).href`)
        .replaceAll("import.meta.dirname", `(import.meta.dirname + ${JSON.stringify(`/${dirname(place)}`)})`)
        .replaceAll("@@BUNDLE", "import.meta.url");
    },
  };
}

/** @type {(importer: string, from: string) => (match: string, name: string) => string} */
const startOf = (importer, from) => (_, name) =>
  `new URL("./${entryName(relative(source, join(dirname(importer), `${name}.ts`)))}.js", ${from})`;

/** @param {string} file relative to `src/` */
const entryName = (file) =>
  file === MAIN
    ? "main"
    : file
        .replace(/^\.\.[\\/]/, "")
        .replaceAll(/[\\/]/g, "-")
        .replace(/\.ts$/, "");

/** The modules that are threads or child processes, relative to `src/`. */
function ownModules() {
  return sources().flatMap((file) => {
    const text = readFileSync(file, "utf8");
    return [...text.matchAll(OWN_MODULE)]
      .map(([, name = ""]) => relative(source, join(dirname(file), `${name}.ts`)))
      .filter((name) => name !== MAIN);
  });
}

function bundleFolder() {
  const hash = createHash("sha256").update(source);
  for (const file of [...sources(), fileURLToPath(import.meta.url), join(root, "package-lock.json")]) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return join(bundles, hash.digest("hex").slice(0, 16));
}

function sources() {
  return ["", "../clients/typescript/src", ...TEST_SERVERS.map(dirname)].flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, withFileTypes: true })
      .filter(({ name }) => /\.(?:ts|json)$/.test(name) && !/\.(?:test|contract)\.ts$/.test(name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => !file.includes(`${join(source, "testing")}`)),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await prepare();

/** Makes the bundle before a start, which works without it, too. */
async function prepare() {
  if (currentBundle() !== null) return;
  process.stderr.write("Preparing the program, once for this version.\n");
  try {
    await ensureBundle();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`It starts from its sources, which takes longer: ${reason}\n`);
  }
}
