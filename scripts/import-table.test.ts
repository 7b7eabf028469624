import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { importTable, subfolders } from "./import-table.ts";

const root = join(import.meta.dirname, "..");

/** Lints a small project with our configuration and returns what is reported, as `file: rule`. */
async function lint(files: Record<string, string>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "docent-test-lint-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const name of ["oxlint.config.ts", "scripts/import-table.ts", "tsconfig.json", "package.json"]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(root, name), join(folder, name));
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const output = await new Promise<string>((resolve) => {
    const oxlint = join(root, "node_modules", ".bin", "oxlint");
    execFile(oxlint, ["--format=json", "src"], { cwd: folder }, (_error, stdout) => resolve(stdout));
  });
  rmSync(folder, { recursive: true, force: true });
  const report = JSON.parse(output) as { diagnostics: { filename: string; code: string }[] };
  return report.diagnostics.map(({ filename, code }) => `${filename}: ${code.replace(/^.*\(|\)$/g, "")}`).sort();
}

const use = (specifier: string) => `import { thing as own } from "${specifier}";\nexport const thing: string = own;\n`;
const thing = `export const thing: string = "thing";\n`;

const refusedImports = [
  ["against the arrows", "src/lib/upwards.ts", "#git/process/runner.ts"],
  ["of a feature by a mechanism", "src/kit/http/upwards.ts", "#features/jobs/job.ts"],
  ["sideways", "src/features/keys/sideways.ts", "#features/visitors/reports/counts.ts"],
  ["of a folder without a row", "src/features/jobs/unknown.ts", "#helpers/dates.ts"],
  ["out of a folder without a row", "src/helpers/dates.ts", "#lib/waiting/mutex.ts"],
  ["of the composition root", "src/features/jobs/root.ts", "#main.ts"],
  ["of the commands by a part", "src/app/command.ts", "#cli/main.ts"],
  ["of the configuration", "src/features/jobs/config.ts", "#app/instance/config.ts"],
  ["of test code", "src/kit/http/testing.ts", "#testing/builders.ts"],
  ["of a contract", "src/features/jobs/contract.ts", "#hosts/code-host.contract.ts"],
  ["of an adapter", "src/features/jobs/adapter.ts", "#hosts/embedded/adapter.ts"],
  ["of an adapter from its port's folder", "src/hosts/all.ts", "./embedded/adapter.ts"],
  ["of an adapter from another adapter", "src/rules/a.ts", "#models/providers.ts"],
  ["of an adapter that is a file", "src/models/step.ts", "./providers.ts"],
  ["of an adapter from the command line", "src/cli/adapter.ts", "#rules/rules.ts"],
  ["by a path upwards", "src/features/jobs/upwards.ts", "../lib/mutex.ts"],
  ["by the long name inside a folder", "src/features/jobs/long.ts", "#features/jobs/store.ts"],
  ["of a model SDK outside models", "src/agent/sdk.ts", "ai"],
  ["of a subfolder above", "src/docs/markup/upwards.ts", "#docs/links/links.ts"],
  ["of a subfolder by the folder that it is in", "src/docs/down.ts", "./links/links.ts"],
  [
    "of a subfolder beside it that stands above",
    "src/features/sites/theme/upwards.ts",
    "#features/sites/serving/sites.ts",
  ],
  ["of a subfolder by the folder's own files", "src/features/sites/down.ts", "./media/assets.ts"],
  ["of a subfolder inside a subfolder", "src/docs/render/down.ts", "./process/worker.ts"],
  ["of the process module", "src/agent/process.ts", "node:process"],
] as const;

const importForms = [
  ["a type", "no-restricted-imports", `import type { Job } from "#features/jobs/job.ts";\nexport type Mine = Job;\n`],
  ["an export", "no-restricted-imports", `export * from "#features/jobs/job.ts";\n`],
  ["a named export", "no-restricted-imports", `export { job } from "#features/jobs/job.ts";\n`],
  ["a dynamic import", "no-restricted-imports", `export const job = () => import("#features/jobs/job.ts");\n`],
  ["a side effect", "no-restricted-imports", `import "#features/jobs/job.ts";\n`],
  ["the import() of a type", "consistent-type-imports", `export type Job = import("#features/jobs/job.ts").Job;\n`],
] as const;

const badHabits = [
  ["a cycle", "no-cycle", `import { x } from "../features/jobs/cycle.ts";\nexport const used: number = x;\n`],
  ["the environment", "no-restricted-properties", `export const home = process.env.HOME;\n`],
  ["the environment taken apart", "no-restricted-properties", `export const { env } = process;\n`],
  ["a promise without an owner", "no-floating-promises", `async function run() {}\nrun();\nexport { run };\n`],
  ["any", "no-explicit-any", `export const x: any = 1;\n`],
  ["a default export", "no-default-export", `export default 1;\n`],
  ["an object that is cast", "consistent-type-assertions", `export const x = { a: 1 } as { a: number };\n`],
  ["a file of over 300 lines", "max-lines", `export const lines = [\n${"  1,\n".repeat(300)}];\n`],
] as const;

