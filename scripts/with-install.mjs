// Usage: node scripts/with-install.mjs [--runtime] <command> [arguments]
// Installs the dependencies if needed, then runs the command with the pinned Node first on PATH.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { become, ensureInstalled, pinnedEnvironment, root } from "./install.mjs";

const words = process.argv.slice(2);
const runtimeOnly = words[0] === "--runtime";
const [command = "node", ...args] = runtimeOnly ? words.slice(1) : words;

// npm may be killed alone; a run of the tests would go on.
const parent = process.ppid;
if (args[0] === "scripts/test.ts" && process.env.npm_lifecycle_event !== undefined)
  setInterval(() => process.ppid === parent || process.exit(1), 1_000).unref();

try {
  await ensureInstalled({ runtimeOnly });
  // What stays up starts from a bundle.
  if (runtimeOnly)
    spawnSync("node", [join(root, "scripts", "bundle.mjs")], { env: pinnedEnvironment(), stdio: ["ignore", 2, 2] });
  // Tests end with what started them; `serve` and the demo see to it themselves.
  become(command, args, pinnedEnvironment(), { endsWithUs: args[0] === "scripts/test.ts" });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
