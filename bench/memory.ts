// How much memory a busy server needs: `npm run bench bench/memory.ts -- [--pages 1500] [--jobs 100] [--views 200000] [--quiet 60]`.
// It starts `docent serve` on a project, opens every page, searches, runs jobs and sends views over HTTP, and prints after each part the memory
// of the server with all its child processes: the proportional set size (Linux, smaps_rollup of proc(5)), now and the most so far, sampled twice a second.
import { execFileSync } from "node:child_process";
import { Agent, request } from "node:http";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { serveProgram } from "#bench/served-program.ts";
import { familyOf, memoryOf as sum, processorSeconds } from "#bench/server-process.ts";
import { callApi, createTestInstance } from "#test/support/instance.ts";

const LIMIT_MB = 512;
const { values } = parseArgs({
  options: {
    pages: { type: "string", default: "1500" },
    jobs: { type: "string", default: "100" },
    views: { type: "string", default: "200000" },
    quiet: { type: "string", default: "60" },
  },
});
const pages = Number(values.pages);
const pathOf = (page: number) => `part-${page % 50}/page-${page}`;

function docs(): Record<string, string> {
  const text = (page: number) =>
    `---\ntitle: Page ${page}\ndescription: About page ${page}\n---\n\n${page % 10 === 0 ? "Ask Quasar about it.\n\n" : ""}` +
    `See [the next one](/${pathOf((page + 1) % pages)}).\n\n## Words\n\n${`Words of page ${page}. `.repeat(120)}\n`;
  return {
    "index.md": "# Start\n",
    ...Object.fromEntries(Array.from({ length: pages }, (_, page) => [`${pathOf(page)}.md`, text(page)])),
  };
}

// As users run it: from its sources a server takes 50 MB more.
execFileSync(process.execPath, [path.join(import.meta.dirname, "..", "scripts", "bundle.mjs")]);
await using instance = await createTestInstance("sqlite", docs(), { DOCENT_AGENT_CALLS_PER_HOUR: "100000" });
await using server = await serveProgram(instance, { DOCENT_TRUSTED_PROXIES: "127.0.0.1" });
const { baseUrl: base, port, pid } = server;
let most = 0;
const sampling = setInterval(() => (most = Math.max(most, sum(familyOf(pid)))), 500);
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
try {
  const { slug } = instance.project;
  const host = `${slug}.localhost:${port}`;

  const get = (target: string, headers: Record<string, string> = {}) =>
    new Promise<number>((resolve, reject) => {
      const sent = request(`${base}${target}`, { agent, headers: { host, ...headers } }, (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode!));
      });
      sent.on("error", reject).end();
    });
  const all = (count: number, one: (index: number) => Promise<unknown>) =>
    mapConcurrently(Array.from({ length: count }, (_, index) => index), 16, one); // oxfmt-ignore

  async function job(number: number): Promise<void> {
    const prompt = `Replace "Quasar" with "Pulsar ${number}" everywhere`;
    const created = await callApi(base, instance, { path: "/job", body: { prompt } });
    for (;;) {
      const { body } = await callApi(base, instance, { path: `/job/${created.body.id}` });
      if (body.status === "completed") return;
      if (body.status !== "active") throw new Error(`The job ended as ${JSON.stringify(body)}`);
      await sleep(50);
    }
  }

  console.log("after                     now MB   most MB   server's processor s   processes");
  const report = async (name: string) => {
    await sleep(2_000);
    const family = familyOf(pid);
    const words = family.map((one) => `${one.name} ${one.megabytes.toFixed(0)}`).join(", ");
    console.log(
      `${name.padEnd(24)} ${sum(family).toFixed(0).padStart(7)} ${most.toFixed(0).padStart(9)} ${processorSeconds(pid).toFixed(1).padStart(22)}   ${words}`,
    );
  };

  await report("the start");
  const wrong = new Set<number>();
  await all(pages, async (page) => {
    const status = await get(`/${pathOf(page)}`);
    if (status !== 200) wrong.add(status);
  });
  if (wrong.size > 0) throw new Error(`Pages were answered with ${[...wrong].join(", ")}.`);
  await report(`${pages} pages`);
  await all(200, (index) => get(`/_docent/search?q=words+${index}`));
  await report("200 searches");
  for (let number = 0; number < Number(values.jobs); number += 4)
    await Promise.all([0, 1, 2, 3].map((offset) => job(number + offset)));
  await report(`${values.jobs} jobs`);
  await all(Number(values.views), (index) =>
    get(`/${pathOf((index * 7) % pages)}`, {
      "user-agent": "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)",
      "x-forwarded-for": `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
    }),
  );
  await report(`${values.views} views`);
  await sleep(Number(values.quiet) * 1_000);
  await report(`${values.quiet} s of quiet`);
  console.log(`Most: ${most.toFixed(0)} MB; the limit is ${LIMIT_MB}.`);
} finally {
  clearInterval(sampling);
  agent.destroy();
}
