// `npm run mutants`: puts each small mistake of test/mutants/*.json into a copy of the project and runs the tests that
// must see it. `npm run mutants -- WORD …` runs those of an area, or whose file or name holds the word.
// Not StrykerJS: its mutants are made from the syntax, thousands of them, and its runner does not know vitest 5.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { faultsOf, type Mutant, mutate, readMutants } from "#test/mutants/mutants.ts";
import { MUTANTS_COPY, removeAbandoned } from "./abandoned.ts";
import { readCounts } from "./vitest.ts";

/** `broken`: the tests ended without a failed test, by a file that cannot be read or a crash. That proves nothing. */
type Outcome = "caught" | "survived" | "invalid" | "broken";
type Result = { mutant: Mutant; outcome: Outcome; seconds: number };

const root = path.join(import.meta.dirname, "..");
const bin = (name: string) => path.join(root, "node_modules", ".bin", name);
// How many are tried at once, in a copy of the project each. One leaves half of a machine with two cores to others.
const AT_ONCE = Number(process.env["MUTANTS_AT_ONCE"] ?? 2);
const MINUTE_MS = 60_000;
const GREEN_LIMIT_MS = 60 * MINUTE_MS;
/** No list names tests that take more than two minutes. */
const MUTANT_LIMIT_MS = 10 * MINUTE_MS;
const GOAL = 0.9;
// A mistake that makes a test wait for ever is told sooner than by the limits of a whole run. The run without mistakes has
// the same limits.
const VITEST = ["run", "--project", "gate", "--project", "long", "--testTimeout=40000", "--expect.poll.timeout=20000"];
const REPORTERS = ["--reporter=default", "--reporter=./scripts/count-reporter.ts"];

const words = process.argv.slice(2);
const all = readMutants(root);
const areas = new Set(all.map(({ area }) => area));
const isNamed = ({ area, file, name }: Mutant, word: string) =>
  areas.has(word) ? area === word : `${file} ${name}`.includes(word);
const unknown = words.filter((word) => !all.some((mutant) => isNamed(mutant, word)));
if (unknown.length > 0) {
  console.error(`No area, file or name of a mistake has ${unknown.join(", ")}. Areas: ${[...areas].join(", ")}`);
  process.exit(2);
}
const chosen = all.filter((mutant) => words.length === 0 || words.some((word) => isNamed(mutant, word)));
const faults = chosen.flatMap((mutant) => faultsOf(root, mutant));
if (faults.length > 0) throw new Error(faults.join("\n"));
removeAbandoned();
const running = new Set<() => void>();
const copies = Array.from({ length: AT_ONCE }, makeCopy);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => {
    for (const end of running) end();
    removeCopies();
    process.exit(1);
  });
try {
  const greenMs = await expectGreen(chosen);
  // A mistake that hangs is caught as well; a machine that is busy meanwhile catches nothing.
  const limitMs = Math.min(2 * MINUTE_MS + 4 * greenMs, MUTANT_LIMIT_MS);
  const invalid = await withTypeErrors(copies[0] ?? "", chosen);
  const results: Result[] = [];
  const waiting = [...chosen];
  await Promise.all(
    copies.map(async (copy) => {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const startedAt = performance.now();
        const outcome = invalid.has(mutant) ? "invalid" : await tryMutant(copy, mutant, limitMs);
        const seconds = (performance.now() - startedAt) / 1000;
        results.push({ mutant, outcome, seconds });
        const count = `${results.length}/${chosen.length}`;
        console.log(`${count} ${outcome.padEnd(8)} ${mutant.area}: ${mutant.name} (${seconds.toFixed(1)} s)`);
      }
    }),
  );
  process.exitCode = summarize(results) ? 0 : 1;
} finally {
  removeCopies();
}

function removeCopies(): void {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
}

/** The files that git tracks or would track, and the installed packages by hard links: their real path must be the copy's. */
function makeCopy(): string {
  const copy = mkdtempSync(`${MUTANTS_COPY}${process.pid}-`);
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const file of new Set(listed.toString().split("\0").filter(Boolean))) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(copy, file), { force: true });
  }
  execFileSync("cp", ["-al", path.join(root, "node_modules"), path.join(copy, "node_modules")]);
  return copy;
}

async function tryMutant(copy: string, mutant: Mutant, limitMs: number): Promise<Outcome> {
  return await withMistakes(copy, [mutant], async () => {
    const counts = path.join(copy, "counts.json");
    rmSync(counts, { force: true });
    const command = [...VITEST, ...REPORTERS, "--bail=1", ...mutant.tests];
    const { code, isLate, output } = await run({ copy, limitMs }, "vitest", command);
    if (code === 0) return "survived";
    if (isLate || readCounts(counts).hasFailedTest) return "caught";
    console.log(output.slice(-4_000));
    return "broken";
  });
}

