// Before `npm pack` package.json keeps, of its dependencies, those that the bundle does not contain: 23 packages with 25 MB instead of
// 278 with 350 MB. After it (`restore`) package.json is as it was. A pack that was killed in between is repaired by the next one, or
// by `git checkout package.json`.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NEEDED_PACKAGES } from "./bundle.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = join(root, "package.json");
const kept = join(root, "dist", "package.json.before-pack");

if (existsSync(kept)) renameSync(kept, manifest);
if (process.argv[2] !== "restore") {
  const text = readFileSync(manifest, "utf8");
  /** @type {{ dependencies: Record<string, string> }} */
  const whole = JSON.parse(text);
  const dependencies = Object.fromEntries(NEEDED_PACKAGES.map((name) => [name, whole.dependencies[name]]));
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, text);
  writeFileSync(manifest, `${JSON.stringify({ ...whole, dependencies }, null, 2)}\n`);
}
