import { execFile, spawn } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { runDemo } from "#test/support/demo.ts";
import { nodes } from "#test/support/nodes.ts";

const run = promisify(execFile);
const root = path.join(import.meta.dirname, "../..");

/** Of the checkout, what packing reads. */
const PACKED = [
  "LICENSE",
  "README.md",
  "bin",
  "clients",
  "docs",
  "examples",
  "package-lock.json",
  "package.json",
  "scripts",
  "src",
];
const CONFIGURATION = ["tsconfig.json"];
const INSTALL_MS = 300_000;

const PAGE = "---\ntitle: Ports\n---\n\nShips lie in a harbour.\n";

/** A Node of the machine's, where it has another: an install by its own is the less likely to work. */
const TRIED = LONG_TESTS ? nodes : nodes.slice(-1);

// npm asks its registry about packages that are not in its cache.
describe.skipIf(process.env["DOCENT_TESTS_WITHOUT_REGISTRY"] === "1")("the npm package of docent", () => {
  const made = new AsyncDisposableStack();
  let home: string;
  let tarball: string;
  let checkout: string;
  let executable: string;
  /** A person's shell: an empty home, the Node that they have, no package of this checkout. */
  const shell = (node: string) => ({
    cwd: home,
    env: {
      // What leads to the network, such as a proxy, and nothing that npm told the process above this one.
      ...Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !/^(npm_|node_(?!extra_ca)|docent_)/i.test(name)),
      ),
      HOME: home,
      PATH: [path.dirname(node), "/usr/local/bin", "/usr/bin", "/bin"].join(path.delimiter),
      npm_config_prefix: path.join(home, "npm"),
      npm_config_cache: path.join(home, "cache"),
      npm_config_prefer_offline: "true",
      npm_config_update_notifier: "false",
      // A registry that swallows connections fails in two minutes, with what npm says about it.
      npm_config_fetch_timeout: "60000",
      npm_config_fetch_retries: "1",
    },
    maxBuffer: 16 * 1024 * 1024,
  });

  beforeAll(async () => {
    home = made.use(await createTestDirectory()).path;
    checkout = made.use(await createTestDirectory()).path;
    for (const name of [...PACKED, ...CONFIGURATION]) {
      await cp(path.join(root, name), path.join(checkout, name), { recursive: true });
    }
    await symlink(path.join(root, "node_modules"), path.join(checkout, "node_modules"));
    const cache = (await run("npm", ["config", "get", "cache"], { cwd: home })).stdout.trim();
    await symlink(cache, path.join(home, "cache"));
    const pack = ["pack", "--json", "--silent", "--pack-destination", home];
    const [{ filename }] = JSON.parse((await run("npm", pack, { cwd: checkout })).stdout) as [{ filename: string }];
    tarball = path.join(home, filename);
    executable = path.join(home, "docent");
    if (LONG_TESTS) {
      await run(process.execPath, ["scripts/build-executable.ts", "--built"], { cwd: checkout });
      await rename(path.join(checkout, "dist", "docent"), executable);
    }
    await mkdir(path.join(home, "pages"));
    await writeFile(path.join(home, "pages", "index.md"), PAGE);
  }, INSTALL_MS);
  afterAll(() => made.disposeAsync());

  describe.each(TRIED)("on Node $version", ({ file }) => {
    // Whichever Node it is started by: it runs on the one that comes with it, unless that of the machine will do.
    const version = `docent 0.2.0, Node ${process.versions.node}\n`;

    it(
      "is installed by npm i -g, with the few packages that its bundle does not contain",
      async () => {
        await run("npm", ["install", "--global", tarball], shell(file));
        const packages = path.join(home, "npm", "lib", "node_modules", "docent", "node_modules");
        const read = async (folder: string) =>
          JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")) as {
            version: string;
            dependencies: Record<string, string>;
          };
        const [installed, source] = [await read(path.dirname(packages)), await read(root)];
        expect(Object.keys(installed.dependencies).length).toBeLessThan(20);
        for (const name of Object.keys(installed.dependencies)) {
          const { version: found } = await read(path.join(packages, name));
          expect([name, found]).toEqual([name, source.dependencies[name]]);
        }
        expect(await readdir(packages)).not.toContain("shiki");
        // Packing left the manifest of the checkout as it was.
        expect(await read(checkout)).toEqual(source);
        const { stdout } = await run(path.join(home, "npm", "bin", "docent"), ["--version"], shell(file));
        expect(stdout).toBe(version);
      },
      INSTALL_MS,
    );

    it("runs the whole demo: server, job, render process, counts; touches no settings and leaves nothing behind", async () => {
      const docent = path.join(home, "npm", "bin", "docent");
      const said = await runDemo([docent], { home, environment: shell(file).env });
      expect(said).toContain("docent demo --keep");
    });

    it.runIf(LONG_TESTS)("exports a site with search in the browser", async () => {
      const docent = path.join(home, "npm", "bin", "docent");
      const data = await mkdtemp(path.join(home, "data-"));
      const source = path.join(home, "pages");
      await run("git", ["init", "--quiet", source], shell(file));
      const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
      await run("git", ["-C", source, "add", "."], shell(file));
      await run("git", ["-C", source, ...author, "commit", "--allow-empty", "-qm", "Begin"], shell(file));
      await run(docent, ["projects", "create", "Ports", "--repo", source, "--data", data], shell(file));
      const out = path.join(data, "site");
      await run(docent, ["export", "ports", "--out", out, "--data", data], shell(file));
      expect(await readFile(path.join(out, "index.html"), "utf8")).toContain("Ships lie in a harbour.");
    });

    it.runIf(LONG_TESTS)("shows its own API reference, with the guides", async () => {
      const data = await mkdtemp(path.join(home, "data-"));
      const docent = path.join(home, "npm", "bin", "docent");
      const serving = spawn(docent, ["serve", "--port", "0", "--data", data], shell(file));
      try {
        const [, address] = await untilSaid(serving.stdout, /listening at (http\S+)/);
        const reference = await (await fetch(`${address}/reference`)).text();
        expect(reference).toContain("Create an agent job");
        expect(reference).toContain("/reference/jobs/guide");
        expect(reference).toContain("/reference/interface/compatible");
      } finally {
        serving.kill();
      }
    });

    it.runIf(LONG_TESTS)(
      "runs by npx",
      async () => {
        const check = ["--yes", "--package", tarball, "docent", "check", "pages"];
        expect((await run("npx", check, shell(file))).stdout).toContain("1 page");
      },
      INSTALL_MS,
    );
  });

  describe.runIf(LONG_TESTS)("as a single executable, on a machine without Node", () => {
    const alone = (...args: string[]) => {
      const env = { HOME: path.join(home, "alone"), PATH: "/usr/bin:/bin" };
      return run(executable, args, { cwd: home, env, maxBuffer: 16 * 1024 * 1024 });
    };
    const unpacked = () => path.join(home, "alone", ".cache", "docent");

    it("unpacks itself once, even for concurrent starts, and then works as Docent", async () => {
      const starts = await Promise.all([alone("--version"), alone("--version"), alone("--version")]);
      for (const { stdout } of starts) expect(stdout).toBe(`docent 0.2.0, Node ${process.versions.node}\n`);
      expect(await readdir(unpacked())).toEqual([expect.stringMatching(/^0\.2\.0-[0-9a-f]{12}$/) as string]);
      expect((await alone("check", "pages")).stderr).toBe("");
      await expect(alone("no-such-command")).rejects.toMatchObject({ code: 2 });
    });

    it("runs the demo: server, job, render process, counts", async () => {
      const { stdout } = await alone("demo").catch((error: unknown) => ({ stdout: JSON.stringify(error) })); // says why
      expect(stdout).toContain("as counted by hand: 1 human, 2 AI, 3 in all");
    });

    it("recovers from a partially unpacked copy at the next start", async () => {
      await rm(unpacked(), { recursive: true });
      const killed = execFile(executable, ["--version"], { env: { HOME: path.join(home, "alone") } });
      await expect.poll(() => readdir(unpacked()).catch(() => [])).not.toEqual([]);
      killed.kill("SIGKILL");
      await new Promise((resolve) => killed.once("close", resolve));
      expect((await alone("--version")).stdout).toContain("docent 0.2.0");
    });

    it("runs nothing that other users could have written", async () => {
      const refused = { code: 1, message: expect.stringContaining("can be written by others") as string };
      for (const folder of [unpacked(), path.dirname(unpacked())]) {
        await chmod(folder, 0o777);
        await expect(alone("--version")).rejects.toMatchObject(refused);
        await chmod(folder, 0o700);
      }
      await rename(unpacked(), `${unpacked()}.mine`);
      const open = await mkdtemp(path.join(home, "open-"));
      await chmod(open, 0o777);
      await symlink(open, unpacked());
      await expect(alone("--version")).rejects.toMatchObject(refused);
      await expect(readdir(open)).resolves.toEqual([]);
    });
  });
});

/** The first text of a stream that matches; rejects when the stream ends without it. */
async function untilSaid(stream: NodeJS.ReadableStream, wanted: RegExp): Promise<RegExpExecArray> {
  let text = "";
  for await (const piece of stream) {
    text += String(piece);
    const found = wanted.exec(text);
    if (found !== null) return found;
  }
  throw new Error(`nothing like ${String(wanted)} in: ${text}`);
}