const exemptFiles = ["src/lib/x.test.ts", "src/lib/x.contract.ts", "src/testing/x.ts"];

const fileOf = (name: string) => `src/lib/${name.replaceAll(/[^a-z]+/g, "-")}.ts`;

/** Every `folder -> folder` of the imports below src/, those of tests and of what they share left out. */
function importsBetweenFolders(): Set<string> {
  const source = join(root, "src");
  const arrows = new Set<string>();
  for (const file of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts") || /\.(?:test|contract)\.ts$|^testing\//.test(file)) continue;
    const from = posix.dirname(file);
    for (const [, mark, path] of readFileSync(join(source, file), "utf8").matchAll(
      /(?:from|import)\(? ?"([#.])([^"]+)"/g,
    )) {
      const to = posix.dirname(mark === "#" ? path! : posix.join(from, `.${path!}`));
      if (to !== from) arrows.add(`${from} -> ${to}`);
    }
  }
  return arrows;
}

// One run for all cases: starting the linter takes longer than linting.
let reports: string[];
beforeAll(async () => {
  reports = await lint({
    "src/features/jobs/cycle.ts": `import "#lib/a-cycle.ts";\nexport const x = 1;\n`,
    ...Object.fromEntries(refusedImports.map(([, file, specifier]) => [file, use(specifier)])),
    ...Object.fromEntries([...importForms, ...badHabits].map(([name, , content]) => [fileOf(name), content])),
    ...Object.fromEntries(exemptFiles.map((file) => [file, use("#features/jobs/worker/worker.ts")])),
  });
});

describe("the import table", () => {
  test("lets every import through that it lists", async () => {
    expect(
      await lint({
        "src/main.ts": use("#app/hosts.ts"),
        "src/app/hosts.ts": use("#hosts/embedded/adapter.ts"),
        "src/cli/main.ts": use("#features/jobs/worker/worker.ts"),
        "src/features/jobs/worker/worker.ts": use("#git/process/runner.ts"),
        "src/git/process/runner.ts": use("#lib/waiting/mutex.ts"),
        "src/lib/waiting/mutex.ts": thing,
        "src/hosts/embedded/adapter.ts": use("#hosts/code-host.ts"),
        "src/hosts/code-host.ts": thing,
      }),
    ).toEqual([]);
  });

  test.each(refusedImports)("refuses an import %s", (_case, file) => {
    expect(reports).toContain(`${file}: no-restricted-imports`);
  });

  test.each(importForms)("sees %s", (name, rule) => {
    expect(reports).toContain(`${fileOf(name)}: ${rule}`);
  });

  test("leaves tests, contracts and test code alone", () => {
    const wrong = exemptFiles.map((file) => `${file}: no-restricted-imports`);
    expect(reports.filter((report) => wrong.includes(report))).toEqual([]);
  });

  test("has a row for every folder", () => {
    const folders = readdirSync(join(root, "src"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && readdirSync(join(root, "src", entry.name)).length > 0)
      .map((entry) => entry.name)
      .filter((name) => !["cli", "app", "testing"].includes(name)); // they have rules of their own
    expect(folders.filter((name) => importTable[name] === undefined)).toEqual([]);
  });

  test("has a row for every subfolder of the folders whose subfolders it lists", () => {
    const unlisted = Object.entries(subfolders).flatMap(([folder, children]) =>
      readdirSync(join(root, "src", folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && entry.name !== "fixtures" && children[entry.name] === undefined)
        .map((entry) => `${folder}/${entry.name}`),
    );
    expect(unlisted).toEqual([]);
  });

  test("holds no two folders that import each other, but for these", () => {
    const arrows = importsBetweenFolders();
    const mutual = [...arrows].filter((arrow) => {
      const [from, to] = arrow.split(" -> ");
      return from! < to! && arrows.has(`${to} -> ${from}`);
    });
    expect(mutual.sort()).toEqual(["docs/render -> docs/render/formulas", "docs/render -> docs/render/operation"]);
  });

  test("points one way", () => {
    const visit = (folder: string, path: readonly string[]): void => {
      expect(path, `${[...path, folder].join(" -> ")} is a circle`).not.toContain(folder);
      for (const next of importTable[folder] ?? []) visit(next, [...path, folder]);
    };
    for (const folder of Object.keys(importTable)) visit(folder, []);
  });
});

describe("the linter", () => {
  test.each(badHabits)("reports %s", (name, rule) => {
    expect(reports).toContain(`${fileOf(name)}: ${rule}`);
  });
});
