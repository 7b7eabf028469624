// Makes the bundle of the server and its command with all files it reads in dist/program, for the package that npm packs: Node runs no
// TypeScript inside node_modules. Runs on the Node that npm runs on, and downloads nothing.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { makeBundle } from "./bundle.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, "src");
const output = join(root, "dist", "program");

// What readers' browsers get is read as TypeScript, and its types are taken out when it is served.
const FOR_BROWSERS = ["browser", "search/static/find-in-files.ts"];
const NOT_SHIPPED = /(^|\/)(testing|fixtures)\/|\.(test|contract)\.ts$|tsconfig\.json$/;

await build();

async function build() {
  if (!existsSync(join(root, "node_modules", "rolldown")))
    throw new Error('The program cannot be built: its packages are not installed. Run "npm ci" first.');
  rmSync(output, { recursive: true, force: true });
  await makeBundle(join(output, "bundle"), join(output, "src"));
  for (const file of [...filesBelow("").filter((name) => !name.endsWith(".ts")), ...browserSources()]) copy(file);
  cpSync(join(root, "examples", "harbor-docs"), join(output, "examples", "harbor-docs"), { recursive: true });
  for (const file of guideFiles()) {
    mkdirSync(dirname(join(output, "docs", file)), { recursive: true });
    cpSync(join(root, "docs", file), join(output, "docs", file));
  }
  const { name, version, license, type } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const manifest = { name, version, commit: commitOfCheckout(), license, private: true, type };
  writeFileSync(join(output, "package.json"), JSON.stringify(manifest));
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
