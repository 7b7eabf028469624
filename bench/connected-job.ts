import { type ChildProcess, execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";

// From the end of the model's work to the open pull request on a connected host, a GitHub-compatible server on this machine,
// against git's own programs for the same work in turn: one fetch, one commit, one push, and one request.
//
//   npm run bench bench/connected-job.ts -- [--jobs 40] [--pages 1500]

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: { jobs: { type: "string", default: "40" }, pages: { type: "string", default: "1500" } },
});
const run = promisify(execFile);
const DOCENT = path.join(import.meta.dirname, "..", "bin", "docent");

// The host is a separate process, as in production.
if (process.send) await serveHost();
else await measure();

async function serveHost(): Promise<void> {
  const pages = Array.from({ length: Number(values.pages) }, (_, page): [string, string] => {
    const next = (page + 1) % Number(values.pages);
    return [
      `bulk-${page}.md`,
      `# Page ${page}\n\nSee [the next one](/bulk-${next}).\n\n${"Words of a page. ".repeat(120)}\n`,
    ];
  });
  const host = await startGithubServer({ "index.md": "# Start\n", ...Object.fromEntries(pages) });
  process.send!({ url: host.url, origin: host.origin });
  process.once("disconnect", () => void host[Symbol.asyncDispose]().then(() => process.exit()));
}

async function measure(): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), "docent-bench-"));
  const children: ChildProcess[] = [];
  try {
    const host = fork(import.meta.filename, process.argv.slice(2), { execArgv: [] });
    children.push(host);
    const [{ url, origin }] = (await once(host, "message")) as [{ url: string; origin: string }];
    const tokenFile = path.join(directory, "token");
    await writeFile(tokenFile, HOST_TOKEN);
    const data = path.join(directory, "data");
    const env = {
      ...process.env,
      DOCENT_CODE_HOST_ALLOW: "127.0.0.1/32",
      DOCENT_AGENT_CALLS_PER_HOUR: "100000",
      DOCENT_LOG_LEVEL: "silent",
    };
    const docent = async (...args: string[]) => (await run(DOCENT, [...args, "--data", data], { env })).stdout;
    const where = ["--repo", url, "--token-file", tokenFile, "--host", "github"];
    const { id } = JSON.parse(await docent("projects", "create", "Bench", ...where, "--json")) as { id: string };
    const key = (await docent("keys", "create", "bench")).trim();
    const server = fork(DOCENT, ["serve", "--port", "0", "--json", "--data", data], {
      env,
      execArgv: [],
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    children.push(server);
    const [line] = (await once(server.stdout!, "data")) as [Buffer];
    const { baseUrl } = JSON.parse(line.toString()) as { baseUrl: string };
    const mirror = path.join(directory, "mirror.git");
    const address = `${url.replace("://", `://any:${HOST_TOKEN}@`)}.git`;
    await run("git", ["clone", "--quiet", "--mirror", address, mirror]);

    const jobs: number[] = [];
    const gits: number[] = [];
    for (let job = 0; job < Number(values.jobs) + 3; job++) {
      jobs.push(await publication(baseUrl, { id, key, job }));
      gits.push(await gitAlone(mirror, { origin, directory, job }));
    }
    // The first three warm the caches: a server runs for weeks.
    console.table({
      Docent: figures(jobs.slice(3)),
      "git and one request": figures(gits.slice(3)),
    });
  } finally {
    for (const child of children) child.kill("SIGTERM");
    await sleep(500);
    await rm(directory, { recursive: true, force: true });
  }
}

interface TranscriptEvent {
  type: string;
  createdAt: string;
}

/** Milliseconds from the agent's last event of a turn to its pull request. */
async function publication(
  baseUrl: string,
  { id, key, job }: { id: string; key: string; job: number },
): Promise<number> {
  const url = `${baseUrl}/v2/agent/${id}/job`;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ prompt: `Add a page titled "Bench ${job}" with the text "Number ${job}."` });
  const created = (await (await fetch(url, { method: "POST", headers, body })).json()) as { id: string };
  for (;;) {
    const state = (await (await fetch(`${url}/${created.id}`, { headers })).json()) as { status: string };
    if (state.status === "completed") break;
    if (state.status !== "active") throw new Error(`The job ended as ${JSON.stringify(state)}`);
    await sleep(20);
  }
  const { events } = (await (await fetch(`${url}/${created.id}/events?limit=200`, { headers })).json()) as {
    events: TranscriptEvent[];
  };
  const opened = events.findIndex(({ type }) => type === "pull_request.opened");
  const worked = events.slice(0, opened).findLast(({ type }) => type === "usage" || type === "tool.finished");
  return Date.parse(events[opened]!.createdAt) - Date.parse(worked!.createdAt);
}

/** One file, one tree, one commit, one branch, one pull request, as a script would create them. */
async function gitAlone(
  mirror: string,
  { origin, directory, job }: { origin: string; directory: string; job: number },
): Promise<number> {
  const identity = { NAME: "bench", EMAIL: "bench@docent.invalid" };
  const env = {
    ...process.env,
    ...Object.fromEntries(
      Object.entries(identity).flatMap(([name, value]) => [
        [`GIT_AUTHOR_${name}`, value],
        [`GIT_COMMITTER_${name}`, value],
      ]),
    ),
    GIT_DIR: mirror,
    GIT_INDEX_FILE: path.join(directory, `index-${job}`),
  };
  const git = async (...args: string[]) => (await run("git", args, { env })).stdout.trim();
  const file = path.join(directory, "page.md");
  await writeFile(file, `# Git ${job}\n`);
  const start = performance.now();
  await git("fetch", "--quiet", "origin", "+refs/heads/main:refs/heads/main");
  const blob = await git("hash-object", "-w", file);
  await git("read-tree", "refs/heads/main");
  await git("update-index", "--add", "--cacheinfo", `100644,${blob},git-${job}.md`);
  const commit = await git("commit-tree", await git("write-tree"), "-p", "refs/heads/main", "-m", "Bench");
  const head = `git/${job}`;
  await git("push", "--quiet", await git("remote", "get-url", "origin"), `${commit}:refs/heads/${head}`);
  const answer = await fetch(`${origin}/api/v3/repos/acme/docs/pulls`, {
    method: "POST",
    headers: { authorization: `Bearer ${HOST_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ title: `Git ${job}`, head: `acme:${head}`, base: "main", body: "", draft: false }),
  });
  if (answer.status !== 201) throw new Error(`The host answered ${answer.status}: ${await answer.text()}`);
  return performance.now() - start;
}

function figures(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!);
  return { "median ms": at(0.5), "95 % ms": at(0.95), "least ms": at(0) };
}
