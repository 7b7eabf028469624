import { isDeepStrictEqual, parseArgs } from "node:util";
import { startPostgresServer } from "#testing/postgres-server.ts";
import { runStorm, type StormOptions } from "#test/support/storm.ts";

// Jobs of three messages each on two workers, which are killed at random moments and started again; afterwards the
// same jobs undisturbed. Ends with 1 when anything differs.
//
//   npm run bench bench/kill-storm.ts -- [--engine sqlite|postgres] [--kills 40] [--jobs 12] [--seed 1] [--model-ms 100]

const { values } = parseArgs({
  options: {
    engine: { type: "string", default: "sqlite" },
    kills: { type: "string", default: "40" },
    jobs: { type: "string", default: "12" },
    seed: { type: "string", default: "1" },
    "model-ms": { type: "string", default: "100" },
  },
});
const engine = values.engine === "postgres" ? "postgres" : "sqlite";
const size = { jobs: Number(values.jobs), seed: Number(values.seed), modelDelayMs: Number(values["model-ms"]) };
const options: StormOptions = { ...size, engine: "sqlite", kills: 0, timeoutMs: 15 * 60_000 };

await using stack = new AsyncDisposableStack();
const postgres =
  engine === "postgres" ? stack.adopt(await startPostgresServer({ durable: true }), (server) => server.stop()) : null;
const stormy = await runStorm({
  ...options,
  engine,
  kills: Number(values.kills),
  databaseUrl: postgres?.url("postgres"),
});
const calm = await runStorm(options);
const different = stormy.ends.flatMap((end, job) => (isDeepStrictEqual(end, calm.ends[job]) ? [] : [job]));
console.table({
  storm: {
    engine,
    kills: stormy.kills,
    jobs: stormy.ends.length,
    "model calls": stormy.modelCalls,
    seconds: stormy.durationMs / 1000,
  },
  undisturbed: {
    engine: "sqlite",
    kills: 0,
    jobs: calm.ends.length,
    "model calls": calm.modelCalls,
    seconds: calm.durationMs / 1000,
  },
});
const bad = calm.ends.filter(
  (end) => end.status !== "completed" || end.handled !== 3 || end.pullRequests !== 1 || !end.hasTurnDates,
);
for (const job of different) console.error(`job ${job} differs:`, stormy.ends[job], calm.ends[job]);
console.log(
  different.length + bad.length === 0 ? "Every job ended as in the undisturbed run." : "Some jobs ended differently.",
);
process.exitCode = different.length + bad.length === 0 ? 0 : 1;
