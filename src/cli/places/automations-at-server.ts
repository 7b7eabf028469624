import { AUTOMATION, AUTOMATIONS, RUNS, STARTED_JOB } from "./answer-shapes.ts";
import type { AutomationActions, ShownAutomation, ShownRun } from "./automations.ts";
import type { Login } from "./logins.ts";
import { createServer } from "./server.ts";
import type { Onlooker } from "./onlooker.ts";

const PAGE = 100;

/** Automations over the interface of a server. */
export function automationsAtServer(login: Login, around: Onlooker): AutomationActions {
  const { ask } = createServer(login, around);
  const agent = `/v2/agent/${encodeURIComponent(login.project)}`;
  const pathOf = (id: string) => `${agent}/automations/${encodeURIComponent(id)}`;
  return {
    create: (asked) => ask({ method: "POST", path: `${agent}/automations`, body: asked }, AUTOMATION),
    async list() {
      const path = `${agent}/automations`;
      const page = await ask<{ automations: ShownAutomation[] }>(
        { method: "GET", path, query: { limit: PAGE } },
        AUTOMATIONS,
      );
      return page.automations;
    },
    async run(id) {
      const path = `${agent}/automations/${encodeURIComponent(id)}/run`;
      const job = await ask<{ id: string }>({ method: "POST", path }, STARTED_JOB);
      const { runs } = await ask<{ runs: ShownRun[] }>({ method: "GET", path: `${pathOf(id)}/runs` }, RUNS);
      return runs.find(({ jobId }) => jobId === job.id) ?? null;
    },
    remove: (id) => ask({ method: "DELETE", path: pathOf(id) }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
