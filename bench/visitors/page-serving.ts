import { fork } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { queryViews } from "#analytics/counts.ts";
import { createTestInstance } from "#test/support/instance.ts";
import { startProcess } from "#test/support/processes.ts";
import { openConnection, pageRequest } from "./keep-alive.ts";
import { milliseconds } from "./measure.ts";
import type { LoadResult, LoadTask } from "./page-load.ts";
import { keepApart } from "./processor-core.ts";
import { type ProcessorTime, quartiles, readProcessorTime } from "./processor-time.ts";

// What taking views in costs a server that delivers as many pages as it can. Three kinds of windows in turn: pages
// alone; pages beside requests that are no views; pages beside the same requests as views. The last two differ in
// nothing but what the server does with a view.
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "24" },
    seconds: { type: "string", default: "3" },
    views: { type: "string", default: "1000" },
    connections: { type: "string", default: "128" },
    postgres: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const perSecond = Number(values.views);
const say = (text: string) => process.stdout.write(`${text}\n`);

/** With it what a window left to be folded is counted to the window. */
const REST_MS = 1_500;
/** Rounds that are not counted: until then caches fill and the compiler works. */
const WARM_UP = 2;
const KINDS = ["pages", "requests", "views"] as const;
type Kind = (typeof KINDS)[number];

interface Window extends LoadResult {
  /** Of the server, until it was idle again. */
  processor: ProcessorTime;
}

