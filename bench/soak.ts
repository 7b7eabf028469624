// A server under steady load: `npm run bench bench/soak.ts -- [--minutes 60] [--views 200] [--calls 20] [--jobs 2] [--pages 300]`, the
// numbers per second. Requests are sent on time however long the earlier ones take, and a page's time is counted from the moment at which
// it was due. Every tenth pull request is merged. Exits with 1 if an answer is an error, a job does not end with its pull request, or the
// visitors are not those who came.
import { execFileSync } from "node:child_process";
import { Agent, request } from "node:http";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { serveProgram } from "#bench/served-program.ts";
import { familyOf, memoryOf } from "#bench/server-process.ts";
import { callApi, createTestInstance, type TestInstance } from "#test/support/instance.ts";

const LIMIT_MS = 50;
const TICK_MS = 5;
const PEOPLE = 20_000;
const DAY_MS = 86_400_000;
const MERGED = 10;
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    views: { type: "string", default: "200" },
    calls: { type: "string", default: "20" },
    jobs: { type: "string", default: "2" },
    pages: { type: "string", default: "300" },
  },
});
const pages = Number(values.pages);
const limits = { DOCENT_AGENT_CALLS_PER_HOUR: "10000000", DOCENT_ANALYTICS_CALLS_PER_HOUR: "10000000" };

function docs(): Record<string, string> {
  const text = (page: number) =>
    `---\ntitle: Page ${page}\ndescription: About page ${page}\n---\n\nSee [the next one](/page-${(page + 1) % pages}).\n\n## Words\n\n${`Words of page ${page}. `.repeat(120)}\n`;
  return { "index.md": "# Start\n", ...Object.fromEntries(Array.from({ length: pages }, (_, page) => [`page-${page}.md`, text(page)])) }; // oxfmt-ignore
}

const textOf = (error: unknown) => JSON.stringify(error);
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const quantile = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;

execFileSync(process.execPath, [path.join(import.meta.dirname, "..", "scripts", "bundle.mjs")]);
await using instance = await createTestInstance("sqlite", docs(), limits);
await using server = await serveProgram(instance, { DOCENT_TRUSTED_PROXIES: "127.0.0.1" });
const problems = new Map<string, number>();
const fail = (what: string): void => void problems.set(what, (problems.get(what) ?? 0) + 1);
const agent = new Agent({ keepAlive: true, maxSockets: 128 });
const startedAt = Date.now();
const sent = { views: 0, calls: 0, jobs: 0, merges: 0 };
const jobs: string[] = [];

console.log("minute  views   API calls  jobs    page ms: median  99 %    most   memory MB");
await load(Number(values.minutes) * 60_000);
await checkJobs(instance);
await checkVisitors(instance);
agent.destroy();
for (const [what, count] of problems) console.log(`${count} times: ${what}`);
console.log(problems.size === 0 ? "No error." : "There were errors.");
process.exitCode = problems.size === 0 ? 0 : 1;

/** Sends everything at its time, and prints a line every minute. */
async function load(durationMs: number): Promise<void> {
  const under = new Set<Promise<unknown>>();
  const run = (work: Promise<unknown>) => {
    const watched = work.catch((error: unknown) => fail(String(error))).finally(() => under.delete(watched));
    under.add(watched);
  };
  const begin = performance.now();
  const done = { views: 0, calls: 0, jobs: 0 };
  let times: number[] = [];
  let nextLine = Math.min(60_000, durationMs);
  for (let now = 0; now < durationMs; now = performance.now() - begin) {
    const due = (perSecond: string | undefined) => Math.floor((now / 1_000) * Number(perSecond));
    for (; done.views < due(values.views); done.views++)
      run(view(done.views, begin + (done.views / Number(values.views)) * 1_000, times));
    for (; done.calls < due(values.calls); done.calls++) run(call(done.calls));
    for (; done.jobs < due(values.jobs); done.jobs++) run(startJob(done.jobs));
    if (now >= nextLine) {
      report(nextLine / 60_000, times);
      times = [];
      nextLine += 60_000;
    }
    await sleep(TICK_MS);
  }
  await Promise.all(under);
  report(durationMs / 60_000, times);
}

