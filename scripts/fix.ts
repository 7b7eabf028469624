// `npm run fix`: applies the lint fixes that cannot change behaviour, formats, completes the
// lock file and writes the tables of the documentation that are made from code, what the clients know of
// the interface, and the font of the dashboard. With paths (`npm run fix -- src/lib`) only those are touched.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { clientFiles } from "./client-files.ts";
import { componentTable } from "./component-table.ts";
import { DASHBOARD_FONT, dashboardFont } from "./dashboard-font.ts";
import { decisionTable } from "./decision-table.ts";
import { deprecatedTable } from "./deprecated-table.ts";
import { writeTable } from "./docs-table.ts";
import { jobStateTable } from "./job-state-table.ts";
import { completeLockfile } from "./lockfile.ts";

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
if (paths.length === 0) {
  completeLockfile();
  const root = join(import.meta.dirname, "..");
  for (const [file, text] of clientFiles(root)) writeFileSync(join(root, file), text);
  writeFileSync(join(root, DASHBOARD_FONT), await dashboardFont());
  for (const table of [componentTable, jobStateTable, deprecatedTable, decisionTable]) writeTable(table);
}
