import { readdir, readFile } from "node:fs/promises";
import { get } from "node:http";
import path from "node:path";
import { parseArgs } from "node:util";
import { queryViews } from "#features/visitors/reports/counts.ts";
import { createTestInstance } from "#test/support/instance.ts";
import { startProcess } from "#test/support/processes.ts";
import { milliseconds, quartiles, trimmedMean } from "./measure.ts";
import { ensureWrk, loadPages, type Slice } from "./page-load.ts";
import { pageRequest, refusedRequest, viewRequest } from "./page-requests.ts";
import { keepApart } from "./processor-core.ts";

// The cost of collecting views for a server that serves as many pages as it can. Three kinds of load alternate in short slices:
// only pages; pages and views; pages and as many requests that are not views.
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "1200" },
    // `README.md` explains both. The start of a slice is not measured.
    milliseconds: { type: "string", default: "80" },
    uncounted: { type: "string", default: "30" },
    views: { type: "string", default: "1000" },
    connections: { type: "string", default: "128" },
    postgres: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const perSecond = Number(values.views);
const sliceSeconds = Number(values.milliseconds) / 1_000;
const leadSeconds = Number(values.uncounted) / 1_000;
/** A slice that was delayed for longer has too few measurements: its round is dropped. */
const leastSeconds = (sliceSeconds - leadSeconds) / 2;
const say = (text: string) => process.stdout.write(`${text}\n`);

const KINDS = ["pages", "requests", "views"] as const;
type Kind = (typeof KINDS)[number];
/**
 * In this sequence of orders each kind follows each other one equally often, and never itself: some work of a slice is done
 * in the next.
 */
const ORDERS: Kind[][] = [
  ["pages", "requests", "views"],
  ["pages", "views", "requests"],
  ["views", "requests", "pages"],
  ["requests", "pages", "views"],
  ["requests", "views", "pages"],
  ["views", "pages", "requests"],
];
/** Rounds that are sent together: some seconds. */
const BATCH = ORDERS.length * Math.max(1, Math.round(12 / (ORDERS.length * KINDS.length * sliceSeconds)));

interface Measured extends Slice {
  /** The requests of `beside` that also received a page: an agent's view is the Markdown that it receives. */
  markdown: number;
}

await ensureWrk();
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

