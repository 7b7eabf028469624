// Makes JavaScript and declarations of the client in dist/client, a package of its own that exports "docent/client": Node
// runs no TypeScript inside node_modules, and the server's packages are not for those who call it. Runs on the Node that npm runs on, and downloads nothing.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const output = join(root, "dist", "client");
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");

if (existsSync(compiler)) {
  process.exitCode = build();
} else {
  process.stderr.write('The client cannot be built: TypeScript is not installed. Run "npm ci" first.\n');
  process.exitCode = 1;
}

function build() {
  rmSync(output, { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [compiler, "-p", join(root, "tsconfig.client.json")], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) return 1;
  // The compiler (7.0) rewrites the names of imported files in JavaScript alone.
  for (const name of readdirSync(output).filter((file) => file.endsWith(".d.ts"))) {
    const file = join(output, name);
    writeFileSync(file, readFileSync(file, "utf8").replace(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
  }
  const { name, version, license, type, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const exports = {
    "./client": { types: "./client.d.ts", default: "./client.js" },
    "./package.json": "./package.json",
  };
  writeFileSync(
    join(output, "package.json"),
    JSON.stringify({ name, version, license, type, exports, engines }, null, 2),
  );
  copyFileSync(join(root, "LICENSE"), join(output, "LICENSE"));
  return 0;
}
