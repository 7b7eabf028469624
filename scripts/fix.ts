// `npm run fix`: applies the lint fixes that cannot change behaviour, then formats.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const bin = join(import.meta.dirname, "..", "node_modules", ".bin");
const paths = process.argv.slice(2);
for (const command of [
  ["oxlint", "--fix"],
  ["oxfmt", "--write"],
]) {
  const [name = "", ...args] = command;
  const { status } = spawnSync(join(bin, name), [...args, ...paths], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
