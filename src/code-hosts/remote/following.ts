import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { createBell } from "#lib/waiting/bell.ts";
import { forgetToken, recordSync, recordWebhook, requireConnection } from "./connections.ts";
import { gitRemote, inWords, type RemoteHostDeps } from "./remote-code-host.ts";

export interface FollowingDeps extends RemoteHostDeps {
  clock: Clock;
  logger: Logger;
  /** Called after each look at a branch; returns at once. */
  afterLook?(projectId: ProjectId): void;
}

/** Keeps the mirrors of connected projects as their hosts have them. */
export interface Following {
  /** Has a host looked at as soon as can be, as after its webhook. */
  hint(projectId: ProjectId): void;
  /** Begins to look, at hosts in turn and where a hint was given, until disposed. */
  start(): AsyncDisposable;
}

const TICK_MS = 1_000;
/** Hosts that cannot reach this server are asked as often as this. */
const LOOK_EVERY_MS = 60_000;
/** After a failure less often, so that a host that is away is left alone. */
const LOOK_AFTER_TROUBLE_MS = 5 * 60_000;
const AT_ONCE = 4;
/** A look that takes longer waits for its host: it gives its place to others, up to so many. */
const SLOW_AFTER_MS = 2_000;
const MAX_UNDER_WAY = 24;

/**
 * Any number of processes may do it on one store: each look is taken by one of them. A host that is away costs nothing
 * but freshness.
 */
export function createFollowing(deps: FollowingDeps): Following {
  const stopping = new AbortController();
  const looking = new Map<ProjectId, Promise<void>>();
  /** Those of them that hold a place. */
  const placed = new Set<ProjectId>();
  /** A set: however many webhooks come while a host is looked at, one more look is enough. */
  const hinted = new Set<ProjectId>();
  const bell = createBell();
  const trouble = createLastingTrouble(deps.logger, "connected projects could not be followed");

  async function look(projectId: ProjectId): Promise<void> {
    try {
      await bringCurrent(deps, projectId, stopping.signal).catch(async (error: unknown) => {
        // The token of an installation may end before its time; the next one is had, or says why there is none.
        const isRefused = error instanceof AppError && error.code === "forbidden";
        if (!isRefused || !(await forgetToken(deps, projectId))) throw error;
        await bringCurrent(deps, projectId, stopping.signal);
      });
      await recordSync(deps, projectId, null);
    } catch (error) {
      if (stopping.signal.aborted) return; // the next server looks again
      const words = error instanceof AppError ? error.message : "An unexpected error; the server's log has more.";
      if (!(error instanceof AppError)) deps.logger.error({ err: error, project: projectId }, "project not followed");
      await recordSync(deps, projectId, words);
    }
    deps.afterLook?.(projectId);
  }
  const begin = (projectId: ProjectId, noted: Promise<void> = Promise.resolve()) => {
    const one = noted
      .then(() => look(projectId))
      .catch((error: unknown) => deps.logger.error({ err: error, project: projectId }, "project not followed"))
      .finally(() => {
        clearTimeout(slow);
        looking.delete(projectId);
        leavePlace();
      });
    const leavePlace = () => {
      placed.delete(projectId);
      if (hinted.size > 0) bell.ring();
    };
    const slow = setTimeout(leavePlace, SLOW_AFTER_MS);
    placed.add(projectId);
    looking.set(projectId, one);
  };
  const freePlaces = () => Math.min(AT_ONCE - placed.size, MAX_UNDER_WAY - looking.size);
  const takeHinted = () => {
    for (const projectId of hinted) {
      if (freePlaces() <= 0) return;
      if (looking.has(projectId)) continue;
      hinted.delete(projectId);
      begin(projectId, recordWebhook(deps, projectId));
    }
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        takeHinted();
        for (const projectId of await takeDue(deps, freePlaces())) {
          if (!looking.has(projectId)) begin(projectId);
        }
        trouble.worked();
      } catch (error) {
        trouble.failed(error);
      }
      await bell.wait(TICK_MS, stopping.signal);
    }
  };
  return {
    hint(projectId) {
      hinted.add(projectId);
      bell.ring();
    },
    start() {
      const loop = run();
      return {
        async [Symbol.asyncDispose]() {
          stopping.abort();
          await loop;
          await Promise.all(looking.values());
        },
      };
    },
  };
}

/** Projects whose turn it is, marked as looked at now so that no other process takes them. */
async function takeDue({ database, clock }: FollowingDeps, limit: number): Promise<ProjectId[]> {
  if (limit <= 0) return [];
  const now = clock.now().getTime();
  const due = await database.kysely
    .selectFrom("connection")
    .select(["project_id", "tried_at"])
    .where((is) =>
      is.or([
        is("tried_at", "is", null),
        is.and([is("trouble", "is", null), is("tried_at", "<=", now - LOOK_EVERY_MS)]),
        is("tried_at", "<=", now - LOOK_AFTER_TROUBLE_MS),
        // The clock was ahead once.
        is("tried_at", ">", now + LOOK_EVERY_MS),
      ]),
    )
    .orderBy("tried_at")
    .limit(limit)
    .execute();
  const taken: ProjectId[] = [];
  for (const { project_id, tried_at } of due) {
    const row = await database.kysely
      .updateTable("connection")
      .set({ tried_at: now })
      .where("project_id", "=", project_id)
      .where("tried_at", tried_at === null ? "is" : "=", tried_at)
      .returning("project_id")
      .executeTakeFirst();
    if (row) taken.push(row.project_id);
  }
  return taken;
}

/** Fetches what the site shows; tells listeners when it moved. */
async function bringCurrent(deps: FollowingDeps, projectId: ProjectId, signal: AbortSignal): Promise<void> {
  const { database, repoStore } = deps;
  const connection = await requireConnection(deps, projectId);
  const api = deps.apis[connection.kind];
  if (!api) throw new Error(`This server does not speak with ${connection.kind}.`);
  const { branch } = await database.kysely
    .selectFrom("project")
    .select("branch")
    .where("id", "=", projectId)
    .executeTakeFirstOrThrow();
  const before = await repoStore.resolve(projectId, `refs/heads/${branch}`);
  const remote = await gitRemote(deps, { connection, api });
  const tips = await inWords(api, repoStore.fetch(projectId, remote, [branch], { signal }));
  const after = tips.get(branch) ?? null;
  if (after === null && before !== null) {
    throw new AppError("not_found", `${api.name} has no branch ${branch} any more. The site shows what it had.`);
  }
  if (after !== before) database.wakeUp.notify("repository", projectId);
}
