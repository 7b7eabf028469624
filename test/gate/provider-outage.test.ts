import { expect, it } from "vitest";
import { openedOnce } from "#testing/opened-once.ts";
import type { AgentJobBody } from "#features/jobs/http/schemas.ts";
import type { ScriptInput, TurnInput } from "#testing/model-server/script.ts";
import { callApi } from "#test/support/instance.ts";
import { edit, finish, MODEL_KINDS } from "#test/support/models.ts";
import { startScriptedServer } from "#test/support/server.ts";

// A provider that is away delays jobs and fails none. The clock is moved; the calls and their short retries are real.

const PAGE = "docs/index.md";
const FILES = {
  "docs/docs.json": '{"name": "Docs", "navigation": {"pages": ["index"]}}\n',
  [PAGE]: "# Start\n\nHarbor Cloud, harbour.\n",
};
type Faults = NonNullable<TurnInput["faults"]>;
const OUTAGES: Record<(typeof MODEL_KINDS)[number], Faults> = {
  anthropic: [{ kind: "overloaded", times: "always", retryAfterSeconds: 0.02 }],
  openai: [{ kind: "server_error", times: "always", retryAfterSeconds: 0.02 }],
  google: [{ kind: "rate_limited", times: "always", retryAfterSeconds: 90 }],
  "openai-compatible": [{ kind: "hang", times: "always" }],
};

/** Two steps and the end; with `faults` the provider is away from the second step on. */
const script = (faults: Partial<typeof OUTAGES>): ScriptInput => ({
  conversations: MODEL_KINDS.flatMap((kind) => {
    const away = faults[kind] ?? [];
    const first = edit(PAGE, "Harbor Cloud", "Harbor Platform");
    return [
      { marker: `Rename on ${kind}.`, turns: [first, { ...edit(PAGE, "harbour", "port"), faults: away }, finish()] },
      { marker: `Later on ${kind}.`, turns: [{ ...first, faults: away }, finish()] },
    ];
  }),
});

// Jobs that wait for the same moment are spread over it.
const SPREAD_MS = 2_000;

// It stands still, so that nothing is due before the test says so.
let now = Date.now();
const server = openedOnce(() =>
  startScriptedServer({
    engine: "sqlite",
    files: FILES,
    script: script(OUTAGES),
    environment: {
      DOCENT_JOBS_AT_ONCE: "4",
      DOCENT_MODEL_TIMEOUT_SECONDS: "0.3",
      DOCENT_JOB_LEASE_MS: "36000000",
    },
    server: { clock: { now: () => new Date(now) } },
  }),
);

const create = async (prompt: string, model: string) =>
  (await callApi(server().baseUrl, server().instance, { path: "/job", body: { prompt, model } })).body as AgentJobBody;
const read = async (id: string) =>
  (await callApi(server().baseUrl, server().instance, { method: "GET", path: `/job/${id}` })).body as AgentJobBody;
const untilWaiting = (jobs: readonly AgentJobBody[]) =>
  expect
    .poll(async () => (await Promise.all(jobs.map(({ id }) => read(id)))).map(({ phase }) => phase), {
      timeout: 20_000,
    })
    .toEqual(jobs.map(() => "waiting"));

/** The job at its end; the clock goes to the time when its provider is asked again. */
async function atEnd(id: string): Promise<AgentJobBody> {
  const job = await read(id);
  if (job.status !== "active") return job;
  const retryAt = Date.parse(job.waitingFor?.retryAt ?? "") + SPREAD_MS;
  if (retryAt > now) now = retryAt;
  await new Promise((resolve) => setTimeout(resolve, 200));
  return atEnd(id);
}

it("keeps jobs waiting, says for which provider, retries rarely, and continues from the last step", async () => {
  server().models.setScript(script(OUTAGES));
  const running = await Promise.all(MODEL_KINDS.map((kind) => create(`Rename on ${kind}.`, `${kind}/m`)));
  await untilWaiting(running);
  const queued = await Promise.all(MODEL_KINDS.map((kind) => create(`Later on ${kind}.`, `${kind}/m`)));
  await untilWaiting(queued);
  const anthropic = await read(running[0]!.id);
  expect(anthropic).toMatchObject({ status: "active", usage: { steps: 1 }, waitingFor: { provider: "anthropic" } });
  expect(anthropic.waitingFor!.reason).toMatch(/could not answer \(529\)/);
  // The queued ones have not asked: their provider is known to be away.
  const asked = server().models.requests.filter((request) => JSON.stringify(request.body).includes("Later on"));
  expect(asked).toEqual([]);

  now += 40 * 60_000;
  const { retryAt } = anthropic.waitingFor!;
  await expect
    .poll(async () => (await read(running[0]!.id)).waitingFor?.retryAt, { timeout: 20_000 })
    .not.toBe(retryAt);

  server().models.setScript(script({}));
  for (const { id } of [...running, ...queued]) {
    const job = await atEnd(id);
    expect(job).toMatchObject({ status: "completed", error: null, phase: "idle", waitingFor: null });
    expect(job.pullRequest).toMatchObject({ state: "open" });
  }
  // Forty minutes are more than a turn may take, and no step was asked for twice.
  expect((await read(running[0]!.id)).usage.steps).toBe(3);
}, 60_000);

it("ends a job that has waited for an hour, keeps its work, and can be retried", async () => {
  server().models.setScript(script({ anthropic: OUTAGES.anthropic }));
  const { id } = await create("Rename on anthropic.", "anthropic/m");
  await untilWaiting([await read(id)]);
  now += 61 * 60_000;
  const failed = await atEnd(id);
  expect(failed).toMatchObject({ status: "failed", error: { code: "model_error" }, pullRequest: { draft: true } });
  expect(failed.error!.message).toMatch(/529.*waited for 6\d minutes/);

  const retry = () => callApi(server().baseUrl, server().instance, { method: "POST", path: `/job/${id}/retry` });
  server().models.setScript({ conversations: [{ marker: "*", turns: [edit(PAGE, "harbour", "port"), finish()] }] });
  expect(await retry()).toMatchObject({ status: 200, body: { status: "active", error: null } });
  const done = await atEnd(id);
  expect(done).toMatchObject({ status: "completed", lastMessage: { seq: 2 }, pullRequest: { state: "open" } });
  const refused = await retry();
  expect(refused.status).toBe(409);
  expect(JSON.stringify(refused.body)).toContain("This one is completed.");
}, 60_000);
