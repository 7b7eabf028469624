import { ERASURE, SNIPPET } from "./answer-shapes.ts";
import type { Login } from "./logins.ts";
import { createServer } from "./server.ts";
import type { ShownErasure, UpkeepActions } from "./upkeep.ts";
import type { Onlooker } from "./onlooker.ts";

/** All views of a project are looked through while the server is asked, once what others have not counted is. */
const ERASING_MS = 40 * 60_000;

/** Upkeep of counts over the interface of a server. */
export function upkeepAtServer(login: Login, around: Onlooker): UpkeepActions {
  const { ask } = createServer(login, around, ERASING_MS);
  const path = `/v2/project/${encodeURIComponent(login.project)}`;
  return {
    name: login.name ?? login.project,
    erase: (body) => ask<ShownErasure>({ method: "POST", path: `${path}/erasures`, body }, ERASURE),
    snippet: () => ask({ method: "GET", path: `${path}/analytics-snippet` }, SNIPPET),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
