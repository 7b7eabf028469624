import type { KeptLine } from "#lib/logs/read-log.ts";
import { LOG_LINES } from "./answer-shapes.ts";
import type { InstanceLogin } from "./logins.ts";
import type { LogActions } from "./logs.ts";
import { createServer } from "./server.ts";
import type { Onlooker } from "./onlooker.ts";

const PAGE = 100;

/** The log of a server, over its interface. */
export function logsAtServer(login: InstanceLogin, around: Onlooker): LogActions {
  const { ask } = createServer(login, around);
  return {
    async newest({ level, since, limit }) {
      const all: KeptLine[] = [];
      for (let cursor: string | null | undefined; cursor !== null && all.length < limit;) {
        const query = {
          level,
          limit: Math.min(PAGE, limit - all.length),
          ...(since && { since: since.toISOString() }),
          ...(cursor !== undefined && { cursor }),
        };
        const page = await ask<{ lines: KeptLine[]; nextCursor: string | null }>(
          { method: "GET", path: "/v2/instance/logs", query },
          LOG_LINES,
        );
        all.push(...page.lines);
        cursor = page.lines.length === 0 ? null : page.nextCursor;
      }
      return all;
    },
  };
}
