import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { createTestDirectory } from "#testing/repositories.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const INSTALL = pathToFileURL(path.join(ROOT, "scripts", "install.mjs")).href;
const DEMO_SERVER = pathToFileURL(path.join(ROOT, "src", "cli", "demo", "demo-server-process.ts")).href;
const DOCENT = path.join(ROOT, "bin", "docent");
const MAIN = path.join(ROOT, "src", "cli", "main.ts");

it.concurrent("a server shuts down cleanly if its launcher is killed", async ({ expect }) => {
  await using directory = await createTestDirectory();
  const data = path.join(directory.path, "data");
  const args = JSON.stringify([MAIN, "serve", "--port", "0", "--json", "--data", data]);
  // As `bin/docent` does under an older Node.
  const program = `import { become } from ${JSON.stringify(INSTALL)};
    become(process.execPath, ${args}, process.env, { endsWithUs: true });`;
  const launcher = spawn(process.execPath, ["--input-type=module", "-e", program], {
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(createInterface({ input: launcher.stdout }), "line");
  const word = async () => (await readdir(data)).filter((name) => /^server-\d+\.json$/.test(name));
  const [file = ""] = await word();
  const server = Number(/\d+/.exec(file)?.[0]);
  expect(server).not.toBe(launcher.pid);
  try {
    launcher.kill("SIGKILL");
    await expect.poll(word, { timeout: 20_000 }).toEqual([]); // a server that is killed leaves its word behind
    await expect.poll(() => isAlive(server), { timeout: 20_000 }).toBe(false);
  } finally {
    if (isAlive(server)) process.kill(server, "SIGKILL");
  }
});

it.concurrent("bin/docent serve keeps its process, its signals and its exit codes, with a small young generation", async () => {
  await using directory = await createTestDirectory();
  const data = path.join(directory.path, "data");
  const start = async () => {
    const server = spawn(process.execPath, [DOCENT, "serve", "--port", "0", "--json", "--data", data], {
      env: { PATH: process.env["PATH"] ?? "" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const exited = once(server, "exit");
    await once(createInterface({ input: server.stdout }), "line");
    return { server, exited };
  };
  const first = await start();
  expect(await readdir(data)).toContain(`server-${first.server.pid}.json`); // its word has the process that was started
  const { stdout } = await promisify(execFile)("ps", ["-o", "args=", "-p", String(first.server.pid)]);
  expect(stdout.match(/--max-semi-space-size=\d+/g)).toEqual(["--max-semi-space-size=8"]);
  first.server.kill("SIGTERM");
  expect(await first.exited).toEqual([0, null]);
  const second = await start();
  second.server.kill("SIGKILL");
  expect(await second.exited).toEqual([null, "SIGKILL"]);
  const refused = spawn(process.execPath, [DOCENT, "serve", "--nonsense"], { stdio: "ignore" });
  expect(await once(refused, "exit")).toEqual([2, null]);
});

const GIVEN: [name: string, options: string[], environment: Record<string, string>][] = [
  ["the command's own option", ["--max-semi-space-size=24"], {}],
  ["NODE_OPTIONS", [], { NODE_OPTIONS: "--max-semi-space-size=24" }],
];
it.concurrent.each(LONG_TESTS ? GIVEN : GIVEN.slice(1))(
  "bin/docent serve leaves a young generation alone that is set by %s",
  async (_name, options, environment) => {
    await using directory = await createTestDirectory();
    const args = [...options, DOCENT, "serve", "--port", "0", "--json", "--data", path.join(directory.path, "data")];
    const server = spawn(process.execPath, args, {
      env: { PATH: process.env["PATH"] ?? "", ...environment },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const exited = once(server, "exit");
    await once(createInterface({ input: server.stdout }), "line");
    const { stdout } = await promisify(execFile)("ps", ["-o", "args=", "-p", String(server.pid)]);
    expect(stdout).not.toContain("--max-semi-space-size=8");
    server.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
  },
);

it.concurrent("a server shuts down cleanly if its terminal is closed", async () => {
  await using directory = await createTestDirectory();
  const data = path.join(directory.path, "data");
  const server = spawn(process.execPath, [MAIN, "serve", "--port", "0", "--json", "--data", data], {
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = once(server, "exit");
  await once(createInterface({ input: server.stdout }), "line");
  server.kill("SIGHUP");
  expect(await exited).toEqual([0, null]);
  expect((await readdir(data)).filter((name) => name.startsWith("server-"))).toEqual([]);
});

it.concurrent("the server of a killed demo shuts down cleanly", async ({ expect }) => {
  await using directory = await createTestDirectory();
  const data = path.join(directory.path, "data");
  const program = `import { startServerProcess } from ${JSON.stringify(DEMO_SERVER)};
    const { baseUrl } = await startServerProcess({ dataDirectory: ${JSON.stringify(data)}, environment: process.env });
    console.log(baseUrl);`;
  const demo = spawn(process.execPath, ["--input-type=module", "-e", program], {
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(createInterface({ input: demo.stdout }), "line");
  const word = async () => (await readdir(data)).filter((name) => /^server-\d+\.json$/.test(name));
  const server = Number(/\d+/.exec((await word())[0] ?? "")?.[0]);
  try {
    demo.kill("SIGKILL");
    await expect.poll(word, { timeout: 20_000 }).toEqual([]);
    await expect.poll(() => isAlive(server), { timeout: 20_000 }).toBe(false);
  } finally {
    if (isAlive(server)) process.kill(server, "SIGKILL");
  }
});

it.concurrent("dependencies are not installed while a server runs from the same folder, but after it exits", async ({
  expect,
}) => {
  await using directory = await createTestDirectory();
  await mkdir(path.join(directory.path, "scripts"));
  await cp(path.join(ROOT, "scripts", "install.mjs"), path.join(directory.path, "scripts", "install.mjs"));
  const { workspaces } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8")) as {
    workspaces: string[];
  };
  const manifest = { name: "docent", version: "0.0.0", workspaces };
  await writeFile(path.join(directory.path, "package.json"), JSON.stringify(manifest));
  const lockfile = { ...manifest, lockfileVersion: 3, requires: true, packages: { "": manifest } };
  await writeFile(path.join(directory.path, "package-lock.json"), JSON.stringify(lockfile));
  const module = JSON.stringify(pathToFileURL(path.join(directory.path, "scripts", "install.mjs")).href);
  const program = `import { registerServer } from ${module}; registerServer(); console.log("ready"); setInterval(() => 0, 1_000);`;
  const server = spawn(process.execPath, ["--input-type=module", "-e", `/* docent */ ${program}`], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = once(server, "exit");
  await once(createInterface({ input: server.stdout }), "line");
  const install = async () =>
    promisify(execFile)(process.execPath, [
      "--input-type=module",
      "-e",
      `import { ensureInstalled } from ${module}; await ensureInstalled().catch((error) => console.log(error.message));`,
    ]);
  const packages = path.join(directory.path, "node_modules", "some-package");
  await mkdir(packages, { recursive: true });
  const npmCi = () => promisify(execFile)("npm", ["ci"], { cwd: directory.path });
  expect((await install()).stdout).toContain(`A server runs from ${directory.path} (process ${server.pid})`);
  await expect(npmCi()).rejects.toThrow(`a server runs from this folder. Stop process ${server.pid}`);
  expect(existsSync(packages)).toBe(true);
  server.kill("SIGKILL"); // its word stays
  await exited;
  const { stdout, stderr } = await install();
  expect([stdout, stderr]).toEqual(["", expect.stringMatching(/Installed in \d+ s\./)]);
  await mkdir(packages, { recursive: true });
  await npmCi();
  expect(existsSync(packages)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
