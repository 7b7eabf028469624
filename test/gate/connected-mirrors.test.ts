import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { commitFiles, createTestDirectory, git } from "#testing/repositories.ts";
import { LFS_POINTER } from "#testing/sample-files.ts";
import { runDocent } from "#test/support/commands.ts";
import { programFile, startProcess } from "#test/support/processes.ts";
import { serveLogged } from "#test/support/server.ts";
import { createSiteClient } from "#test/support/site-client.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";

const ALLOW = { DOCENT_CODE_HOST_ALLOW: "127.0.0.1/32" };
const FILES = {
  "docs.json": JSON.stringify({ name: "Acme", logo: "/brand/mark.png", navigation: { pages: ["index"] } }),
  "index.md": "# Welcome\n\n![One](/images/one.png) ![Two](/images/two.png)\n",
};

/** A host with a repository of these files and pictures, and a project that is to be connected. */
async function openHost() {
  await using stack = new AsyncDisposableStack();
  const host = stack.use(await startGithubServer(FILES));
  const directory = stack.use(await createTestDirectory()).path;
  const work = path.join(directory, "work");
  const address = host.url.replace("://", `://any:${HOST_TOKEN}@`);
  await git(directory, "clone", "--quiet", `${address}.git`, work);
  const publish = async (files: Parameters<typeof commitFiles>[1]) => {
    await commitFiles(work, files, "Change");
    await git(work, "push", "--quiet", "origin", "main");
  };
  const data = path.join(directory, "data");
  const tokenFile = path.join(directory, "token");
  await writeFile(tokenFile, `${HOST_TOKEN}\n`);
  const where = ["--repo", host.url, "--token-file", tokenFile, "--host", "github", "--data", data];
  const connecting = ["projects", "create", "Acme", ...where];
  const connect = (environment: Record<string, string> = {}) =>
    runDocent(connecting, { environment: { ...ALLOW, ...environment } });
  const owned = stack.move();
  return { host, data, publish, connecting, connect, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

it("images are fetched from the host on demand, and a failed one affects nothing else", async () => {
  await using opened = await openHost();
  const { host, data } = opened;
  const [one, two] = [randomBytes(50_000), randomBytes(50_000)];
  await opened.publish({
    "images/one.png": one,
    "images/two.png": two,
    "images/large.png": LFS_POINTER,
    "brand/mark.png": randomBytes(9_000),
  });
  expect(await opened.connect()).toMatchObject({ exitCode: 0, stderr: "" });
  let server = await serveLogged(data, ALLOW);
  const site = () => createSiteClient({ instance: { project: { slug: "acme" } }, port: server.port });
  const get = async (place: string) => {
    using client = site();
    return await client.send(place);
  };
  const first = await get("/images/one.png");
  expect([first.status, first.headers["content-length"]]).toEqual([200, "50000"]);
  expect((await get("/images/large.png")).status).toBe(404);
  await server[Symbol.asyncDispose]();

  host.state.fault = () => new Response("away", { status: 503 });
  server = await serveLogged(data, ALLOW);
  expect((await get("/")).text).toContain("Welcome");
  expect((await get("/images/one.png")).status).toBe(200);
  expect((await get("/images/two.png")).status).toBe(503);
  expect((await get("/")).status).toBe(200);
  await server[Symbol.asyncDispose]();
  expect(server.log()).not.toContain(HOST_TOKEN);
});

it("a repository over the size limit is not connected, and leaves nothing behind", async () => {
  await using opened = await openHost();
  await opened.publish({ "guide.md": randomBytes(2_000_000).toString("base64") });
  const refused = await opened.connect({ DOCENT_MIRROR_MAX_BYTES: "1000000" });
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain("DOCENT_MIRROR_MAX_BYTES");
  expect(await readdir(path.join(opened.data, "repositories"))).toEqual([]);
});

it.runIf(LONG_TESTS)(
  "the next server removes what a killed connection left, but not connections in progress",
  async () => {
    await using opened = await openHost();
    const { host, data } = opened;
    const repositories = path.join(data, "repositories");
    const found = async () =>
      (await readdir(repositories).catch((): string[] => [])).filter((name) => name.endsWith(".git"));
    host.state.fault = (request) => (request.url.includes(".git/") ? new Promise(() => undefined) : null);
    const begin = async () => {
      const before = (await found()).length;
      const child = spawn(process.execPath, [programFile("src/cli/main.ts"), ...opened.connecting], {
        env: { ...process.env, ...ALLOW },
        stdio: "ignore",
      });
      await expect.poll(async () => (await found()).length, { timeout: 20_000 }).toBe(before + 1);
      return child;
    };
    const killed = await begin();
    killed.kill("SIGKILL");
    await once(killed, "exit");
    const [left] = await found();
    const alive = await begin();
    const [kept] = (await found()).filter((name) => name !== left);
    const server = await startProcess("src/cli/main.ts", ["serve", "--port", "0", "--json", "--data", data], ALLOW);
    await expect.poll(found, { timeout: 20_000 }).toEqual([kept]);
    await server.kill("SIGTERM");
    alive.kill("SIGKILL");
    await once(alive, "exit");
  },
);