function report(minute: number, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const [middle, most99, most] = [0.5, 0.99, 0.999_999].map((share) => quantile(sorted, share).toFixed(1));
  const counts = `${String(sent.views).padStart(7)} ${String(sent.calls).padStart(9)} ${String(sent.jobs).padStart(7)}`;
  const memory = memoryOf(familyOf(server.pid)).toFixed(0);
  console.log(
    `${minute.toFixed(1).padStart(6)} ${counts} ${middle!.padStart(16)} ${most99!.padStart(8)} ${most!.padStart(7)} ${memory.padStart(9)}   limit of 99 %: ${LIMIT_MS} ms`,
  );
}

/** An assistant reads a page for one of many people. */
async function view(number: number, dueAt: number, times: number[]): Promise<void> {
  const person = number % PEOPLE;
  sent.views++;
  const status = await new Promise<number>((resolve, reject) => {
    const headers = {
      host: `${instance.project.slug}.localhost:${server.port}`,
      "user-agent": "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)",
      "x-forwarded-for": `10.1.${person >> 8}.${person & 255}`,
    }; // oxfmt-ignore
    const asked = request(`${server.baseUrl}/page-${(number * 7) % pages}`, { agent, headers }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode!));
    });
    asked.on("error", reject).end();
  });
  times.push(performance.now() - dueAt);
  if (status !== 200) fail(`a page was answered with ${status}`);
}

/** What a dashboard of the team's own asks for. */
async function call(number: number): Promise<void> {
  const paths = ["/jobs?limit=20", jobs.length > 0 ? `/job/${jobs[number % jobs.length]}` : "/jobs"];
  sent.calls++;
  const { status, body } = await callApi(server.baseUrl, instance, { path: paths[number % paths.length]! });
  if (status !== 200) fail(`a call was answered with ${status} ${textOf(body.error)}`);
}

async function startJob(number: number): Promise<void> {
  const chore = { page: `page-${number % pages}`, key: "description", value: `About page ${number % pages}, ${number}` };
  const chores = [{ set_front_matter: chore }];
  const { status, body } = await callApi(server.baseUrl, instance, { path: "/job", body: { chores } });
  if (status !== 201 && status !== 200) return fail(`a job was answered with ${status} ${textOf(body.error)}`);
  sent.jobs++;
  jobs.push(body.id);
  if (number % MERGED !== 0) return;
  const ended = await endOf(instance, body.id);
  if (ended.status !== "completed") return; // told later
  const merged = await callApi(server.baseUrl, instance, { path: `/job/${body.id}/merge`, body: {} });
  if (merged.status === 200) sent.merges++;
  else fail(`a merge was answered with ${merged.status} ${textOf(merged.body.error)}`);
} // oxfmt-ignore

async function endOf(caller: TestInstance, id: string) {
  for (;;) {
    const { body } = await callApi(server.baseUrl, caller, { path: `/job/${id}` });
    if (body.status !== "active") return body;
    await sleep(500);
  }
}

/** Each job has its own pull request. */
async function checkJobs(caller: TestInstance): Promise<void> {
  const links = new Set<string>();
  for (const id of jobs) {
    const { status, prLink } = await endOf(caller, id);
    if (status !== "completed" || prLink === null) fail(`a job ended as ${status} with the pull request ${prLink}`);
    else links.add(prLink);
  }
  if (links.size !== jobs.length) fail(`${jobs.length} jobs have ${links.size} pull requests`);
  console.log(`${jobs.length} jobs with ${links.size} pull requests, ${sent.merges} merged.`);
}

/** Counts are exact, so they are those of the addresses that came. */
async function checkVisitors({ project, key }: TestInstance): Promise<void> {
  const url = `${server.baseUrl}/v1/analytics/${project.id}/visitors?dateFrom=${dayOf(startedAt)}&dateTo=${dayOf(Date.now() + DAY_MS)}`;
  const expected = Math.min(sent.views, PEOPLE);
  let counted = 0;
  for (const until = Date.now() + 60_000; counted < expected && Date.now() < until; await sleep(1_000)) {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    counted = ((await answer.json()) as { totals: { ai: number } }).totals.ai;
  }
  if (counted !== expected) fail(`${expected} visitors came, and ${counted} are counted`);
  console.log(`${counted} visitors of ${sent.views} views.`);
}