const example = path.join(import.meta.dirname, "..", "..", "examples", "harbor-docs");
const names = (await readdir(example, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
const files: Record<string, Buffer> = {};
for (const entry of names) {
  const file = path.join(entry.parentPath, entry.name);
  files[path.relative(example, file)] = await readFile(file);
}
await using stack = new AsyncDisposableStack();
const instance = stack.use(
  await createTestInstance(values.postgres === undefined ? "sqlite" : "postgres", files, {
    DOCENT_TRUSTED_PROXIES: "127.0.0.1",
    DOCENT_LOG_LEVEL: "warn",
    ...(values.postgres !== undefined && { DATABASE_URL: values.postgres }),
  }),
);
const serve = ["serve", "--port", "0", "--json", "--data", instance.data];
const server = await startProcess("bin/docent", serve, instance.environment);
stack.defer(() => server.kill("SIGTERM"));
const { port } = server.started;
const host = `${instance.project.slug}.localhost:${port}`;
const pid = server.child.pid ?? 0;

const load = fork(path.join(import.meta.dirname, "page-load.ts"));
stack.defer(() => void load.kill());
const loadEnded = once(load, "exit").then(() => {
  throw new Error("the process that sends requests failed");
});
loadEnded.catch(() => undefined); // after the last window nobody waits for it
const carryOut = async (task: LoadTask): Promise<LoadResult> => {
  load.send(task);
  const [result] = (await Promise.race([once(load, "message"), loadEnded])) as [LoadResult];
  return result;
};

const paths = await findPages();
const task = { host, port, paths, perSecond, seconds: Number(values.seconds), connections: Number(values.connections) };
async function measure(kind: Kind): Promise<Window> {
  isApart &&= await keepApart({ first: pid, second: load.pid ?? 0 }); // each time: threads begin where their parent is
  const before = await readProcessorTime(pid);
  const result = await carryOut({ ...task, kind });
  await sleep(REST_MS);
  const after = await readProcessorTime(pid);
  return { ...result, processor: { allMs: after.allMs - before.allMs, mainMs: after.mainMs - before.mainMs } };
}

let isApart = true;
let acknowledged = 0;
const measured: Record<Kind, Window>[] = [];
for (let round = -WARM_UP; round < rounds; round++) {
  const windows = new Map<Kind, Window>();
  for (let turn = 0; turn < KINDS.length; turn++) {
    const kind = KINDS[(turn + round + WARM_UP) % KINDS.length]!; // nobody is always first
    const window = await measure(kind);
    if (kind === "views") acknowledged += window.beside.expected;
    windows.set(kind, window);
  }
  if (round < 0) continue;
  measured.push(Object.fromEntries(windows) as Record<Kind, Window>);
  process.stderr.write(`round ${round + 1} of ${rounds}\n`);
}
await server.kill("SIGTERM");
report();
const { totals } = await queryViews(instance, {
  projectId: instance.project.id,
  from: null,
  to: null,
  limit: 1,
  offset: 0,
});
say(`counted ${totals.human + totals.ai} of ${acknowledged} views that were acknowledged`);

async function findPages(): Promise<string[]> {
  const routes = Object.keys(files)
    .filter((name) => /\.mdx?$/.test(name) && !/^(?:AGENTS|snippets)/.test(name))
    .map((name) => `/${name.replace(/\.mdx?$/, "").replace(/(?:^|\/)index$/, "")}`);
  using connection = await openConnection(port);
  for (const route of routes) {
    const status = await connection.send(pageRequest(host, route));
    if (status !== 200) throw new Error(`${route} is answered with ${status}`);
  }
  return routes;
}

function report(): void {
  if (!isApart) say("The senders shared the serving thread's core: needs Linux, taskset and two cores.");
  const of = (kind: Kind, figure: (window: Window) => number) => quartiles(measured.map((one) => figure(one[kind])));
  const pageRate = ({ pages, seconds }: Window) => pages.expected / seconds;
  const names = { pages: "pages alone", requests: "and requests that are no views", views: "and views" };
  console.table(
    Object.fromEntries(
      KINDS.map((kind) => [
        names[kind],
        {
          "pages/s": Math.round(of(kind, pageRate).median),
          "median ms": milliseconds(of(kind, ({ pages }) => pages.medianMs).median),
          "p99 ms": milliseconds(of(kind, ({ pages }) => pages.p99Ms).median),
          "beside/s": Math.round(of(kind, ({ beside, seconds }) => beside.expected / seconds).median),
          refused: measured.reduce((sum, one) => sum + one[kind].pages.others + one[kind].beside.others, 0),
        },
      ]),
    ),
  );
  const ratio = (kind: Kind, to: Kind) => {
    const found = quartiles(measured.map((one) => pageRate(one[kind]) / pageRate(one[to])));
    const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
    return `${percent(found.median)} (half of the rounds ${percent(found.low)} to ${percent(found.high)})`;
  };
  say(`pages/s, of each round: beside views against beside requests that are none ${ratio("views", "requests")}`);
  say(`                        beside views against pages alone ${ratio("views", "pages")}`);
  say(`                        beside requests that are no views against pages alone ${ratio("requests", "pages")}`);
  // What a page costs is taken from the same round's window of pages alone.
  type Round = Record<Kind, Window>;
  const perPage = (one: Round, part: keyof ProcessorTime) => one.pages.processor[part] / one.pages.pages.expected;
  const beside = (one: Round, kind: Kind, part: keyof ProcessorTime) =>
    (one[kind].processor[part] - perPage(one, part) * one[kind].pages.expected) / one[kind].beside.expected;
  const micros = (figure: (one: Round) => number) => {
    const { low, median, high } = quartiles(measured.map((one) => figure(one) * 1_000));
    return `${median.toFixed(0)} (${low.toFixed(0)} to ${high.toFixed(0)})`;
  };
  const costs = (part: keyof ProcessorTime) => ({
    "a page": micros((one) => perPage(one, part)),
    "a request that is no view": micros((one) => beside(one, "requests", part)),
    "a view": micros((one) => beside(one, "views", part)),
    "of it, taking it in": micros((one) => beside(one, "views", part) - beside(one, "requests", part)),
  });
  say("µs of the server's processor");
  console.table({ "all threads": costs("allMs"), "the thread that serves pages": costs("mainMs") });
}
