// Makes the JavaScript of the server and its command in dist/program, for the package that npm packs: Node runs no TypeScript
// inside node_modules. Runs on the Node that npm runs on, and downloads nothing.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, "src");
const output = join(root, "dist", "program");
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");

// What readers' browsers get is read as TypeScript, and its types are taken out when it is served.
const FOR_BROWSERS = ["browser", "search/static/find-in-files.ts"];
const NOT_SHIPPED = /(^|\/)(testing|fixtures)\/|\.(test|contract)\.ts$|tsconfig\.json$/;

process.exitCode = build();

function build() {
  if (!existsSync(compiler)) {
    process.stderr.write('The program cannot be built: TypeScript is not installed. Run "npm ci" first.\n');
    return 1;
  }
  rmSync(output, { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [compiler, "-p", join(root, "tsconfig.program.json")], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) return 1;
  for (const file of [...filesBelow("").filter((name) => !name.endsWith(".ts")), ...browserSources()]) copy(file);
  cpSync(join(root, "examples", "harbor-docs"), join(output, "examples", "harbor-docs"), { recursive: true });
  for (const file of guideFiles()) {
    mkdirSync(dirname(join(output, "docs", file)), { recursive: true });
    cpSync(join(root, "docs", file), join(output, "docs", file));
  }
  const { name, version, license, type } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  // The compiler rewrites the names of files that are imported by a path alone.
  const imports = { "#client/*.ts": "./clients/typescript/src/*.js", "#*.ts": "./src/*.js", "#*.json": "./src/*.json" };
  const manifest = { name, version, commit: commitOfCheckout(), license, private: true, type, imports };
  writeFileSync(join(output, "package.json"), JSON.stringify(manifest));
  return 0;
}

/** For `docent --version`; left out where this is no checkout, or git is not there. */
function commitOfCheckout() {
  if (!existsSync(join(root, ".git"))) return undefined;
  const { status, stdout } = spawnSync("git", ["-C", root, "rev-parse", "--short=7", "HEAD"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** @param {string} file */
function copy(file) {
  mkdirSync(dirname(join(output, "src", file)), { recursive: true });
  cpSync(join(source, file), join(output, "src", file));
}

/**
 * Files below a folder of `src/` that belong to the program, relative to it.
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(folder) {
  return readdirSync(join(source, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(source, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((file) => !NOT_SHIPPED.test(file));
}

/** What `/reference` shows of the documentation: as `src/features/sites/reference/guides.ts` reads it. */
function guideFiles() {
  /** @type {{ favicon: string, navigation: { groups: { group: string, pages?: string[] }[] } }} */
  const config = JSON.parse(readFileSync(join(root, "docs", "docs.json"), "utf8"));
  /** @type {{ groups: string[], pages: string[] }} */
  const shown = JSON.parse(readFileSync(join(root, "src/features/sites/reference/shown-guides.json"), "utf8"));
  const ofGroups = config.navigation.groups.flatMap(({ group, pages = [] }) =>
    shown.groups.includes(group) ? pages : [],
  );
  const files = [...shown.pages, ...ofGroups].flatMap((page) => [`${page}.md`, `${page}.mdx`]);
  const named = ["docs.json", config.favicon.replace(/^\//, ""), ...files];
  return named.filter((file) => existsSync(join(root, "docs", file)));
}

/** The modules of readers' browsers, with all of ours that they import. */
function browserSources() {
  const open = FOR_BROWSERS.flatMap((path) => (path.endsWith(".ts") ? [path] : filesBelow(path)));
  /** @type {Set<string>} */
  const found = new Set();
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const text = readFileSync(join(source, file), "utf8");
    for (const [, specifier = ""] of text.matchAll(/^(?:import|export)\b[^;"']*?from\s*["']([^"']+)["']/gm)) {
      if (specifier.startsWith("#")) open.push(specifier.slice(1));
      else if (specifier.startsWith(".")) open.push(join(dirname(file), specifier).replaceAll("\\", "/"));
    }
  }
  return [...found];
}
