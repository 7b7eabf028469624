import { testVault } from "#testing/vault.ts";
import { expect, it } from "vitest";
import { openDatabase } from "#db/database.ts";
import { silentLogger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { insertTestProject } from "#testing/projects.ts";
import { claimJob, readClaims } from "#features/jobs/queue/queue.ts";
import { createJob } from "#features/jobs/requests/submit.ts";
import { startDeadWorkerCheck } from "./dead-workers.ts";

it("the jobs of a node that lost its connection can be claimed again, and those of the others cannot", async () => {
  await using made = new AsyncDisposableStack();
  const url = new Secret(made.use(await createTestDatabase()).url);
  const open = () => openDatabase({ location: { engine: "postgres", url }, logger: silentLogger, migrate: true });
  const database = made.use(await open());
  const other = await open();
  const deps = { database, clock: { now: () => new Date() }, logger: silentLogger };
  const projectId = await insertTestProject(database);
  const submit = {
    ...deps,
    redact: (text: string) => text,
    vault: testVault,
    redactFor: async () => String,
    agentCallsPerHour: 100,
  };
  const request = { projectId, model: "docent/builtin-rules", baseRef: "main", draft: false, title: null };
  const claimAs = (owner: string | null) => claimJob(deps, { owner: owner!, leaseMs: 3_600_000 });
  for (const prompt of ["One.", "Two.", "Three."]) await createJob(submit, { ...request, prompt }, null);

  const own = (await claimAs(database.nodeId))!;
  const lost = (await claimAs(other.nodeId))!;
  const older = (await claimAs("wrk_of_a_version_without_sessions"))!;
  expect(await claimAs(database.nodeId)).toBeNull();
  await using _ = startDeadWorkerCheck(deps, { everyMs: 20 });
  await other[Symbol.asyncDispose]();

  await expect.poll(() => claimAs(database.nodeId)).toMatchObject({ jobId: lost.jobId, deaths: 1 });
  expect([...(await readClaims(deps, [own, lost, older])).keys()].sort()).toEqual([own.jobId, older.jobId].sort());
});
