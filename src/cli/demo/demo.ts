import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { AgentJob } from "#client/answers.ts";
import { createDocentClient } from "#client/client.ts";
import { createApiKey } from "#features/keys/api-keys.ts";
import { loadDocs } from "#docs/tree/page-tree.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { FileChange } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import { demoEnvironment } from "#app/instance/config.ts";
import type { Project } from "#features/projects/project.ts";
import { trimEndOf } from "#lib/trim.ts";
import { type Command, readArguments } from "#cli/command/command.ts";
import { seedExample } from "./demo-example.ts";
import { changesLine, diffExcerpt, visitorsTable, visitsTable } from "./demo-report.ts";
import { startServerProcess } from "./demo-server-process.ts";
import { demoVisits, expectedCounts, makeVisit, requestSite } from "./demo-visits.ts";
import { type CommandIo, writeLine } from "#cli/command/io.ts";
import { createProject } from "#features/projects/projects.ts";
import { cloneProgress } from "#git/transfer/clone-progress.ts";
import { createProgressLine } from "#cli/command/progress.ts";
import { openInstance, type OpenInstance } from "#cli/command/open-instance.ts";

const EXAMPLE_PROMPT = 'Replace "Harbor Cloud" with "Harbor Platform" everywhere and fix the broken links.';
const ANY_REPOSITORY_PROMPT = "Fix the broken links.";
const followUp = (group: string) =>
  `Add a page titled "About this review"${group} with the text "This page was added by a follow-up message to the same agent job, on the same pull request."`;
const COUNT_PATIENCE_MS = 10_000;

export const demo: Command = {
  usage: `docent demo [--keep] [--repo PATH_OR_URL] [--prompt TEXT] [--json]

Starts a server on a free loopback port with a temporary data directory, and shows each feature on a docs repository: an agent job
opens a pull request, a follow-up adds to it, the merged page is published, and its visits are counted.

Options
  --keep               keep the server running and print how to use it (Ctrl-C stops it)
  --repo PATH_OR_URL   use this repository instead of the example
  --prompt TEXT        the job's instruction
  --json               print one JSON object last; progress goes to standard error`,
  async run(args, io) {
    const { values } = readArguments(
      args,
      { keep: { type: "boolean" }, repo: { type: "string" }, prompt: { type: "string" } },
      { min: 0, max: 0, names: "" },
    );
    const say = (line = "") => writeLine(values.json ? io.stderr : io.stdout, line);
    const directory = await mkdtemp(path.join(tmpdir(), "docent-demo-"));
    try {
      const prompt = values.prompt ?? (values.repo === undefined ? EXAMPLE_PROMPT : ANY_REPOSITORY_PROMPT);
      await runDemo(
        { directory, repo: values.repo ?? null, prompt, keep: values.keep ?? false, json: values.json ?? false },
        io,
        say,
      );
    } finally {
      await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    }
  },
};

interface DemoOptions {
  directory: string;
  repo: string | null;
  prompt: string;
  keep: boolean;
  json: boolean;
}

