import { flushCompileCache } from "node:module";
import { loadConfig } from "#app/instance/config.ts";
import type { Database } from "#db/database.ts";
import type { CodeHost } from "#hosts/code-host.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { createContentProcess } from "#docs/render/process/content-process.ts";
import { createLogger } from "#lib/logger.ts";
import { startComposed } from "./composed-server.ts";

/** The moments of a job at which this server kills itself, as a power button would. */
export type CrashPoint = "claimed" | "mid-loop" | "committed" | "pushed" | "pull-request" | "recorded";

const die = (): never => {
  process.kill(process.pid, "SIGKILL");
  throw new Error("unreachable");
};

function dieAfter<T extends object, K extends keyof T>(target: T, method: K, isTime: () => boolean): T {
  return new Proxy(target, {
    get(object, property, receiver) {
      const value: unknown = Reflect.get(object, property, receiver);
      if (property !== method || typeof value !== "function") return value;
      return async (...args: unknown[]) => {
        const result: unknown = await value.apply(object, args);
        if (isTime()) die();
        return result;
      };
    },
  });
}

/** The server does not die but stops, until somebody lets it go on with SIGCONT. */
function pauseBeforePush(host: CodeHost): CodeHost {
  const push: CodeHost["push"] = (...push) => {
    process.kill(process.pid, "SIGSTOP");
    return host.push(...push);
  };
  return { ...host, push };
}

/** Its own row knows of the pull request before webhooks are told of it. */
function dieOnceTold(database: Database, isTime: () => boolean): Database {
  const { wakeUp } = database;
  const notify: typeof wakeUp.notify = (channel, payload) => {
    if (channel === "outbox" && isTime()) die();
    wakeUp.notify(channel, payload);
  };
  return { ...database, wakeUp: { ...wakeUp, notify } };
}

const [point, data] = process.argv.slice(2) as [CrashPoint | "paused-before-push" | "never", string];
const config = loadConfig({ data, port: 0, logLevel: "error" });
const at = (wanted: CrashPoint) => () => point === wanted;
const logger = createLogger({ level: "error" });
// Cold: few of its pages have code, and it starts again and again.
const content = createContentProcess({ logger, isWarmedUp: false });
const server = await startComposed(config, {
  logger,
  content,
  wrapDatabase: (database: Database) => dieOnceTold(database, at("recorded")),
  wrapRepoStore: (store: RepoStore) => dieAfter(dieAfter(store, "snapshot", at("mid-loop")), "commit", at("committed")),
  wrapCodeHost(host: CodeHost) {
    const claimed = dieAfter(
      point === "paused-before-push" ? pauseBeforePush(host) : host,
      "fetchBranch",
      at("claimed"),
    );
    const pushed = dieAfter(claimed, "push", at("pushed"));
    const made = dieAfter(pushed, "ensurePullRequest", at("pull-request"));
    return dieAfter(made, "updatePullRequest", at("pull-request"));
  },
});
process.stdout.write(`${JSON.stringify({ baseUrl: server.baseUrl, port: server.port })}\n`);
flushCompileCache(); // at the exit it would be too late for a process that is killed
// Closes when the test process is gone.
process.once("disconnect", () => process.exit(1));
process.channel?.unref();
process.once("SIGTERM", () => void server[Symbol.asyncDispose]().then(() => content[Symbol.asyncDispose]()));
