import { REPORTS } from "./answer-shapes.ts";
import type { Login } from "./logins.ts";
import type { ReportActions } from "./reports.ts";
import { createServer } from "./server.ts";
import type { Onlooker } from "./onlooker.ts";

/** Counts over the interface of a server. */
export function reportsAtServer(login: Login, around: Onlooker): ReportActions {
  const { ask } = createServer(login, around);
  const analytics = `/v1/analytics/${encodeURIComponent(login.project)}`;
  return {
    read: (name, query) => ask({ method: "GET", path: `${analytics}/${name}`, query: { ...query } }, REPORTS[name]),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
