import { execFileSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";

/** The Node that runs this, and those that a user of the machine has from 20 on, which are often older. */
export const nodes = [
  process.execPath,
  ...(process.env["PATH"] ?? "").split(path.delimiter).map((at) => path.join(at, "node")),
]
  .filter((file) => !file.includes(`${path.sep}.bin${path.sep}`) && existsSync(file))
  .map((file) => realpathSync(file))
  .filter((file, index, all) => all.indexOf(file) === index)
  .map((file) => ({ file, version: execFileSync(file, ["--version"], { encoding: "utf8" }).trim() }))
  .filter(({ version }) => Number(/^v(\d+)/.exec(version)?.[1]) >= 20);
