import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { createCommandIo } from "#testing/command-io.ts";
import { createTestDirectory, createTestRepository } from "#testing/repositories.ts";
import { check } from "./check.ts";
import { githubAnnotations } from "./report-text.ts";

afterEach(() => {
  process.exitCode = undefined;
});

async function runCheck(...args: string[]) {
  const { io, said } = createCommandIo();
  const failure = await check.run(args, io).then(
    () => null,
    (error: unknown) => (error as Error).message,
  );
  const { exitCode } = process;
  process.exitCode = undefined;
  return { stdout: said.stdout, failure, exitCode: exitCode ?? 0 };
}

it("checks the directory on disk, without files that git ignores, and sets the exit status", async () => {
  const files = {
    ".gitignore": "dist/\n",
    "docs/docs.json": '{"navigation":{"pages":["index"]}}',
    "docs/index.mdx": "# A\n",
  };
  const repository = await createTestRepository(files);
  onTestFinished(repository.dispose);
  await mkdir(path.join(repository.path, "dist"));
  await writeFile(path.join(repository.path, "dist/broken.md"), "[x](/gone)");
  const good = await runCheck(repository.path);
  expect(good).toMatchObject({ failure: null, exitCode: 0 });
  expect(good.stdout).toMatch(/^No problems in 1 page\. 0 links checked, 0 broken\. \d+\.\d s\n$/);

  await writeFile(path.join(repository.path, "docs/new.mdx"), "# B\n\n<Unknown />\n");
  const warned = await runCheck(repository.path, "--json");
  expect(warned.exitCode).toBe(0);
  expect(JSON.parse(warned.stdout)).toMatchObject({
    pages: 2,
    errors: 0,
    warnings: 1,
    problems: [{ path: "docs/new.mdx", line: 3, code: "unknown_component", severity: "warning" }],
  });
  expect((await runCheck(repository.path, "--warnings-as-errors")).exitCode).toBe(1);

  await writeFile(path.join(repository.path, "docs/new.mdx"), "# B\n\nSee [x](/gone).\n");
  const broken = await runCheck(repository.path, "--github");
  const file = path.relative(process.cwd(), path.join(repository.path, "docs/new.mdx"));
  expect(broken.exitCode).toBe(1);
  expect(broken.stdout).toContain(
    `::error file=${file},line=3,col=9,title=broken_link::/gone is broken: there is no such page.\n`,
  );
});

it("finds nothing wrong in our own documentation", async () => {
  const { stdout, exitCode } = await runCheck(process.cwd(), "--warnings-as-errors");
  expect(stdout).toMatch(/^No problems in \d+ pages\./);
  expect(exitCode).toBe(0);
});

it("lists what could not be checked on a busy machine, continues, and exits with 3 if nothing is wrong", async () => {
  const openapi = { openapi: "3.1.0", info: {}, paths: { "/pets": { get: { summary: "List pets" } } } };
  const navigation = { groups: [{ group: "Start", pages: ["index"] }, { group: "API", openapi: "api.json" }] }; // oxfmt-ignore
  const files = {
    "docs.json": JSON.stringify({ navigation }),
    "api.json": JSON.stringify(openapi),
    "index.mdx": "# A\n\n[Pets](/api-reference/list-pets)\n",
  };
  const repository = await createTestRepository(files);
  onTestFinished(repository.dispose);
  const busy = await runCheck(repository.path, "--json", "--patience", "0", "--warnings-as-errors");
  const { problems } = JSON.parse(busy.stdout) as { problems: { path: string; code: string }[] };
  expect(problems.map(({ path: file, code }) => `${file} ${code}`)).toEqual([
    "api.json not_checked",
    "docs.json not_checked",
    "index.mdx not_checked",
  ]);
  expect(busy.exitCode).toBe(3);

  await writeFile(path.join(repository.path, "docs.json"), JSON.stringify({ navigation, redirects: 7 }));
  expect((await runCheck(repository.path, "--patience", "0", "--warnings-as-errors")).exitCode).toBe(1);
  expect((await runCheck(repository.path, "--patience", "soon")).exitCode).toBe(2);
});

it("rejects a directory without docs", async () => {
  const empty = await createTestDirectory();
  onTestFinished(empty.dispose);
  expect(await runCheck(path.join(empty.path, "gone"))).toMatchObject({ exitCode: 2 });
  expect(await runCheck(empty.path, "--strict")).toMatchObject({ exitCode: 2 });
  expect((await runCheck(empty.path)).failure).toMatch(/has no pages/);
});

it("escapes annotations according to GitHub's rules", () => {
  const problem = {
    severity: "warning",
    code: "syntax",
    line: null,
    path: "a,b:c%.md",
    message: "50%\r\nof: a, b",
  } as const;
  const report = {
    problems: [problem],
    pages: 1,
    errors: 0,
    warnings: 1,
    leftOut: 0,
    durationMs: 5,
    links: { checked: 0, broken: 0 },
  };
  expect(githubAnnotations(report, (file) => file)[0]).toBe(
    "::warning file=a%2Cb%3Ac%25.md,title=syntax::50%25%0D%0Aof: a, b",
  );
});
