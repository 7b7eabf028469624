import type { AgentJob } from "#client/answers.ts";
import { DocentError } from "#client/docent-error.ts";
import { followEvents } from "#client/follow.ts";
import { JOB, JOB_CHANGES, JOBS } from "./answer-shapes.ts";
import type { JobChanges, JobActions } from "./jobs.ts";
import type { Login } from "./logins.ts";
import { createServer, failure } from "./server.ts";
import type { Onlooker } from "./onlooker.ts";

const PAGE = 100;

/** Jobs over the interface of a server. */
export function jobsAtServer(login: Login, around: Onlooker): JobActions {
  const { ask, askText, transport } = createServer(login, around);
  const agent = `/v2/agent/${encodeURIComponent(login.project)}`;
  const pathOf = (id: string) => `${agent}/job/${encodeURIComponent(id)}`;
  return {
    isServing: true,
    create: (job) => ask({ method: "POST", path: `${agent}/job`, body: job }, JOB),
    async list({ statuses, limit }) {
      const jobs: AgentJob[] = [];
      for (let cursor: string | null = null; jobs.length < limit;) {
        const query = new URLSearchParams(statuses.map((status): [string, string] => ["status", status]));
        query.set("limit", String(Math.min(PAGE, limit - jobs.length)));
        if (cursor !== null) query.set("cursor", cursor);
        const path = `${agent}/jobs?${query.toString()}`;
        const page: { jobs: AgentJob[]; nextCursor: string | null } = await ask({ method: "GET", path }, JOBS);
        jobs.push(...page.jobs);
        cursor = page.nextCursor;
        if (cursor === null) break;
      }
      return jobs;
    },
    find: (id) => ask({ method: "GET", path: pathOf(id) }, JOB),
    message: (id, prompt) => ask({ method: "POST", path: `${pathOf(id)}/message`, body: { prompt } }, JOB),
    cancel: (id, { keepWork }) =>
      ask({ method: "POST", path: `${pathOf(id)}/cancel`, ...(keepWork && { body: { keepWork } }) }, JOB),
    patch: (id) => askText({ method: "GET", path: `${pathOf(id)}/diff`, headers: { Accept: "text/x-diff" } }),
    changes: (id) =>
      ask<JobChanges>(
        { method: "GET", path: `${pathOf(id)}/diff`, headers: { Accept: "application/json" } },
        JOB_CHANGES,
      ),
    merge: (id) => ask({ method: "POST", path: `${pathOf(id)}/merge` }, JOB),
    close: (id) => ask({ method: "POST", path: `${pathOf(id)}/close` }, JOB),
    async *follow(id, { after, signal: until }) {
      try {
        for await (const event of followEvents(transport, pathOf(id), { after, signal: until })) {
          yield { ...event, data: { ...event.data } };
        }
      } catch (error) {
        throw error instanceof DocentError ? failure(error, login) : error;
      }
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}
