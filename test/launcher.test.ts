import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { createTestDirectory } from "#testing/repositories.ts";

const ROOT = path.join(import.meta.dirname, "..");
const INSTALL = pathToFileURL(path.join(ROOT, "scripts", "install.mjs")).href;
const DEMO_SERVER = pathToFileURL(path.join(ROOT, "src", "cli", "demo-server-process.ts")).href;
const MAIN = path.join(ROOT, "src", "cli", "main.ts");

it("a server whose launcher is killed stops in order", async () => {
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

it("a server stops in order when its terminal is closed", async () => {
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

it("the server of a demo that is killed stops in order", async () => {
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
