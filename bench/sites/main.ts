import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { Agent, get, type IncomingMessage } from "node:http";
import { availableParallelism, loadavg } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { timing, type Timing } from "#bench/visitors/measure.ts";
import { createTestInstance } from "#test/support/instance.ts";
import { startProcess } from "#test/support/processes.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { docsConfig, makePage, makePages, pathOf } from "./pages.ts";
import { buildPeer, PEERS, preparePeer } from "./peers.ts";

// A site of many pages: from a push to the page that shows it, compared with the time that static site generators need for the
// same change; pages that were not requested before; searches; memory; and `docent check` of the same pages.
//
//   npm run bench bench/sites/main.ts -- [--pages 1000] [--pushes 30] [--peers VitePress,Starlight,Docusaurus]
//   npm run bench bench/sites/main.ts -- --pages 25000 --pushes 10 --peers none
const { values } = parseArgs({
  options: {
    pages: { type: "string", default: "1000" },
    pushes: { type: "string", default: "30" },
    peers: { type: "string", default: "VitePress,Starlight,Docusaurus" },
  },
});
const count = Number(values.pages);
const run = promisify(execFile);
const GIT = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
const say = (line: string) => process.stdout.write(`${line}\n`);
const figures = ({ medianMs, p95Ms }: Timing) => `median ${Math.round(medianMs)} ms, 95 % ${Math.round(p95Ms)} ms`;

/** The machine's load: figures taken next to other work mean little. */
const loads = (when: string) => {
  const averages = loadavg().map((each) => each.toFixed(1));
  return `load average ${when}: ${averages.join(", ")} on ${availableParallelism()} cores`;
};

say(loads("before"));
const pages = makePages(count);
await using stack = new AsyncDisposableStack();
const instance = stack.use(
  await createTestInstance(
    "sqlite",
    { ...pages, "docs.json": docsConfig(count), "index.md": "# Bench\n" },
    { DOCENT_LOG_LEVEL: "warn", DOCENT_TRUSTED_PROXIES: "127.0.0.1" },
  ),
);
const begun = performance.now();
const serve = ["serve", "--port", "0", "--json", "--data", instance.data];
const server = await startProcess("bin/docent", serve, instance.environment);
stack.defer(() => server.kill("SIGTERM"));
const { port } = server.started;
let requests = 0;
const agent = new Agent({ keepAlive: true });
const routeOf = (number: number) => `/${pathOf(number).replace(/\.md$/, "")}`;

await fetchText(routeOf(0));
say(`${count} pages: first page ${Math.round(performance.now() - begun)} ms after the start of the server`);
say(`memory while it is being indexed: ${await memoryOf(server.child.pid ?? 0)}`);
await indexed();
say(`search complete ${Math.round(performance.now() - begun)} ms after the start`);

const cold: number[] = [];
for (let number = 1; number < Math.min(count, 400); number++) cold.push(await timed(() => fetchText(routeOf(number))));
say(`a page that nobody asked for before: ${figures(timing(cold))}`);

const searches: number[] = [];
for (let number = 0; number < 200; number++) {
  const query = ["deploy", "config", "page 17", "storage queue", "conect", "regio"][number % 6]!;
  searches.push(await timed(() => fetchText(`/_docent/search?q=${encodeURIComponent(query)}`)));
}
say(`a search: ${figures(timing(searches))}`);

const work = stack.use(await createTestDirectory()).path;
const git = (...args: string[]) => run("git", ["-C", work, ...args], { env: GIT });
const remote = instance.repoStore.directory(instance.project.id);
await run("git", ["clone", "--quiet", remote, work], { env: GIT });
await git("config", "user.name", "bench");
await git("config", "user.email", "bench@docent.invalid");
const afterPush: number[] = [];
const push: number[] = [];
for (let number = 0; number < Number(values.pushes); number++) {
  const page = (number * 37) % count;
  const word = `changed${number}`;
  await writeFile(path.join(work, pathOf(page)), makePage(page, count, word));
  await git("commit", "--quiet", "--all", "--message", `Change ${number}`);
  push.push(await timed(() => git("push", "--quiet")));
  afterPush.push(await timed(() => shows(routeOf(page), word)));
}
say(`a push: ${figures(timing(push))}; from its end to the page that shows it: ${figures(timing(afterPush))}`);
say(`memory: ${await memoryOf(server.child.pid ?? 0)}`);

await server.kill("SIGTERM");
const checked = await timed(() => run("bin/docent", ["check", work], { maxBuffer: 64 * 1024 * 1024 }));
say(`docent check of the same pages, alone: ${(checked / 1000).toFixed(1)} s`);
say(loads("after"));

for (const peer of PEERS.filter(({ name }) => values.peers.split(",").includes(name))) {
  const folder = await preparePeer(peer, path.join(import.meta.dirname, "..", ".data", "sites"), pages);
  const change = (word: string) => ({ path: pathOf(0), text: makePage(0, count, word) });
  const first = await buildPeer(peer, folder, change("first"));
  const again = [await buildPeer(peer, folder, change("second")), await buildPeer(peer, folder, change("third"))];
  say(
    `${peer.name}: first build ${(first / 1000).toFixed(1)} s, one changed page ${again.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(" and ")}`,
  );
}

async function timed(task: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await task();
  return performance.now() - started;
}

async function fetchText(route: string): Promise<string> {
  // `fetch` does not resolve names below localhost on every system.
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    // Every request comes from a different reader, because searches of one reader are limited.
    const reader = `10.0.${(requests >> 8) & 255}.${requests++ & 255}`;
    const headers = { host: `${instance.project.slug}.localhost:${port}`, "x-forwarded-for": reader };
    get({ host: "127.0.0.1", port, path: route, agent, headers }, resolve).on("error", reject);
  });
  const body = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`${route} is answered with ${answer.statusCode}`);
  return body;
}

async function shows(route: string, word: string): Promise<void> {
  for (;;) if ((await fetchText(route)).includes(word)) return;
}

async function indexed(): Promise<void> {
  for (;;) {
    const { indexing } = JSON.parse(await fetchText("/_docent/search?q=zzzz")) as { indexing: boolean };
    if (!indexing) return;
    // Searches take time of the indexing thread: polling without pause for a word on every page would delay it.
    await sleep(count > 5_000 ? 1_000 : 50);
  }
}

/** Resident memory of the server's first process and of its child processes (Linux). */
async function memoryOf(pid: number): Promise<string> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const all = [String(pid), ...children.trim().split(" ").filter(Boolean)];
  const sizes = await Promise.all(
    all.map(async (one) => {
      const status = await readFile(`/proc/${one}/status`, "utf8").catch(() => "");
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    }),
  );
  return `${sizes.reduce((sum, size) => sum + size, 0)} MB (${sizes.join(" + ")})`;
}
