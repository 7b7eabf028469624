// What a large installation needs: `npm run bench bench/capacity.ts -- [--projects 10000] [--views 1000000000] [--jobs 1000000]
// [--run projects=1000,jobs=200,views=1000000 [--pages 50] [--idle 60]] [--ASSUMPTION N …] [--price-core 10] [--price-disk 0.1] [--price-database 2]`. Views and
// jobs are those of a month. `--idle 660` watches servers without work for 11 minutes, so that a look at all projects is among it.
// It multiplies measured costs, each printed with its source, and says what was assumed. `--run` measures costs on this machine first.
import { parseArgs } from "node:util";
import { type Costs, MEASURED } from "./capacity/costs.ts";
import { type Assumptions, capacityFor, moneyFor } from "./capacity/model.ts";
import { runJobs, runProjects } from "./capacity/run-server.ts";
import { runViews } from "./capacity/run-views.ts";

const ASSUMED: Record<keyof Assumptions, [number, string]> = {
  peak: [4, "the busiest hour, in multiples of the average one"],
  busy: [0.5, "share of a core that is used at the peak"],
  steps: [12, "steps of a model per job"],
  stepSeconds: [8, "seconds that a model takes for a step"],
  stepBytes: [10_000, "bytes that a step adds to the transcript"],
  months: [12, "months that jobs and views are kept"],
  warm: [0.1, "share of the sites that are in use at the same time"],
};
const PRICES = {
  "price-core": [10, "USD a month for a virtual core with 4 GB: a round figure, not the price of a provider"],
  "price-disk": [0.1, "USD a month for a GB of disk: a round figure"],
  "price-database": [2, "a database server costs as much as so many nodes: a round figure"],
} satisfies Record<string, [number, string]>;
const { values } = parseArgs({
  options: {
    projects: { type: "string", default: "10000" },
    views: { type: "string", default: "1000000000" },
    jobs: { type: "string", default: "1000000" },
    pages: { type: "string", default: "50" },
    run: { type: "string", default: "" },
    idle: { type: "string", default: "60" },
    ...Object.fromEntries([...Object.keys(ASSUMED), ...Object.keys(PRICES)].map((name) => [name, { type: "string" as const }])),
  },
}); // oxfmt-ignore
const given = values as Record<string, string | undefined>;
const valueOf = (name: string, fallback: number) => Number(given[name] ?? fallback);
const say = (text = "") => process.stdout.write(`${text}\n`);
const short = (value: number) => (value >= 100 ? Math.round(value) : Number(value.toPrecision(3))).toLocaleString("en");

const runs = Object.fromEntries(given["run"]!.split(",").filter(Boolean).map((one) => one.split("="))) as Record<string, string>; // oxfmt-ignore
const pages = Number(values.pages);
const measured: Partial<Costs> = {
  ...(runs["projects"] &&
    (await runProjects(Number(runs["projects"]), { pages, idleMs: Number(values.idle) * 1_000 }))),
  ...(runs["jobs"] && (await runJobs(Number(runs["jobs"]), pages))),
  ...(runs["views"] && (await runViews(Number(runs["views"])))),
};
const costs: Costs = { ...MEASURED, ...measured };
const load = { projects: Number(values.projects), views: Number(values.views), jobs: Number(values.jobs) };
const assumptions = Object.fromEntries(Object.entries(ASSUMED).map(([name, [fallback]]) => [name, valueOf(name, fallback)])) as unknown as Assumptions; // oxfmt-ignore
const needed = capacityFor(load, costs, assumptions);
const priceOf = (name: keyof typeof PRICES) => valueOf(name, PRICES[name][0]);
const money = moneyFor(needed, {
  core: priceOf("price-core"),
  disk: priceOf("price-disk"),
  database: priceOf("price-database"),
});

say(`Measured (those of this run are marked *)`);
for (const [name, { value, unit, source }] of Object.entries(costs))
  say(`${name in measured ? "*" : " "} ${name.padEnd(14)} ${short(value).padStart(9)} ${unit.padEnd(22)} ${source}`);
say(`\nAssumed`);
for (const [name, [fallback, what]] of [...Object.entries(ASSUMED), ...Object.entries(PRICES)])
  say(`  ${name.padEnd(14)} ${short(valueOf(name, fallback)).padStart(9)} ${what}`);
say(
  `\nExtrapolated: ${short(load.projects)} projects, ${short(load.views)} views and ${short(load.jobs)} jobs a month`,
);
const { seconds, databaseGb } = needed;
const rows: [string, number, string][] = [
  ["at the peak", needed.viewsPerSecond, "views a second"],
  ["", needed.jobsPerSecond, "jobs started a second"],
  ["", needed.running, "jobs that run at the same time"],
  ["cores used", seconds.pages, "pages"],
  ["", seconds.views, "views"],
  ["", seconds.jobs, "jobs"],
  ["", seconds.projects, "projects that nobody uses"],
  ["nodes", needed.web, "web nodes of two virtual cores"],
  ["", needed.workers, "workers of two virtual cores"],
  ["memory", needed.memoryGb, "GB in all nodes"],
  ["database", databaseGb.views, "GB of views"],
  ["", databaseGb.jobs, "GB of jobs"],
  ["", databaseGb.projects, "GB of projects"],
  ["repositories", needed.repositoriesGb, "GB"],
  ["money a month", money.nodes, "USD for nodes"],
  ["", money.database, "USD for the database server"],
  ["", money.disk, "USD for disks"],
];
for (const [group, value, what] of rows) say(`  ${group.padEnd(14)} ${short(value).padStart(9)} ${what}`);
say(
  `\nNot in it: models, traffic, backups, object storage, replicas of the database. Costs are those of SQLite where it says so;`,
);
say(
  `PostgreSQL stores rows and indexes in more bytes. Nothing here was run at this size: see bench/README.md for what was.`,
);
