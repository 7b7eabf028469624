import { expect, it } from "vitest";
import type { AgentJobBody } from "#features/jobs/http/schemas.ts";
import type { ScriptInput, TurnInput } from "#testing/model-server/script.ts";
import { callApi } from "#test/support/instance.ts";
import { edit, finish, MODEL_KINDS, startModels } from "#test/support/models.ts";
import { startTestServer } from "#test/support/server.ts";

const JOBS = 300;
const OUTAGE_MS = 10 * 60_000;
const PAGE = "index.md";
const FAULTS: NonNullable<TurnInput["faults"]> = [
  { kind: "server_error", times: "always" },
  { kind: "overloaded", times: "always" },
  { kind: "cut", times: "always" },
  { kind: "hang", times: "always" },
];

/** Each provider fails in its own way while `isAway`; then jobs change the page and are done. */
const script = (isAway: boolean): ScriptInput => ({
  conversations: MODEL_KINDS.map((kind, index) => ({
    marker: `Rename it (${kind}).`,
    turns: [{ ...edit(PAGE, "Cloud", "Platform"), faults: isAway ? [FAULTS[index]!] : [] }, finish()],
  })),
});

it("300 jobs wait out ten minutes in which no provider answers, and all end with a pull request", async () => {
  const { models, environment } = await startModels(script(true));
  await using _models = models;
  // It moves by leaps, to when the next job is due.
  let now = Date.now();
  const end = now + OUTAGE_MS;
  await using server = await startTestServer({
    engine: "sqlite",
    files: { [PAGE]: "# Cloud\n" },
    environment: {
      ...environment,
      DOCENT_JOBS_AT_ONCE: "4",
      DOCENT_MODEL_TIMEOUT_SECONDS: "0.3",
      DOCENT_JOB_LEASE_MS: "36000000",
      DOCENT_AGENT_CALLS_PER_HOUR: "1000",
    },
    server: { clock: { now: () => new Date(now) } },
  });
  const { baseUrl, instance } = server;
  for (let job = 0; job < JOBS; job++) {
    const kind = MODEL_KINDS[job % MODEL_KINDS.length];
    const body = { prompt: `Rename it (${kind}).`, model: `${kind}/m` };
    expect((await callApi(baseUrl, instance, { path: "/job", body })).status).toBe(201);
  }
  const jobs = async (): Promise<AgentJobBody[]> => {
    const found: AgentJobBody[] = [];
    for (let query = "?limit=100"; query !== "";) {
      const { body } = await callApi(baseUrl, instance, { method: "GET", path: `/jobs${query}` });
      const { jobs, nextCursor } = body as unknown as { jobs: AgentJobBody[]; nextCursor: string | null };
      found.push(...jobs);
      query = nextCursor === null ? "" : `?limit=100&cursor=${nextCursor}`;
    }
    return found;
  };

  let asked = 0;
  for (let isAway = true; ;) {
    const all = await jobs();
    const active = all.filter(({ status }) => status === "active");
    if (active.length === 0) break;
    if (active.every(({ phase }) => phase === "waiting")) {
      now = Math.max(now, Math.min(...active.map(({ waitingFor }) => Date.parse(waitingFor!.retryAt)))) + 2_000;
      if (isAway && now >= end) {
        isAway = false;
        asked = models.requests.length;
        models.setScript(script(false));
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const ends = (await jobs()).map(({ status, error, pullRequest }) => [status, error, pullRequest?.state]);
  expect(ends).toEqual(Array.from({ length: JOBS }, () => ["completed", null, "open"]));
  // Three calls each time that one job tries, and none for each job that waits.
  expect(asked).toBeLessThan(4 * JOBS);
}, 1_800_000);
