// `npm run fix`: applies the lint fixes that cannot change behaviour, formats, completes the
// lock file and writes what is made from code: the description of the interface with its examples, what the clients
// know of it, tables of the documentation and the font of the dashboard. With paths (`npm run fix -- src/lib`) only
// those are linted and formatted.
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

/** File snapshots of what a server answers, in order: the examples are part of the description. */
const FROM_A_SERVER = [
  ["test/gate/api-examples.test.ts", "test/gate/agent-craft.test.ts"],
  ["src/app/http/own-reference.test.ts"],
];

const bin = join(import.meta.dirname, "..", "node_modules", ".bin");
const paths = process.argv.slice(2);
run("oxlint", ["--fix", ...paths]);
run("oxfmt", ["--write", ...paths]);
if (paths.length === 0) {
  completeLockfile();
  for (const files of FROM_A_SERVER) run("vitest", ["run", "--project", "gate", "--reporter=dot", ...files, "-u"]);
  const root = join(import.meta.dirname, "..");
  for (const [file, text] of clientFiles(root)) writeFileSync(join(root, file), text);
  writeFileSync(join(root, DASHBOARD_FONT), await dashboardFont());
  for (const table of [componentTable, jobStateTable, deprecatedTable, decisionTable]) writeTable(table);
}

function run(tool: string, args: string[]): void {
  const { status } = spawnSync(join(bin, tool), args, { stdio: "inherit", cwd: join(bin, "..", "..") });
  if (status !== 0) process.exitCode = 1;
}
