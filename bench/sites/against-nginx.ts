import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { quartiles } from "#bench/visitors/measure.ts";
import { ensureWrk } from "#bench/visitors/page-load.ts";
import { keepApart, PROCESSOR_CORE } from "#bench/visitors/processor-core.ts";
import { installDebianPackage } from "#test/support/debian-package.ts";
import { createTestInstance } from "#test/support/instance.ts";
import { startProcess } from "#test/support/processes.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { docsConfig, makePages } from "./pages.ts";

// A page that Docent has already rendered, against nginx with the same compressed bytes as a file: each on one core, in turn,
// with a load generator on the other. Docent counts its views at the same time. A bare Node server with the same bytes and
// headers shows how much of the difference is due to Node.
//
//   npm run bench bench/sites/against-nginx.ts -- [--rounds 10] [--seconds 2]
const { values } = parseArgs({
  options: { rounds: { type: "string", default: "10" }, seconds: { type: "string", default: "2" } },
});
const run = promisify(execFile);
const PAGES = 300;
const ROUTE = "/guides/part-0/page-1";

await ensureWrk();
// Debian installs it where only root's path has it.
const NGINX = { env: { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin` } };
const hasNginx = () => run("nginx", ["-v"], NGINX).catch((error: NodeJS.ErrnoException) => error.code !== "ENOENT");
if (!(await hasNginx())) installDebianPackage("nginx-light");
if (!(await hasNginx())) throw new Error("nginx is missing: apt-get install nginx-light");

await using stack = new AsyncDisposableStack();
const files = { ...makePages(PAGES), "docs.json": docsConfig(PAGES), "index.md": "# Bench\n" };
const instance = stack.use(await createTestInstance("sqlite", files, { DOCENT_LOG_LEVEL: "warn" }));
const serve = ["serve", "--port", "0", "--json", "--data", instance.data];
const server = await startProcess("bin/docent", serve, instance.environment);
stack.defer(() => server.kill("SIGTERM"));
const docent = { port: server.started.port, host: `${instance.project.slug}.localhost:${server.started.port}` };
const { bytes: page, headers: pageHeaders } = await readPage();

const folder = stack.use(await createTestDirectory()).path;
const nginx = { port: docent.port + 1, host: "localhost" };
await mkdir(path.join(folder, "www", path.dirname(ROUTE)), { recursive: true });
// Its worker runs as another user if the master is root.
await chmod(folder, 0o755);
await writeFile(path.join(folder, "www", `${ROUTE}.html`), "");
await writeFile(path.join(folder, "www", `${ROUTE}.html.gz`), page);
await writeFile(
  path.join(folder, "nginx.conf"),
  `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; open_file_cache max=100;
  client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c; uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
  server { listen 127.0.0.1:${nginx.port}; root ${folder}/www; default_type text/html; location / { gzip_static on; try_files $uri.html =404; } }
}`,
);
const child = spawn("nginx", ["-c", path.join(folder, "nginx.conf"), "-e", path.join(folder, "error.log")], {
  ...NGINX,
  stdio: ["ignore", "ignore", "inherit"],
});
stack.defer(async () => {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
});
await sleep(500);
if (child.exitCode !== null) throw new Error("nginx did not start.");
await run("taskset", ["--all-tasks", "--cpu-list", "--pid", String(PROCESSOR_CORE.measured), String(child.pid)]);
const worker = (await run("pgrep", ["--parent", String(child.pid)])).stdout.trim();
await run("taskset", ["--cpu-list", "--pid", String(PROCESSOR_CORE.measured), worker]);
await keepApart(server.child.pid ?? 0);
const bareNode = await startProcess("bench/sites/bare-node.ts", [
  path.join(folder, "www", `${ROUTE}.html.gz`),
  JSON.stringify(pageHeaders),
]);
stack.defer(() => bareNode.kill("SIGTERM"));
await keepApart(bareNode.child.pid ?? 0);
const node = { port: bareNode.started.port, host: "localhost" };

const rates: Record<"nginx" | "node" | "docent", number[]> = { nginx: [], node: [], docent: [] };
for (let round = -1; round < Number(values.rounds); round++) {
  for (const [name, target] of Object.entries({ nginx, node, docent })) {
    const rate = await load(target);
    if (round >= 0) rates[name as keyof typeof rates].push(rate);
  }
}
const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
function ratio(of: "node" | "docent", peer: "nginx" | "node"): string {
  const { low, median, high } = quartiles(rates[of].map((rate, round) => rate / rates[peer][round]!));
  return `${percent(median)} (half of the rounds ${percent(low)} to ${percent(high)})`;
}
console.log(`${page.length} bytes compressed, ${rates.docent.length} rounds of ${values.seconds} s each`);
for (const [name, each] of Object.entries(rates))
  console.log(`${name}: ${Math.round(quartiles(each).median)} requests/s`);
console.log(`Docent of nginx: ${ratio("docent", "nginx")}`);
console.log(`Docent of a bare Node server: ${ratio("docent", "node")}`);
console.log(`a bare Node server of nginx: ${ratio("node", "nginx")}`);

async function readPage(): Promise<{ bytes: Buffer; headers: Record<string, string> }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { host: docent.host, accept: "text/html", "accept-encoding": "gzip" };
    get({ host: "127.0.0.1", port: docent.port, path: ROUTE, headers }, resolve).on("error", reject);
  });
  const bytes = await buffer(answer);
  if (answer.statusCode !== 200 || answer.headers["content-encoding"] !== "gzip") {
    throw new Error(`The page came with ${answer.statusCode} ${answer.headers["content-encoding"] ?? "uncompressed"}.`);
  }
  const { date: _, connection: __, "keep-alive": ___, ...headers } = answer.headers as Record<string, string>;
  return { bytes, headers };
}

/** Responses per second; throws when one of them failed or was not the page. */
async function load({ port, host }: { port: number; host: string }): Promise<number> {
  const headers = ["-H", `Host: ${host}`, "-H", "Accept: text/html", "-H", "Accept-Encoding: gzip"];
  const options = ["-t1", "-c64", `-d${values.seconds}s`, "--timeout", "10s", ...headers];
  const command = ["wrk", ...options, `http://127.0.0.1:${port}${ROUTE}`];
  const { stdout } = await run("taskset", ["--cpu-list", String(PROCESSOR_CORE.load), ...command]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}
