// Makes JavaScript and declarations of the client in clients/typescript/dist: Node runs no TypeScript inside node_modules.
// Runs on the Node that npm runs on, and downloads nothing.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const output = join(root, "clients", "typescript", "dist");
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");

if (existsSync(compiler)) {
  process.exitCode = build();
} else {
  process.stderr.write('The client cannot be built: TypeScript is not installed. Run "npm ci" first.\n');
  process.exitCode = 1;
}

function build() {
  rmSync(output, { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [compiler, "-p", join(root, "clients", "typescript")], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) return 1;
  // The compiler (7.0) rewrites the names of imported files in JavaScript alone.
  for (const name of readdirSync(output).filter((file) => file.endsWith(".d.ts"))) {
    const file = join(output, name);
    writeFileSync(file, readFileSync(file, "utf8").replace(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
  }
  return 0;
}
