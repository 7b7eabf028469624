// What a page of the dashboard costs on a server that is full: `npm run bench bench/first-page.ts -- [--jobs 1000] [--people 200]
// [--views 10000000] [--rounds 60]`. It fills a data directory, starts a server on it, signs an owner in, and measures for each page the
// time to its last byte, the processor time of the server, and what a browser transfers for it the first time.
import { testVault } from "#testing/vault.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { addPerson } from "#features/accounts/people.ts";
import { setRole } from "#features/accounts/members.ts";
import { createJob } from "#features/jobs/requests/submit.ts";
import { systemClock } from "#lib/clock.ts";
import { hashPassword } from "#lib/secrets/password.ts";
import { createTestInstance, type TestInstance } from "#test/support/instance.ts";
import { buildIndex } from "./visitors/bulk.ts";
import { FIRST_TIME, generateViews } from "./visitors/generate.ts";

const MAX_MS = 50;
const MAX_KB = 60;
const DAY_MS = 86_400_000;
const OWNER = { email: "ada@example.com", password: "correct horse battery" };
const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "1000" },
    people: { type: "string", default: "200" },
    views: { type: "string", default: "10000000" },
    rounds: { type: "string", default: "60" },
  },
});

async function fill({ database, project }: TestInstance): Promise<void> {
  const views = Number(values.views);
  const days = Math.ceil((Date.now() - FIRST_TIME) / DAY_MS);
  const built = await buildIndex(database, generateViews({ views, days, pages: 400, seed: 1 }), views);
  const { kysely } = database;
  await kysely.deleteFrom("analytics_project").where("project_id", "=", project.id).execute();
  await sql`update analytics_project set project_id = ${project.id} where project_id = ${built.projectId}`.execute(kysely); // oxfmt-ignore
  await kysely.deleteFrom("project").where("id", "=", built.projectId).execute();

  const submit = {
    database,
    clock: systemClock,
    redact: String,
    vault: testVault,
    redactFor: async () => String,
    agentCallsPerHour: 1e9,
  };
  const job = { projectId: project.id, model: "docent/builtin-rules", baseRef: "main", draft: false, title: null };
  for (let index = 0; index < Number(values.jobs); index++)
    await createJob(submit, { ...job, prompt: `Replace "Harbor ${index}" with "Harbour ${index}".` }, null);
  await kysely.updateTable("job").set({ status: "completed", done_seq: 1 }).execute();

  const passwordHash = await hashPassword(OWNER.password);
  const at = new Date();
  for (let index = 0; index < Number(values.people); index++) {
    const person = { name: `Person ${index}`, email: `person${index}@example.com`, isOwner: false, passwordHash, at };
    const { id: personId } = await database.transaction((transaction) => addPerson(transaction, person));
    await setRole({ database, clock: systemClock }, { projectId: project.id, personId, role: "editor" });
  }
  const owner = { name: "Ada Writer", email: OWNER.email, isOwner: true, passwordHash, at };
  await database.transaction((transaction) => addPerson(transaction, owner));
}

/** Processor time of the server's process in milliseconds (Linux, proc(5): fields 14 and 15, in hundredths of a second). */
function processorMs(pid: number): number {
  const status = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = status.slice(status.lastIndexOf(")") + 2).split(" ").slice(11, 13); // oxfmt-ignore
  return (Number(user) + Number(system)) * 10;
}

/** One request with compression, as a browser sends it; `bytes` of the body as transferred. */
function get(url: string, cookie: string, accept = "text/html"): Promise<{ ms: number; bytes: number }> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { cookie, accept, "accept-encoding": "gzip" } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        const bytes = parts.reduce((sum, part) => sum + part.length, 0);
        resolve({ ms: performance.now() - started, bytes });
      });
    });
    asked.on("error", reject).end();
  });
}

/** The files that a page loads: styles, scripts and fonts. */
const filesOf = (text: string) => [...new Set([...text.matchAll(/(?:href|src)="(\/_docent\/[^"]+\.(?:css|js|woff2))"/g)].map(([, file]) => file!))]; // oxfmt-ignore

await using instance = await createTestInstance("sqlite", { "index.md": "# Start\n", "guide.md": "# Guide\n" });
await fill(instance);
const program = path.join(import.meta.dirname, "..", "bin", "docent");
const server = spawn(process.execPath, [program, "serve", "--data", instance.data, "--port", "0", "--json"], { stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, ...instance.environment, DOCENT_JOBS_AT_ONCE: "0" } }); // oxfmt-ignore
try {
  const [line] = (await once(createInterface(server.stdout!), "line")) as [string];
  const { port, pid } = JSON.parse(line) as { port: number; pid?: number };
  const base = `http://localhost:${port}`;
  const body = new URLSearchParams({ to: "/", ...OWNER });
  const signedIn = await fetch(`${base}/sign-in`, { method: "POST", body, redirect: "manual", headers: { origin: base } }); // oxfmt-ignore
  const cookie = signedIn.headers.getSetCookie().map((one) => one.split(";", 1)[0]).join("; "); // oxfmt-ignore
  const { slug } = instance.project;
  console.log("page                 median ms   95 % ms   processor ms   page KB   with files KB");
  for (const page of ["/", `/${slug}`, `/${slug}/jobs`, `/${slug}/analytics`, `/${slug}/members`, "/-/people"]) {
    const first = await fetch(base + page, { headers: { cookie } });
    if (first.status !== 200) throw new Error(`${page} answered ${first.status}.`);
    const files = await Promise.all(filesOf(await first.text()).map((file) => get(base + file, cookie, "*/*")));
    const before = processorMs(pid ?? server.pid!);
    const times: number[] = [];
    let bytes = 0;
    for (let round = 0; round < Number(values.rounds); round++) {
      const fetched = await get(base + page, cookie);
      times.push(fetched.ms);
      bytes = fetched.bytes;
    }
    const processor = (processorMs(pid ?? server.pid!) - before) / times.length;
    times.sort((one, other) => one - other);
    const at = (share: number) => times[Math.floor(share * (times.length - 1))]!;
    const whole = bytes + files.reduce((sum, file) => sum + file.bytes, 0);
    const cells = [at(0.5).toFixed(1), at(0.95).toFixed(1), processor.toFixed(1), (bytes / 1_024).toFixed(1), (whole / 1_024).toFixed(1)]; // oxfmt-ignore
    console.log(page.padEnd(20), ...cells.map((cell, index) => cell.padStart([9, 9, 14, 9, 15][index]!)));
  }
  console.log(`Limits: ${MAX_MS} ms, ${MAX_KB} KB for the page.`);
} finally {
  server.kill("SIGTERM");
  await once(server, "exit");
}
