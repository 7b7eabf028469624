import { type ChildProcess, execFile, fork } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";

// How long a repository of 200 MB takes from `docent projects create` to its first page, compared with `git clone --mirror` of
// it in turn; and a push from its webhook to the page that shows it, compared with `git fetch` and `git show`.
//
//   npm run bench bench/connected-mirror.ts -- [--rounds 5] [--pushes 30] [--pages 1500] [--megabytes 200]

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    rounds: { type: "string", default: "5" },
    pushes: { type: "string", default: "30" },
    pages: { type: "string", default: "1500" },
    megabytes: { type: "string", default: "200" },
  },
});
const run = promisify(execFile);
const DOCENT = path.join(import.meta.dirname, "..", "bin", "docent");
const PICTURE_BYTES = 500_000;
const COMMITS = 5;

// The host is a separate process, as in production.
if (process.send) await serveHost();
else await measure();

async function serveHost(): Promise<void> {
  const host = await startGithubServer({ "index.md": "# Start\n\nPush 0.\n" });
  process.send!({ url: host.url });
  process.once("disconnect", () => void host[Symbol.asyncDispose]().then(() => process.exit()));
}

async function measure(): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), "docent-bench-"));
  const children: ChildProcess[] = [];
  try {
    const host = fork(import.meta.filename, process.argv.slice(2), { execArgv: [] });
    children.push(host);
    const [{ url }] = (await once(host, "message")) as [{ url: string }];
    const address = `${url.replace("://", `://any:${HOST_TOKEN}@`)}.git`;
    const work = path.join(directory, "work");
    await run("git", ["clone", "--quiet", address, work]);
    // Compression does not shrink images. A single push gives the host a single pack, as after maintenance.
    await run("git", ["config", "core.compression", "0"], { cwd: work });
    await run("git", ["config", "pack.window", "0"], { cwd: work });
    await fill(work);
    await push(work);
    const tokenFile = path.join(directory, "token");
    await writeFile(tokenFile, HOST_TOKEN);
    const data = path.join(directory, "data");
    const env = { ...process.env, DOCENT_CODE_HOST_ALLOW: "127.0.0.1/32", DOCENT_LOG_LEVEL: "silent" };
    const docent = async (...args: string[]) => (await run(DOCENT, [...args, "--data", data], { env })).stdout;
    await docent("projects", "create", "Empty");
    const server = fork(DOCENT, ["serve", "--port", "0", "--json", "--data", data], {
      env,
      execArgv: [],
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    children.push(server);
    const [line] = (await once(server.stdout!, "data")) as [Buffer];
    const { baseUrl } = JSON.parse(line.toString()) as { baseUrl: string };
    const port = Number(new URL(baseUrl).port);

    const connected: number[] = [];
    const cloned: number[] = [];
    for (let round = 0; round < Number(values.rounds); round++) {
      const mirror = path.join(directory, "mirror.git");
      await rm(mirror, { recursive: true, force: true });
      cloned.push(await timed(() => run("git", ["clone", "--quiet", "--mirror", address, mirror])));
      const where = ["--repo", url, "--token-file", tokenFile, "--host", "github"];
      connected.push(
        await timed(async () => {
          await docent("projects", "create", `Bench ${round}`, ...where);
          await until(port, { slug: `bench-${round}`, words: "Push 0." });
        }),
      );
    }
    console.table({ "projects create, to the page": figures(connected), "git clone --mirror": figures(cloned) });

    const slug = "bench-0";
    const webhook = JSON.parse(await docent("projects", "webhook", slug, "--json")) as { url: string; secret: string };
    const mirror = path.join(directory, "mirror.git");
    const live: number[] = [];
    const fetched: number[] = [];
    for (let number = 1; number <= Number(values.pushes) + 3; number++) {
      await writeFile(path.join(work, "index.md"), `# Start\n\nPush ${number}.\n`);
      await commit(work, `Push ${number}`);
      await push(work);
      live.push(
        await timed(async () => {
          await tell(webhook);
          await until(port, { slug, words: `Push ${number}.` });
        }),
      );
      fetched.push(
        await timed(async () => {
          await run("git", ["fetch", "--quiet", "origin"], { cwd: mirror });
          await run("git", ["show", "main:index.md"], { cwd: mirror });
        }),
      );
    }
    // The first three warm the caches: a server runs for weeks.
    console.table({ "webhook to page": figures(live.slice(3)), "git fetch, git show": figures(fetched.slice(3)) });
  } finally {
    for (const child of children) child.kill("SIGTERM");
    await sleep(500);
    await rm(directory, { recursive: true, force: true });
  }
}

/** Pages, and images that are replaced with every commit. */
async function fill(work: string): Promise<void> {
  await mkdir(path.join(work, "images"));
  for (let page = 0; page < Number(values.pages); page++) {
    const words = "Words of a page. ".repeat(120);
    await writeFile(
      path.join(work, `bulk-${page}.md`),
      `# Page ${page}\n\n![Shot](/images/${page % 80}.png)\n\n${words}\n`,
    );
  }
  const pictures = Math.ceil((Number(values.megabytes) * 1_000_000) / PICTURE_BYTES / COMMITS);
  for (let round = 0; round < COMMITS; round++) {
    for (let picture = 0; picture < pictures; picture++) {
      await writeFile(path.join(work, "images", `${picture}.png`), randomBytes(PICTURE_BYTES));
    }
    await commit(work, `Pictures ${round}`);
  }
}

async function commit(work: string, message: string): Promise<void> {
  const who = ["-c", "user.name=bench", "-c", "user.email=bench@docent.invalid"];
  await run("git", ["add", "--all"], { cwd: work });
  await run("git", [...who, "commit", "--quiet", "--message", message], { cwd: work });
}

async function push(work: string): Promise<void> {
  await run("git", ["push", "--quiet", "origin", "HEAD:main"], { cwd: work });
}

async function tell({ url, secret }: { url: string; secret: string }): Promise<void> {
  const body = JSON.stringify({ ref: "refs/heads/main" });
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  const headers = {
    "content-type": "application/json",
    "x-github-event": "push",
    "x-hub-signature-256": `sha256=${signature}`,
  };
  const { status } = await fetch(url, { method: "POST", headers, body });
  if (status !== 202) throw new Error(`The webhook was answered with ${status}.`);
}

/** Waits until the site's first page contains these words. */
async function until(port: number, { slug, words }: { slug: string; words: string }): Promise<void> {
  for (;;) {
    const asked = request({ host: "127.0.0.1", port, path: "/", headers: { host: `${slug}.localhost` } }).end();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    if ((await text(answer)).includes(words)) return;
    await sleep(5);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function figures(measured: readonly number[]) {
  const sorted = [...measured].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!);
  return { "median ms": at(0.5), "95 % ms": at(0.95), "least ms": at(0) };
}