await keepApart(pid);
const paths = await findPages();
const measured: Record<Kind, Measured>[] = [];
let sent = 0;
let latencies: { medianMs: number; p99Ms: number }[] = [];
await sendBatch(); // warm-up of caches and compiler: not measured
latencies = [];
while (measured.length < rounds) {
  measured.push(...(await sendBatch()));
  process.stderr.write(`${measured.length} of ${rounds} rounds\n`);
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
const counted = totals.human + totals.ai;
say(`counted ${counted} of ${sent} views`);
if (counted !== sent) process.exitCode = 1;

async function findPages(): Promise<string[]> {
  const routes = Object.keys(files)
    .filter((name) => /\.mdx?$/.test(name) && !/^(?:AGENTS|snippets)/.test(name))
    .map((name) => `/${name.replace(/\.mdx?$/, "").replace(/(?:^|\/)index$/, "")}`);
  for (const route of routes) {
    const status = await new Promise((resolve, reject) => {
      const request = { host: "127.0.0.1", port, path: route, headers: { host } };
      get(request, (answer) => resolve(answer.resume().statusCode)).on("error", reject);
    });
    if (status !== 200) throw new Error(`${route} is answered with ${String(status)}`);
  }
  return routes;
}

async function sendBatch(): Promise<Record<Kind, Measured>[]> {
  // One additional round at the start, which is not measured: the connections are new.
  const slices = [
    ORDERS.at(-1)!,
    ...Array.from({ length: BATCH }, (_, round) => ORDERS[round % ORDERS.length]!),
  ].flat();
  const most = Math.ceil(perSecond * sliceSeconds * (BATCH + 1) * 1.1);
  // Generated in advance: a sender that is busy generating them sends fewer pages, and the server would seem slower.
  const views = Array.from({ length: most }, () => viewRequest(host, paths));
  const result = await loadPages({
    port,
    connections: Number(values.connections),
    pages: paths.map((route) => pageRequest(host, route)),
    besides: {
      pages: [],
      requests: Array.from({ length: most }, () => refusedRequest(host, paths)),
      views: views.map(({ text }) => text),
    },
    slices,
    sliceSeconds,
    leadSeconds,
    perSecond,
    server: pid,
  });
  const expected = result.slices.reduce((sum, { kind, sent }) => sum + (kind === "requests" ? sent : 0), 0);
  if (result.failed > 0 || result.refused !== expected) {
    throw new Error(`${result.failed} requests failed, ${result.refused} were refused and not ${expected}`);
  }
  latencies.push(result);
  let used = 0;
  const all = result.slices.map((slice): Measured => {
    if (slice.kind !== "views") return { ...slice, markdown: 0 };
    used += slice.sent;
    const markdown = views.slice(used - slice.beside, used).filter(({ isMarkdown }) => isMarkdown).length;
    return { ...slice, markdown };
  });
  sent += used;
  const rounds = Array.from({ length: BATCH }, (_, round) => {
    const start = (round + 1) * KINDS.length;
    const ofRound = all.slice(start, start + KINDS.length).map((slice) => [slice.kind, slice] as const);
    return Object.fromEntries(ofRound) as Record<Kind, Measured>;
  });
  return rounds.filter((round) => KINDS.every((kind) => round[kind].seconds >= leastSeconds));
}

function report(): void {
  const names = { pages: "pages alone", requests: "and requests that are no views", views: "and views" };
  const total = (kind: Kind, figure: (slice: Measured) => number) =>
    measured.reduce((sum, one) => sum + figure(one[kind]), 0);
  const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
  console.table(
    Object.fromEntries(
      KINDS.map((kind) => {
        const seconds = total(kind, (slice) => slice.seconds);
        const row = {
          "HTML pages/s": Math.round(total(kind, ({ pages }) => pages) / seconds),
          "Markdown pages/s": Math.round(total(kind, ({ markdown }) => markdown) / seconds),
          "beside/s": Math.round(total(kind, ({ beside }) => beside) / seconds),
          "serving thread busy": percent(total(kind, ({ threadMs }) => threadMs) / seconds / 1_000),
        };
        return [names[kind], row];
      }),
    ),
  );
  // Of logarithms, because the mean of ratios of noisy numbers is too large, and trimmed, because some slices are twice as slow
  // when other virtual machines need the shared L3 cache.
  const rate = (slice: Measured, figure: (slice: Measured) => number) => figure(slice) / slice.seconds;
  const ratioOf = (kind: Kind, to: Kind, figure: (slice: Measured) => number) => {
    const logs = measured.map((one) => Math.log(rate(one[kind], figure) / rate(one[to], figure)));
    const { low, high } = quartiles(logs);
    const { mean, error } = trimmedMean(logs);
    const inSum = (of: Kind) => total(of, figure) / total(of, ({ seconds }) => seconds);
    const share = Math.exp(mean);
    return { share, off: share * error, low: Math.exp(low), high: Math.exp(high), inSum: inSum(kind) / inSum(to) };
  };
  const ratio = (kind: Kind, to: Kind, figure: (slice: Measured) => number) => {
    const { share, off, low, high, inSum } = ratioOf(kind, to, figure);
    const scatter = `half of the rounds ${percent(low)} to ${percent(high)}; all slices in sum ${percent(inSum)}`;
    return `${percent(share)} ± ${percent(off)} (${scatter})`;
  };
  const html = ({ pages }: Measured) => pages;
  const all = ({ pages, markdown }: Measured) => pages + markdown;
  say(`pages a second in each of ${measured.length} rounds, ± for 95 %:`);
  say(`  all pages beside views against pages alone   ${ratio("views", "pages", all)}`);
  say(`  only HTML beside views against pages alone   ${ratio("views", "pages", html)}`);
  say(`  pages beside requests against pages alone    ${ratio("requests", "pages", html)}`);
  // The thread is always busy: the pages that are missing in a second show the cost of the other requests.
  const cost = (kind: Kind) => {
    const { share, off } = ratioOf(kind, "pages", html);
    const micros = (of: number) => ((of * 1e6) / perSecond).toFixed(1);
    return `${micros(1 - share)} ± ${micros(off)} µs`;
  };
  const perPage = total("pages", ({ threadMs }) => threadMs) / total("pages", html);
  say(
    `of the thread that serves pages: a page ${(perPage * 1_000).toFixed(1)} µs, a view ${cost("views")}, ` +
      `a request that is none ${cost("requests")}`,
  );
  const median = quartiles(latencies.map(({ medianMs }) => medianMs)).median;
  const slowest = Math.max(...latencies.map(({ p99Ms }) => p99Ms));
  say(`answers of all kinds: median ${milliseconds(median)} ms, 99 % at most ${milliseconds(slowest)} ms`);
}
