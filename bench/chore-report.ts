import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createApiKey } from "#features/keys/api-keys.ts";
import { loadConfig } from "#app/instance/config.ts";
import { checkLinks } from "#docs/links/links.ts";
import { createLinkCache } from "#docs/links/parsed-file.ts";
import { createPageHeads, loadDocs } from "#docs/tree/page-tree.ts";
import { createContentProcess } from "#docs/render/process/content-process.ts";
import { joinContentRoot } from "#docs/routes.ts";
import { openDatabase } from "#db/database.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import type { ObjectId } from "#git/repo-store.ts";
import type { AgentJobBody } from "#features/jobs/http/schemas.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { startServer } from "#main.ts";
import { createProject, saveSettings } from "#features/projects/projects.ts";
import { type Health, healthOf, pagesWithLostCode } from "./chore-report/measure.ts";
import { changedOutside } from "./chore-report/outside.ts";
import { type ChoreCase, chooseCases, GLOSSARY, mostFrequentTerm } from "./chore-report/prompts.ts";

const HELP = `Runs every chore as a job on a copy of a docs repository and says what each did.

  npm run bench bench/chore-report.ts -- --repo PATH [--branch NAME] [--content-root FOLDER] [--only CHORE] [--patches DIR] [--json]

  --only      one chore, by its name
  --patches   keeps each job's change as a patch, to be read
  --json      the figures as JSON
Exit code 1 when a job fails, leaves more broken links or pages that do not parse than there were, or changes what its
instruction does not name.
`;