async function runDemo(options: DemoOptions, io: CommandIo, say: (line?: string) => void): Promise<void> {
  const startedAt = performance.now();
  const data = path.join(options.directory, "data");
  const environment = demoEnvironment();
  await using server = await startServerProcess({ dataDirectory: data, environment });
  say(`Docent runs at ${server.baseUrl}\n`);
  await using instance = await openInstance({ data, environment });
  const source = options.repo ?? (await seedExample(path.join(options.directory, "harbor-docs"), io.signal));
  const name = options.repo === null ? "Harbor docs" : nameOf(options.repo);
  say(`1. A project from ${options.repo ?? "examples/harbor-docs"}`);
  using progress = createProgressLine(io);
  const onProgress = (line: string) => {
    const words = cloneProgress(line);
    if (words !== null) progress.show(words);
  };
  const project = await createProject(instance, { name, source, branch: null, signal: io.signal, onProgress });
  progress[Symbol.dispose]();
  const site = { port: server.port, host: `${project.slug}.localhost` };
  const siteUrl = `http://${site.host}:${site.port}/`;
  say(`   ${project.id}, live at ${siteUrl}`);
  const { key } = await createApiKey(
    { ...instance, keysPerHour: instance.config.limits.keysPerHour },
    { projectId: project.id, name: "demo", expiresInDays: 7 },
  );
  const { signal } = io;
  const api = createDocentClient({ baseUrl: server.baseUrl, projectId: project.id, apiKey: key });
  // A local model may need all of a turn's time. After that the job ends, and says why.
  const patienceMs = instance.config.jobs.limits.turnMs + 60_000;
  const follow = async (job: AgentJob) => {
    using progress = createProgressLine(io);
    const onChange = ({ phase }: AgentJob) => progress.show(`   ${PHASES[phase] ?? phase} …`);
    const done = await api.waitForJob(job.id, { signal, timeoutMs: patienceMs, onChange });
    progress[Symbol.dispose]();
    if (done.status !== "completed") {
      throw new AppError(
        "conflict",
        `The job ended as ${done.status}: ${done.error?.message ?? ""} ${done.error?.hint ?? ""}`,
      );
    }
    const [first = "", ...more] = (done.summary ?? "").split("\n").filter(Boolean);
    // A model that changed nothing is quoted in the lines after the first.
    say(`   ${done.status}: ${first.endsWith(":") ? [first, ...more].join(" ") : first.replace(/^- /, "")}`);
    return done;
  };

  say(`\n2. A job: “${options.prompt}”`);
  const first = await follow(await api.createJob({ prompt: options.prompt }, { signal }));
  if (first.prLink) say(`   pull request ${first.prLink}`);
  const before = await reviewOf(instance, project, first);
  if (before) say(`   ${changesLine(before.changes)}\n\n${indent(diffExcerpt(before.patch, io.isTerminal))}`);

  const further = followUp(options.repo === null ? ' under "Guides"' : ""); // the groups of another repository are unknown
  say(`\n3. A follow-up to the same job: “${further}”`);
  const job = await follow(await api.sendMessage(first.id, further, { signal }));
  const review = await reviewOf(instance, project, job);
  if (!job.prLink || !review)
    throw new AppError("conflict", "The job changed no file, so there is no pull request to show.");
  say(`   ${pullRequestWords(first.prLink, job.prLink)}, with ${review.commits.length} commits`);
  for (const commit of review.commits.toReversed()) say(`   ${commit.id.slice(0, 10)} ${commit.subject}`);

  say("\n4. Merge, and the page is live");
  const page = review.page;
  const oldPage = await requestSite(site, { path: page });
  await api.mergeJob(job.id, { signal });
  const livePageChanged = await changesWithin(
    5_000,
    async () => (await requestSite(site, { path: page })).body !== oldPage.body,
  );
  say(`   ${siteUrl.slice(0, -1)}${page} ${livePageChanged ? "shows the change" : "did NOT change"}`);

  say("\n5. Visits");
  const visits = demoVisits(page);
  for (const visit of visits) await makeVisit(site, visit);
  say(indent(visitsTable(visits)));
  const expected = expectedCounts(visits);
  const count = () => api.call("getVisitors", { signal });
  await changesWithin(COUNT_PATIENCE_MS, async () => sameCounts((await count()).totals, expected));
  const visitors = await count();
  say(`\n${indent(visitorsTable(visitors))}`);
  const isRight = sameCounts(visitors.totals, expected);
  say(
    `   ${isRight ? "as counted by hand" : "NOT as counted by hand"}: ${expected.human} human, ${expected.ai} AI, ${expected.total} in all`,
  );

  const final = {
    projectId: project.id,
    baseUrl: server.baseUrl,
    jobs: [job],
    commits: review.commits.length,
    prLink: job.prLink,
    livePageChanged,
    visitors,
  };
  if (options.json) writeLine(io.stdout, JSON.stringify(final));
  if (!livePageChanged || !isRight) throw new AppError("conflict", "The demo did not end as it should; see above.");
  if (options.keep) {
    say(keepText({ ...final, siteUrl, key, data }));
    await new Promise<void>((resolve) => io.signal.addEventListener("abort", () => resolve(), { once: true }));
  } else say(nextText((performance.now() - startedAt) / 1_000));
}

