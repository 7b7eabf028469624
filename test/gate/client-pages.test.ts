import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDirectory } from "#testing/repositories.ts";
import { hasPython, NO_PYTHON } from "#test/support/python.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";

const run = promisify(execFile);
const root = path.join(import.meta.dirname, "../..");

/** The program that a page prints under this name. */
async function program(page: string, name: string): Promise<string> {
  const text = await readFile(path.join(root, "docs/jobs", page), "utf8");
  const [, code] = text.split(new RegExp(`^\`\`\`\\w+ ${name}\\n`, "m"));
  return code!.split("\n```")[0]!;
}

describe("the example programs on the pages of the clients", () => {
  const made = new AsyncDisposableStack();
  let server: TestServer;
  let folder: string;
  beforeAll(async () => {
    folder = made.use(await createTestDirectory()).path;
    const files = { "index.md": "# Ports\n\nSee [the harbour](/habour).\n", "harbour.md": "# Harbour\n" };
    server = made.use(await startTestServer({ engine: "sqlite", files }));
    await run(process.execPath, ["scripts/build-client.mjs"], { cwd: root });
    await mkdir(path.join(folder, "node_modules"));
    await symlink(path.join(root, "clients/typescript"), path.join(folder, "node_modules/docent-client"));
  });
  afterAll(() => made.disposeAsync());

  async function output(command: string, name: string, text: string, more: NodeJS.ProcessEnv = {}): Promise<string[]> {
    await writeFile(path.join(folder, name), text.replaceAll("http://localhost:4000", server.baseUrl));
    const { project, key } = server.instance;
    const env = { ...process.env, PROJECT: project.id, KEY: key, ...more };
    const { stdout, stderr } = await run(command, [name], { cwd: folder, env });
    expect(stderr.replaceAll(/.*ExperimentalWarning.*|.*--trace-warnings.*/g, "").trim()).toBe("");
    return stdout.split("\n");
  }

  it("run in TypeScript", async () => {
    const lines = await output(process.execPath, "client.mts", await program("typescript-client.md", "client.mts"));
    expect(lines[0]).toBe("1 job.created");
    expect(lines.find((line) => line.includes("job.completed"))).toBeDefined();
    expect(lines.filter((line) => /^job_\w+ /.test(line))).toHaveLength(1);
  });

  it("compile with the settings that the page names", async () => {
    const page = await readFile(path.join(root, "docs/jobs/typescript-client.md"), "utf8");
    const settings = /^npx tsc (.+) client\.mts$/m.exec(page)![1]!.split(" ");
    await symlink(path.join(root, "node_modules/@types"), path.join(folder, "node_modules/@types"));
    for (const name of ["client.mts", "receiver.mts"])
      await writeFile(path.join(folder, name), await program("typescript-client.md", name));
    const compiler = path.join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [compiler, ...settings, "client.mts", "receiver.mts"], {
      cwd: folder,
    });
    expect(stdout).toBe("");
  });

  it("run in Python", async ({ skip }) => {
    skip(!hasPython, NO_PYTHON);
    const code = await program("python-client.md", "client.py");
    const lines = await output("python3", "client.py", code, {
      PYTHONPATH: path.join(root, "clients/python"),
      PYTHONDONTWRITEBYTECODE: "1",
    });
    expect(lines[0]).toBe("1 job.created");
    expect(lines.find((line) => line.includes("job.completed"))).toBeDefined();
    expect(lines.filter((line) => /^job_\w+ /.test(line)).length).toBeGreaterThanOrEqual(1);
  });
});
