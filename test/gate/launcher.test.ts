import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { isRunning } from "#lib/subprocess.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { NODE_COMPILE_CACHE, programFile } from "#test/support/processes.ts";
import { createTestDirectory } from "#testing/repositories.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const INSTALL = pathToFileURL(path.join(ROOT, "scripts", "install.mjs")).href;
const DEMO_SERVER = pathToFileURL(path.join(ROOT, "src", "cli", "demo", "demo-server-process.ts")).href;
const DOCENT = path.join(ROOT, "bin", "docent");
/** `bin/docent` names its cache itself; without one a start takes twice as long. */
const ENVIRONMENT = { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE };
const MAIN = programFile("src/cli/main.ts");

it.concurrent("a server shuts down cleanly if its launcher is killed", async ({ expect }) => {
  await using directory = await createTestDirectory();
  const data = path.join(directory.path, "data");
  const args = JSON.stringify([MAIN, "serve", "--port", "0", "--json", "--data", data]);
  // As `bin/docent` does under an older Node.
  const program = `import { become } from ${JSON.stringify(INSTALL)};
    become(process.execPath, ${args}, process.env, { endsWithUs: true });`;
  const launcher = spawn(process.execPath, ["--input-type=module", "-e", program], {
    env: ENVIRONMENT,
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
    await expect.poll(() => isRunning(server), { timeout: 20_000 }).toBe(false);
  } finally {
    if (isRunning(server)) process.kill(server, "SIGKILL");
  }
});

it.concurrent("bin/docent serve keeps its process, its signals and its exit codes, with a small heap", async () => {
  await using directory = await createTestDirectory();
  const data = path.join(directory.path, "data");
  const server = spawn(process.execPath, [DOCENT, "serve", "--port", "0", "--json", "--data", data], {
    env: ENVIRONMENT,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = once(server, "exit");
  await once(createInterface({ input: server.stdout }), "line");
  expect(await readdir(data)).toContain(`server-${server.pid}.json`); // its word has the process that was started
  const { stdout } = await promisify(execFile)("ps", ["-o", "args=", "-p", String(server.pid)]);
  expect(stdout.match(/--max-semi-space-size=\d+/g)).toEqual(["--max-semi-space-size=8"]);
  expect(stdout).toContain("--heap-growing-percent=50");
  server.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
  const refused = spawn(process.execPath, [DOCENT, "serve", "--nonsense"], { stdio: "ignore" });
  expect(await once(refused, "exit")).toEqual([2, null]);
});

it.concurrent.each<[name: string, options: string[], nodeOptions: string, starts: string[]]>([
  ["the command's own option", ["--max-semi-space-size=24"], "", ["--max-semi-space-size=24"]],
  ["NODE_OPTIONS", [], "--max-semi-space-size=24", [""]],
])("bin/docent serve leaves a young generation alone that is set by %s", async (_name, options, given, starts) => {
  await using directory = await createTestDirectory();
  const seen = path.join(directory.path, "seen");
  const hook = path.join(directory.path, "hook.cjs");
  const sizes = 'process.execArgv.filter((one) => one.startsWith("--max")).join(" ") + "\\n"';
  await writeFile(hook, `require("node:fs").appendFileSync(${JSON.stringify(seen)}, ${sizes});`);
  const refused = spawn(process.execPath, [...options, DOCENT, "serve", "--nonsense"], {
    env: { ...ENVIRONMENT, NODE_OPTIONS: `--require ${hook} ${given}` },
    stdio: "ignore",
  });
  expect(await once(refused, "exit")).toEqual([2, null]);
  expect((await readFile(seen, "utf8")).split("\n").slice(0, -1)).toEqual(starts);
});

it.concurrent("a server shuts down cleanly if its terminal is closed", async () => {
  await using directory = await createTestDirectory();
  const data = path.join(directory.path, "data");
  const server = spawn(process.execPath, [MAIN, "serve", "--port", "0", "--json", "--data", data], {
    env: ENVIRONMENT,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = once(server, "exit");
  await once(createInterface({ input: server.stdout }), "line");
  server.kill("SIGHUP");
  expect(await exited).toEqual([0, null]);
  expect((await readdir(data)).filter((name) => name.startsWith("server-"))).toEqual([]);
});

// Its server is told as that of a killed launcher is.
it.runIf(LONG_TESTS).concurrent("the server of a killed demo shuts down cleanly", async ({ expect }) => {
  await using directory = await createTestDirectory();
  const data = path.join(directory.path, "data");
  const program = `import { startServerProcess } from ${JSON.stringify(DEMO_SERVER)};
    const { baseUrl } = await startServerProcess({ dataDirectory: ${JSON.stringify(data)}, environment: process.env });
    console.log(baseUrl);`;
  const demo = spawn(process.execPath, ["--input-type=module", "-e", program], {
    env: ENVIRONMENT,
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(createInterface({ input: demo.stdout }), "line");
  const word = async () => (await readdir(data)).filter((name) => /^server-\d+\.json$/.test(name));
  const server = Number(/\d+/.exec((await word())[0] ?? "")?.[0]);
  try {
    demo.kill("SIGKILL");
    await expect.poll(word, { timeout: 20_000 }).toEqual([]);
    await expect.poll(() => isRunning(server), { timeout: 20_000 }).toBe(false);
  } finally {
    if (isRunning(server)) process.kill(server, "SIGKILL");
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