const PHASES: Record<string, string> = {
  queued: "waiting",
  preparing: "preparing",
  running: "the agent works",
  waiting: "waiting for the model",
  validating: "checking the change",
  publishing: "opening the pull request",
  idle: "done",
};

function pullRequestWords(first: string | null, second: string): string {
  if (first === null) return `a pull request ${second}`;
  return first === second ? `the same pull request ${second}` : `another pull request ${second}`;
}

const nextText = (seconds: number) => `
All of it took ${seconds.toFixed(0)} seconds, and nothing of it is left. What next:

  ${command("demo", "--keep").padEnd(38)}  the same once more, to look at in a browser
  ${command("demo", "--repo PATH_OR_URL").padEnd(38)}  with your repository
  ${command("serve", "").padEnd(38)}  a server that stays; README.md has the next steps
`;

/** The command for the user's installation: from a checkout, or as installed by npm. */
const command = (name: string, options: string) =>
  (existsSync(path.join(import.meta.dirname, "demo.ts"))
    ? `npm run ${name}${options && ` -- ${options}`}`
    : `docent ${name} ${options}`
  ).trimEnd();

/** What a reviewer sees: the diff of the job's branch against its base, and the first changed page of the site. */
async function reviewOf(instance: OpenInstance, project: Project, job: AgentJob) {
  const { repoStore } = instance;
  const head = job.source.ref && (await repoStore.resolve(project.id, `refs/heads/${job.source.ref}`));
  const base = await repoStore.resolve(project.id, `refs/heads/${project.branch}`);
  if (!head || !base) return null;
  const changes = await repoStore.changes(project.id, base, head);
  return {
    changes,
    patch: await repoStore.patch(project.id, { base, head }),
    commits: await repoStore.log(project.id, { base, head, limit: 50 }),
    page: await changedPage(instance, project, { head, changes }),
  };
}

async function changedPage(
  { repoStore }: OpenInstance,
  project: Project,
  { head, changes }: { head: string; changes: readonly FileChange[] },
): Promise<string> {
  const docs = await loadDocs(commitSnapshot(repoStore, project.id, head));
  const routes = new Map([...docs.pages.values()].map((page) => [page.path, page.route]));
  const byPreference = [...changes].sort((a, b) => Number(b.status === "modified") - Number(a.status === "modified"));
  for (const change of byPreference) {
    const route = routes.get(change.path);
    if (route !== undefined && route !== "/") return route;
  }
  return "/";
}

async function changesWithin(timeoutMs: number, isSo: () => Promise<boolean>): Promise<boolean> {
  for (const start = Date.now(); Date.now() - start < timeoutMs;) {
    if (await isSo()) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return isSo();
}

const sameCounts = (a: Record<"human" | "ai" | "total", number>, b: Record<"human" | "ai" | "total", number>) =>
  a.human === b.human && a.ai === b.ai && a.total === b.total;

const indent = (text: string) =>
  text
    .split("\n")
    .map((line) => `   ${line}`)
    .join("\n");

const nameOf = (repo: string) =>
  trimEndOf(repo, "/")
    .replace(/(\/repo|\.git)$/, "")
    .split(/[/+]/)
    .at(-1) || "docs";

function keepText(demo: { baseUrl: string; projectId: string; siteUrl: string; key: string; data: string }): string {
  return `
The server goes on running. Ctrl-C ends it and removes its data.

  Site            ${demo.siteUrl}
  Dashboard       ${demo.baseUrl}/sign-in (with the key below)
  API reference   ${demo.baseUrl}/reference
  Data directory  ${demo.data}

  export KEY=${demo.key}
  curl -s ${demo.baseUrl}/v2/agent/${demo.projectId}/job \\
    -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
    -d '{"prompt": "Add missing descriptions."}'
  curl -s ${demo.baseUrl}/v1/analytics/${demo.projectId}/visitors -H "Authorization: Bearer $KEY"
`;
}