async function withMistakes<T>(copy: string, mutants: readonly Mutant[], body: () => Promise<T>): Promise<T> {
  const originals = mutants.map(({ file }) => readFileSync(path.join(copy, file), "utf8"));
  try {
    mutants.forEach((mutant, index) => {
      writeFileSync(path.join(copy, mutant.file), mutate(originals[index] ?? "", mutant));
    });
    return await body();
  } finally {
    mutants.forEach(({ file }, index) => writeFileSync(path.join(copy, file), originals[index] ?? ""));
  }
}

/** A test that fails without a mistake catches nothing. Answers with how long they took. */
async function expectGreen(mutants: readonly Mutant[]): Promise<number> {
  const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))];
  if (tests.length === 0) throw new Error("No mutant was chosen.");
  console.log(`${mutants.length} mistakes; first their ${tests.length} test files without any`);
  const startedAt = performance.now();
  const command = [...VITEST, ...tests];
  const { code, output } = await run({ copy: copies[0] ?? "", limitMs: GREEN_LIMIT_MS }, "vitest", command);
  if (code !== 0) throw new Error(`The tests fail already without a mistake:\n${output.slice(-4_000)}`);
  return performance.now() - startedAt;
}

/** Mistakes that the compiler sees prove nothing. Looked for with one mistake of each file at a time. */
async function withTypeErrors(copy: string, mutants: readonly Mutant[]): Promise<Set<Mutant>> {
  const invalid = new Set<Mutant>();
  const byFile = Map.groupBy(mutants, ({ file }) => file);
  const rounds = Math.max(0, ...[...byFile.values()].map((list) => list.length));
  console.log(`Compiling each mistake: ${rounds} ${rounds === 1 ? "run" : "runs"} of the compiler`);
  for (let round = 0; round < rounds; round += 1) {
    const batch = [...byFile.values()].flatMap((list) => list[round] ?? []);
    const { output } = await withMistakes(copy, batch, () =>
      run({ copy, limitMs: GREEN_LIMIT_MS }, "tsc", ["--pretty", "false"]),
    );
    for (const mutant of batch) if (output.includes(`${mutant.file}(`)) invalid.add(mutant);
  }
  return invalid;
}

function summarize(results: readonly Result[]): boolean {
  const caught = results.filter(({ outcome }) => outcome === "caught").length;
  const survivors = results.filter(({ outcome }) => outcome === "survived");
  const invalid = results.filter(({ outcome }) => outcome === "invalid");
  const broken = results.filter(({ outcome }) => outcome === "broken");
  console.log("");
  for (const { mutant } of broken) console.log(`could not run: ${mutant.area}: ${mutant.name}`);
  for (const { mutant } of invalid) console.log(`does not compile: ${mutant.area}: ${mutant.name}`);
  for (const { mutant } of survivors) {
    console.log(`survived: ${mutant.area}: ${mutant.name}: ${mutant.survives ?? "NO REASON GIVEN"}`);
  }
  const share = caught / Math.max(1, results.length);
  console.log(`${caught} of ${results.length} caught (${(share * 100).toFixed(1)} %), goal ${GOAL * 100} %`);
  const areTried = invalid.length + broken.length === 0;
  return areTried && share >= GOAL && survivors.every(({ mutant }) => mutant.survives !== undefined);
}

/** Runs a tool in a copy of the project, for `limitMs` at most. */
function run(
  { copy: cwd, limitMs }: { copy: string; limitMs: number },
  tool: string,
  args: string[],
): Promise<{ code: number | null; isLate: boolean; output: string }> {
  const counts = path.join(cwd, "counts.json");
  const env = {
    ...process.env,
    NO_COLOR: "1",
    FORCE_COLOR: undefined,
    VITEST_MAX_WORKERS: "1",
    TEST_COUNTS_FILE: counts,
  };
  // A group of its own: a test that fails may leave a server, which would slow down all that follow.
  const child = spawn(bin(tool), args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let output = "";
  const keep = (chunk: string) => (output = (output + chunk).slice(-1_000_000));
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
  const endGroup = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // Nothing of it is left, as after most tests.
    }
  };
  running.add(endGroup);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup();
  }, limitMs);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", () => {
      endGroup();
      running.delete(endGroup);
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, isLate, output });
    });
  });
}