const { values } = parseArgs({
  options: {
    repo: { type: "string" },
    branch: { type: "string" },
    "content-root": { type: "string" },
    only: { type: "string" },
    patches: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help || values.repo === undefined) {
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 2);
}

interface Row {
  chore: string;
  prompt: string;
  outcome: string;
  files: number;
  added: number;
  removed: number;
  ms: number;
  before: Health;
  after: Health;
  gate: string;
  /** Changed pages in which code differs. */
  lostCode: number;
  /** Files with changes that the instruction does not name. */
  outside: string[];
  summary: string;
}

const directory = await mkdtemp(path.join(tmpdir(), "docent-chores-"));
try {
  const { facts, rows, skipped } = await report(values.repo);
  const bad = rows.filter(isBad);
  if (values.json) process.stdout.write(`${JSON.stringify({ facts, rows, skipped, ok: bad.length === 0 }, null, 2)}\n`);
  else for (const { chore, reason } of skipped) process.stdout.write(`Not run: ${chore}, ${reason}.\n`);
  for (const row of bad) {
    const files = row.outside.length === 0 ? "" : ` (outside: ${row.outside.slice(0, 20).join(", ")})`;
    process.stderr.write(`NOT GOOD: ${row.prompt}: ${row.outcome}: ${row.summary}${files}\n`);
  }
  if (bad.length > 0) process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}

function isBad({ outcome, before, after, outside }: Row): boolean {
  return (
    outcome !== "completed" ||
    outside.length > 0 ||
    after.brokenLinks > before.brokenLinks ||
    after.unparsed > before.unparsed
  );
}

async function report(source: string) {
  const data = path.join(directory, "data");
  const environment = { DOCENT_AGENT_CALLS_PER_HOUR: "100000", DOCENT_JOBS_AT_ONCE: "1" };
  const config = loadConfig({ data, port: 0, logLevel: "silent" }, environment);
  const deps = { clock: systemClock, logger: silentLogger };
  await using database = await openDatabase({ location: config.database, logger: silentLogger, migrate: true });
  await using repoStore = createRepoStore({ root: path.join(data, "repositories"), logger: silentLogger });
  const project = await createProject(
    { database, repoStore, ...deps },
    { name: "Chore report", source, branch: values.branch ?? null },
  );
  const contentRoot = values["content-root"] ?? null;
  if (contentRoot !== null) await saveSettings({ database }, project, { contentRoot });
  const { key } = await createApiKey(
    { database, ...deps, keysPerHour: 10 },
    { projectId: project.id, name: "report", expiresInDays: 7 },
  );
  await using parser = createContentProcess({ logger: silentLogger });
  const caches = { heads: createPageHeads(), links: createLinkCache() };
  const look = async (commit: ObjectId) => {
    const snapshot = commitSnapshot(repoStore, project.id, commit);
    const docs = await loadDocs(snapshot, { heads: caches.heads, contentRoot });
    return { snapshot, docs, links: await checkLinks({ snapshot, docs, parser, cache: caches.links }) };
  };

  const imported = await repoStore.resolve(project.id, `refs/heads/${project.branch}`);
  if (imported === null) throw new Error("The repository has no commit.");
  const history = await repoStore.log(project.id, { base: null, head: imported, limit: 100 });
  const first = await look(imported);
  const term = await mostFrequentTerm(first);
  const base = await addGlossary(imported, term, first.docs.contentRoot);
  const occasion = { ...(await look(base)), parser, history };
  const before = healthOf(occasion.links);
  const facts = {
    source,
    files: (await occasion.snapshot.files()).length,
    pages: occasion.docs.pages.size,
    links: occasion.links.links.length,
    ...before,
    term,
    commits: history.length,
    cores: availableParallelism(),
    load: loadavg().map((value) => Number(value.toFixed(1))),
  };
  if (!values.json) printHead(facts);

  await using server = await startServer(config, { logger: silentLogger });
  const cases = (await chooseCases(occasion, term)).filter(({ chore }) => [chore, undefined].includes(values.only));
  const rows: Row[] = [];
  for (const each of cases) {
    if ("skipped" in each) continue;
    const row = await measureCase(each);
    rows.push(row);
    if (!values.json) printRow(row);
  }
  const skipped = cases.flatMap((each) => ("skipped" in each ? [{ chore: each.chore, reason: each.skipped }] : []));
  return { facts: { ...facts, loadAtEnd: loadavg().map((value) => Number(value.toFixed(1))) }, rows, skipped };

  /** Adds a commit with a term list that cannot be expressed in English. */
  async function addGlossary(parent: ObjectId, from: string, root: string): Promise<ObjectId> {
    const yaml = `terms:\n  - use: ${from} Nova\n    not: [${from}]\n`;
    const edits = [{ path: joinContentRoot(GLOSSARY, root), content: Buffer.from(yaml), mode: "100644" as const }];
    const tree = await repoStore.snapshot(project.id, { base: parent, edits });
    const author = { name: "Chore report", email: "report@docent.invalid" };
    const commit = { tree, parents: [parent], message: "Add a term list", author, at: new Date() };
    const to = await repoStore.commit(project.id, commit);
    await repoStore.updateRef(project.id, { ref: `refs/heads/${project.branch}`, expected: parent, to });
    return to;
  }

  async function measureCase({ chore, prompt }: ChoreCase & { prompt: string }): Promise<Row> {
    const api = `${server.baseUrl}/v2/agent/${project.id}/job`;
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const call = async (at: string, init: RequestInit = {}) =>
      (await fetch(`${api}${at}`, { headers, ...init })).json();
    const start = performance.now();
    let job = (await call("", { method: "POST", body: JSON.stringify({ prompt }) })) as AgentJobBody;
    while (job.status === "active") {
      await sleep(5);
      job = (await call(`/${job.id}`)) as AgentJobBody;
    }
    const ms = Math.round(performance.now() - start);
    const { events } = (await call(`/${job.id}/events?limit=500`)) as {
      events: { type: string; data: { tool?: string; errors?: unknown[]; warnings?: unknown[] } }[];
    };
    const tools = events.filter(({ type }) => type === "tool.started").map(({ data: { tool } }) => tool);
    if (job.status === "completed" && !tools.includes(chore)) throw new Error(`“${prompt}” ran ${tools.join(", ")}.`);
    const gate = events.findLast(({ type }) => type === "validation")?.data;
    const row: Row = {
      chore,
      prompt,
      outcome: job.error?.code ?? job.status,
      files: 0,
      added: 0,
      removed: 0,
      ms,
      before,
      after: before,
      gate: gate
        ? gate.errors?.length
          ? `${gate.errors.length} errors`
          : `passed${gate.warnings?.length ? ", large" : ""}`
        : "nothing to judge",
      lostCode: 0,
      outside: [],
      summary: job.error?.message ?? job.summary ?? "",
    };
    if (!job.pullRequest) return row;
    const { head: branch } = await database.kysely
      .selectFrom("pull_request")
      .select("head")
      .where("project_id", "=", project.id)
      .where("number", "=", job.pullRequest.number)
      .executeTakeFirstOrThrow();
    const head = await repoStore.resolve(project.id, `refs/heads/${branch}`);
    if (head === null) throw new Error(`The branch ${branch} of ${job.pullRequest.url} is gone.`);
    const changes = await repoStore.changes(project.id, base, head);
    const after = await look(head);
    if (values.patches !== undefined)
      await keepPatch(values.patches, { name: `${chore}-${job.pullRequest.number}`, head, job });
    const outside = await changedOutside(
      { chore, prompt },
      { base: occasion.snapshot, head: after.snapshot, changes, term },
    );
    return {
      ...row,
      outside,
      files: changes.length,
      added: changes.reduce((sum, change) => sum + (change.additions ?? 0), 0),
      removed: changes.reduce((sum, change) => sum + (change.deletions ?? 0), 0),
      after: healthOf(after.links),
      lostCode: await pagesWithLostCode(parser, { base: occasion.snapshot, head: after.snapshot, changes }),
    };
  }

  async function keepPatch(folder: string, { name, head, job }: { name: string; head: ObjectId; job: AgentJobBody }) {
    await mkdir(folder, { recursive: true });
    const patch = await repoStore.patch(project.id, { base, head, maxBytes: 256 * 1024 * 1024 });
    await writeFile(path.join(folder, `${name}.patch`), `${job.title ?? ""}\n\n${job.summary ?? ""}\n\n${patch}`);
  }
}

function printHead(facts: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(facts)}\n\n`);
  process.stdout.write(
    "| prompt | outcome | files | lines | time | broken links | unparsed pages | pages with other code | changed outside | gate |\n" +
      "| --- | --- | --: | --: | --: | --: | --: | --: | --: | --- |\n",
  );
}

function printRow(row: Row): void {
  const { prompt, before, after } = row;
  const [line = ""] = prompt.split("\n");
  const cells = [
    line.replaceAll("|", "\\|"),
    row.outcome,
    row.files,
    `+${row.added} −${row.removed}`,
    `${(row.ms / 1_000).toFixed(2)} s`,
    `${before.brokenLinks} → ${after.brokenLinks}`,
    `${before.unparsed} → ${after.unparsed}`,
    row.lostCode,
    row.outside.length,
    row.gate,
  ];
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}
