// How much 8 busy clients of one project slow down a page and a search of another:
// `npm run bench bench/neighbours.ts -- [--rounds 6] [--seconds 4] [--only NAME]`. It starts `docent serve` with two projects. One
// client reads a page of the calm one, or searches it, again and again, alone and beside 8 clients of the loud one, in turn, so that
// both get the same machine. The 8 clients are a process of their own, and each of their searches names another address.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { addProject, createTestInstance } from "#test/support/instance.ts";

const CLIENTS = 8;
const PAGES = 400;
/** A reader's pause between two pages. */
const PAUSE_MS = 20;

interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "6" },
    seconds: { type: "string", default: "4" },
    only: { type: "string", default: "" },
    /** Of the child process, which reads from standard input what it calls. */
    port: { type: "string" },
  },
});

function send(agent: Agent, port: number, { method, path: target, headers, body }: Call): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, agent, method, path: target, headers }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode!));
    });
    sent.on("error", reject).end(body);
  });
}

/** The child process: 8 clients, each with its next call as soon as the one before was answered. */
async function callForEver(port: number, calls: readonly Call[]): Promise<never> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const answered = new Map<number, number>();
  process.on("SIGTERM", () => {
    console.log(JSON.stringify(Object.fromEntries(answered)));
    process.exit();
  });
  console.log("calling");
  let next = 0;
  const client = async () => {
    for (;;) {
      const status = await send(agent, port, calls[next++ % calls.length]!).catch(() => 0);
      answered.set(status, (answered.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  throw new Error("unreachable");
}

/** Starts the process that calls, and returns once it does. `stop` returns how often it was answered with each status. */
async function startClients(port: number, calls: readonly Call[]) {
  const options = ["--disable-warning=ExperimentalWarning", import.meta.filename, "--port", String(port)];
  const clients = spawn(process.execPath, options, { stdio: ["pipe", "pipe", "inherit"] });
  clients.stdin.end(JSON.stringify(calls));
  const lines = createInterface(clients.stdout)[Symbol.asyncIterator]();
  await lines.next(); // they call
  await sleep(500);
  return {
    async stop(): Promise<Record<string, number>> {
      clients.kill("SIGTERM");
      const { value: counts = "{}" } = await lines.next();
      return JSON.parse(counts) as Record<string, number>;
    },
  };
}

const median = (times: readonly number[], share = 0.5) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;

async function measure(): Promise<void> {
  const page = (number: number) => `# Page ${number}\n\n${`Words of page ${number}. `.repeat(120)}\n`;
  const files = {
    "index.md": "# Start\n",
    ...Object.fromEntries(Array.from({ length: PAGES }, (_, number) => [`page-${number}.md`, page(number)])),
  };
  const limits = {
    DOCENT_AGENT_CALLS_PER_HOUR: "1000000",
    DOCENT_ANALYTICS_CALLS_PER_HOUR: "1000000",
    DOCENT_TRUSTED_PROXIES: "127.0.0.1",
  };
  await using instance = await createTestInstance("sqlite", files, limits);
  const calm = await addProject(instance, {
    name: "Calm docs",
    files: { "index.md": "# Calm\n\nA search for words.\n" },
  });
  const program = path.join(import.meta.dirname, "..", "bin", "docent");
  const server = spawn(process.execPath, [program, "serve", "--data", instance.data, "--port", "0", "--json"], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, ...instance.environment },
  });
  try {
    const [line] = (await once(createInterface(server.stdout), "line")) as [string];
    const { port } = JSON.parse(line) as { port: number };
    const loudSite = { host: `${instance.project.slug}.localhost:${port}`, accept: "text/html" };
    const api = { authorization: `Bearer ${instance.key}`, "content-type": "application/json" };
    const job = { method: "POST", path: `/v2/agent/${instance.project.id}/job`, headers: api };
    // Searches of one address are refused after 600 in a minute: these come from 10,000.
    const from = (number: number) => ({ "x-forwarded-for": `203.${number % 100}.${Math.floor(number / 100) % 100}.1` });
    const searches = (query: (number: number) => string) =>
      Array.from({ length: 10_000 }, (_, number) => ({
        method: "GET",
        path: `/_docent/search?q=${query(number)}`,
        headers: { ...loudSite, ...from(number) },
      }));
    const kinds: Record<string, Call[]> = {
      "the same page": [{ method: "GET", path: "/page-1", headers: loudSite }],
      "400 pages": Array.from({ length: PAGES }, (_, number) => ({ method: "GET", path: `/page-${number}`, headers: loudSite })), // oxfmt-ignore
      "a page as Markdown": [{ method: "GET", path: "/page-1.md", headers: loudSite }],
      "searches for a rare word": searches(String),
      "searches that every page meets": searches((number) => `words+${number}`),
      "searches with a misspelt word": searches((number) => `wrods+pgae+${number}`),
      "lists of jobs": [{ method: "GET", path: `/v2/agent/${instance.project.id}/jobs`, headers: api }],
      "200 KB of brackets, refused": [{ ...job, body: `{"prompt":${"[".repeat(100_000)}${"]".repeat(100_000)}}` }],
      "a prompt of 200 KB, refused": [{ ...job, body: JSON.stringify({ prompt: "word ".repeat(40_000) }) }],
    };
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const calmHost = { host: `${calm.project.slug}.localhost:${port}` };
    const calmPage: Call = { method: "GET", path: "/", headers: { ...calmHost, accept: "text/html" } };
    let word = 0;
    const calmSearch = (): Call => ({ method: "GET", path: `/_docent/search?q=word+${++word}`, headers: { ...calmHost, ...from(word) } }); // oxfmt-ignore
    const read = async (times: number[], isSearch: boolean) => {
      const until = performance.now() + Number(values.seconds) * 1_000;
      while (performance.now() < until) {
        const startedAt = performance.now();
        const status = await send(agent, port, isSearch ? calmSearch() : calmPage);
        if (status !== 200) throw new Error(`The calm project was answered with ${status}.`);
        times.push(performance.now() - startedAt);
        await sleep(PAUSE_MS);
      }
    };
    while ((await fetch(`http://127.0.0.1:${port}/ready`)).status !== 200) await sleep(50);
    for (const call of kinds["400 pages"]!) await send(agent, port, call); // rendered before
    for (const isSearch of [false, true]) await read([], isSearch);
    console.log(
      "8 clients ask for                                  alone ms   beside ms   ratio   95 % alone   beside   their answers",
    );
    const cases = Object.entries(kinds).flatMap(([name, calls]) => [
      { name, calls, isSearch: false },
      ...(name.startsWith("searches") ? [{ name: `${name}, beside a search`, calls, isSearch: true }] : []),
    ]);
    for (const { name, calls, isSearch } of cases.filter((each) => each.name.includes(values.only))) {
      const alone: number[] = [];
      const beside: number[] = [];
      const answers: Record<string, number> = {};
      for (let round = 0; round < Number(values.rounds); round += 1) {
        await read(alone, isSearch);
        const clients = await startClients(port, calls);
        await read(beside, isSearch);
        for (const [status, count] of Object.entries(await clients.stop())) answers[status] = (answers[status] ?? 0) + count; // oxfmt-ignore
        await sleep(500);
      }
      const shown = (time: number, width: number) => time.toFixed(1).padStart(width);
      const ratio = median(beside) / median(alone);
      console.log(
        `${name.padEnd(48)} ${shown(median(alone), 10)} ${shown(median(beside), 11)} ${shown(ratio, 7)} ${shown(median(alone, 0.95), 12)} ${shown(median(beside, 0.95), 8)}   ${JSON.stringify(answers)}`,
      );
    }
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
  }
}

if (values.port === undefined) await measure();
else await callForEver(Number(values.port), JSON.parse(await text(process.stdin)) as Call[]);
