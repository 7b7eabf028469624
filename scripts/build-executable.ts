// Makes `dist/docent`: Docent with its Node and its packages in one file, for the system that it is built on (Linux). Node's own
// "single executable applications" carry the files; postject writes them into a copy of the pinned Node. `--built` takes
// dist/program as it is. Downloads nothing.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { packFiles, programFiles } from "./executable/archive.ts";

const root = path.dirname(import.meta.dirname);
const output = path.join(root, "dist", "docent");
const FUSE = ["NODE_SEA_FUSE_", "fce680ab2cc467b6e072b8b5df1996b2"].join("");

if (process.platform !== "linux")
  throw new Error(`A single executable is built on Linux alone, not on ${process.platform}.`);
if (!process.argv.includes("--built")) {
  execFileSync(process.execPath, [path.join(root, "scripts", "build-program.mjs")], { stdio: "inherit" });
}
const work = mkdtempSync(path.join(tmpdir(), "docent-executable-"));
try {
  build(work);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function build(folder: string): void {
  const files = path.join(folder, "files");
  const version = path.join(folder, "version");
  const blob = path.join(folder, "blob");
  const configuration = path.join(folder, "sea.json");
  const archive = packFiles(programFiles(root));
  const { version: number } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string };
  writeFileSync(files, archive);
  // Two builds of one version are two folders.
  const digest = createHash("sha256").update(archive).update(process.version).digest("hex").slice(0, 12);
  writeFileSync(version, `${number}-${digest}`);
  writeFileSync(
    configuration,
    JSON.stringify({
      main: path.join(root, "scripts", "executable", "launcher.cjs"),
      output: blob,
      disableExperimentalSEAWarning: true,
      assets: { files, version },
    }),
  );
  execFileSync(process.execPath, ["--experimental-sea-config", configuration], { stdio: ["ignore", 2, 2] });
  copyFileSync(process.execPath, output);
  const postject = createRequire(import.meta.url).resolve("postject/dist/cli.js");
  const inject = [postject, output, "NODE_SEA_BLOB", blob, "--sentinel-fuse", FUSE];
  execFileSync(process.execPath, inject, { stdio: ["ignore", "ignore", 2] });
  process.stdout.write(`${path.relative(process.cwd(), output)}\n`);
}
