import { mkdir } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { proveTasks } from "./prove.ts";
import { openRepositories } from "./repositories.ts";
import { readResults, tableOf, writePage, writeResult } from "./results.ts";
import { runTasks } from "./run.ts";
import { loadTasks } from "./task.ts";

const HELP = `Gives documentation tasks to a model and checks what it does: a benchmark for choosing a model.

  npm run bench bench/agent -- --model PROVIDER/NAME [--tasks NAMES] [--repositories DIR] [--results FILE] [--page FILE]
  npm run bench bench/agent -- --prove [--tasks NAMES] [--repositories DIR]

  --model         a model that DOCENT_MODELS or a provider's key names, or builtin-rules
  --tasks         beginnings of task names, separated by commas: own, public/vitepress
  --repositories  bare repositories as owner+name or owner/name; without it they are fetched from their addresses
  --results       a line per finished task (default: in bench/.data); tasks that it has are not run again
  --page          the Markdown page to write the results to
  --prove         instead of running a model: shows that the checks pass the right changes and no wrong ones
  --verbose       every check that failed

Exit code 1 when a proof fails; a model's mistakes are results.
`;

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    model: { type: "string" },
    tasks: { type: "string", default: "" },
    repositories: { type: "string" },
    results: { type: "string" },
    page: { type: "string" },
    prove: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help || (values.model === undefined && !values.prove)) {
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 2);
}

/** Data of the benchmarks, which is not committed. */
const DATA = path.join(import.meta.dirname, "..", ".data");
const print = (line: string) => process.stdout.write(`${line}\n`);
const wanted = values.tasks.split(",").filter((name) => name !== "");
const all = await loadTasks();
const tasks = all.filter(({ name }) => wanted.length === 0 || wanted.some((each) => name.startsWith(each)));
if (tasks.length === 0) {
  process.stderr.write(`No task's name begins with ${wanted.join(" or ")}. The tasks are in bench/agent/tasks.\n`);
  process.exit(2);
}
await using repositories = await openRepositories(values.repositories ?? null);
try {
  if (values.prove) await prove();
  else await measure(values.model === "builtin-rules" ? "docent/builtin-rules" : (values.model ?? ""));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (!values.prove) process.stderr.write("Run the command again to continue after the last finished task.\n");
  process.exitCode = 1;
}

async function prove(): Promise<void> {
  let judged = 0;
  let failed = 0;
  for await (const proof of proveTasks(tasks, repositories)) {
    judged += proof.judged;
    if (proof.objections.length > 0) failed += 1;
    print(`${proof.objections.length === 0 ? "ok    " : "NOT OK"} ${proof.task} (${proof.judged} changes)`);
    for (const objection of proof.objections) print(`         ${objection}`);
  }
  print(`${tasks.length - failed} of ${tasks.length} tasks tell right from wrong; ${judged} changes were judged.`);
  if (failed > 0) process.exitCode = 1;
}

async function measure(model: string): Promise<void> {
  const file = values.results ?? path.join(DATA, `agent-${model.replace(/[^A-Za-z0-9.]+/g, "-")}.jsonl`);
  await mkdir(path.dirname(file), { recursive: true });
  const done = (await readResults(file)).filter((result) => result.model === model);
  const left = tasks.filter(({ name }) => !done.some(({ task }) => task === name));
  const results = done.filter(({ task }) => tasks.some(({ name }) => name === task));
  for await (const result of runTasks(left, { repositories, model, environment: process.env })) {
    await writeResult(file, result);
    results.push(result);
    const reasons = result.failures.map(({ check }) => check);
    print(`${result.passed ? "passed" : "failed"} ${result.task} (${result.outcome}, ${(result.ms / 1_000).toFixed(1)} s) ${[...new Set(reasons)].join(", ")}`);
    if (values.verbose) for (const { check, message } of result.failures) print(`         ${check}: ${message}`);
  }
  print(`\n${model}\n\n${tableOf(results)}\n\nResults: ${path.resolve(file)}`);
  if (values.page !== undefined) await writePage(values.page, { model, date: new Date().toISOString().slice(0, 10), results });
} // oxfmt-ignore
