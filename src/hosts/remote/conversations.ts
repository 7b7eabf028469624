import type { PullRequest } from "#hosts/code-host.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { isAnswer, readRequest } from "./addressed.ts";
import { recordRemark } from "./connection-remarks.ts";
import type { HostComment } from "./host-conversation.ts";
import { postPreviews, type PreviewPosting } from "./preview-posts.ts";
import { reachHost, type ReachedHost, type RemoteHostDeps } from "./reach-host.ts";
import type { ReportPosts } from "./report-posts.ts";
import { keepWebhook } from "./webhook-upkeep.ts";

export interface ConversationDeps extends Pick<RemoteHostDeps, "database" | "vault" | "hostApps" | "apis" | "calls"> {
  clock: Clock;
  logger: Logger;
  /** The numbers of those pull requests whose comments may address the agent. */
  findOurs(projectId: ProjectId, pullRequests: readonly PullRequest[]): Promise<ReadonlySet<number>>;
  /** Records which of these pull requests have ended or were reopened. */
  recordStates(projectId: ProjectId, pullRequests: readonly PullRequest[]): Promise<void>;
  /** The name that addresses the agent; null when the project has turned comments off. */
  mentionName(projectId: ProjectId): Promise<string | null>;
  previewPosting(projectId: ProjectId): Promise<PreviewPosting>;
  /** Posts the problems that pull requests would add, next to their previews; absent: not posted. */
  reports?: Pick<ReportPosts, "want">;
  /** Returns a function that redacts credentials from a project's texts. */
  redactFor(projectId: ProjectId): Promise<(text: string) => string>;
  /** The address for a host's webhooks; null while hosts cannot reach this server. */
  webhookUrl(projectId: ProjectId): string | null;
}

/** Finds comments that address the agent. */
export interface Conversations extends AsyncDisposable {
  /**
   * Looks at a project's pull requests; resolves when done. A call during a look starts another one after it. Never
   * throws.
   */
  look(projectId: ProjectId): Promise<void>;
}

/** Projects that are looked at concurrently; others wait for their next look. */
const MAX_UNDER_WAY = 32;
const MAX_PAGES = 5;
/** A host's lists may lag behind each other by this much. */
const OVERLAP_MS = 120_000;
/** Before the first look the host's clock is unknown; pull requests of jobs are newer than their connection. */
const UNKNOWN_CLOCK_MS = 86_400_000;

export function createConversations(deps: ConversationDeps): Conversations {
  const stopping = new AbortController();
  const looking = new Map<ProjectId, Promise<void>>();
  const again = new Set<ProjectId>();

  async function lookAt(projectId: ProjectId): Promise<void> {
    const { signal } = stopping;
    const url = deps.webhookUrl(projectId);
    try {
      if (url !== null) await noteWebhook(deps, projectId, { url, signal });
      await readChanges(deps, projectId, signal);
      await recordRemark(deps, projectId, "comments", null);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof AppError)) throw error;
      await recordRemark(deps, projectId, "comments", `Comments are not read: ${error.message}`);
    }
  }
  const look = async (projectId: ProjectId): Promise<void> => {
    if (stopping.signal.aborted || looking.size >= MAX_UNDER_WAY) return;
    if (looking.has(projectId)) return void again.add(projectId);
    const one = lookAt(projectId)
      .catch((error: unknown) => deps.logger.error({ err: error, project: projectId }, "comments not read"))
      .finally(() => {
        looking.delete(projectId);
        if (again.delete(projectId)) void look(projectId);
      });
    looking.set(projectId, one);
    await one;
  };
  return {
    look,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await Promise.all(looking.values());
    },
  };
}

/** A host whose webhook endpoints fail may still support everything else. */
async function noteWebhook(
  deps: ConversationDeps,
  projectId: ProjectId,
  options: { url: string; signal: AbortSignal },
): Promise<void> {
  try {
    await keepWebhook(deps, projectId, options);
  } catch (error) {
    if (options.signal.aborted || !(error instanceof AppError) || error.code !== "unavailable") throw error;
    await recordRemark(deps, projectId, "webhook", `No webhook was made yet: ${error.message}`);
  }
}

/**
 * Looks at the pull requests that changed since the last look: records which have ended, posts their previews, and
 * writes a row for each comment that addresses the agent. The time of the last look is by the host's clock, and
 * advances when all that is done: after a crash, the same changes are found again.
 */
async function readChanges(deps: ConversationDeps, projectId: ProjectId, signal: AbortSignal): Promise<void> {
  const { database } = deps;
  const name = await deps.mentionName(projectId);
  const posting = await deps.previewPosting(projectId);
  const reached = await reachHost(deps, projectId, signal);
  const { comments_seen_at: seen, created_at } = await database.kysely
    .selectFrom("connection")
    .select(["comments_seen_at", "created_at"])
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  // If the host's clock was once ahead, or people can set timestamps there, look again instead of waiting for that
  // time.
  const now = deps.clock.now().getTime();
  const since = new Date(seen === null ? created_at - UNKNOWN_CLOCK_MS : Math.min(seen, now) - OVERLAP_MS);
  // All of them at first: an open one has a preview, however old its last change.
  const changed = await changedSince(reached, seen === null ? new Date(0) : since);
  await deps.recordStates(projectId, changed);
  if (name !== null) await readComments(deps, reached, { changed, since, name });
  await postPreviews(deps, reached, { posting, pullRequests: changed });
  deps.reports?.want(projectId, { posting, pullRequests: changed });
  const newest = Math.min(now, Math.max(seen ?? 0, ...changed.map(({ updatedAt }) => updatedAt.getTime())));
  if (newest === seen) return;
  await database.kysely
    .updateTable("connection")
    .set({ comments_seen_at: newest })
    .where("project_id", "=", projectId)
    .where("comments_seen_at", seen === null ? "is" : "=", seen)
    .execute();
}

async function readComments(
  deps: ConversationDeps,
  reached: ReachedHost,
  { changed, since, name }: { changed: PullRequest[]; since: Date; name: string },
): Promise<void> {
  const { projectId } = reached.connection;
  const ours = await deps.findOurs(projectId, changed);
  let names: string[] | null = null;
  for (const pullRequest of changed.filter(({ number, updatedAt }) => ours.has(number) && updatedAt >= since)) {
    const comments = await commentsOf(reached, pullRequest, since);
    if (comments.length === 0) continue;
    names ??= await namesAt(reached, name);
    await keepRequests(deps, { projectId, pullRequest, comments, names });
  }
}

async function changedSince({ api, call, path }: ReachedHost, since: Date): Promise<PullRequest[]> {
  const changed: PullRequest[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { pullRequests, hasMore } = await api.listChangedPullRequests(call, path, page);
    changed.push(...pullRequests.filter(({ updatedAt }) => updatedAt >= since));
    const last = pullRequests.at(-1);
    if (!hasMore || (last && last.updatedAt < since)) break;
  }
  return changed;
}

/** Comments by people in which a line may begin with a mention. */
async function commentsOf({ api, call, path }: ReachedHost, pullRequest: PullRequest, since: Date) {
  try {
    const comments = await api.conversation.listComments(call, path, pullRequest, since);
    return comments.filter(({ author, body }) => !author.isBot && /^ {0,3}@/m.test(body) && !isAnswer(body));
  } catch (error) {
    // It was deleted meanwhile.
    if (error instanceof AppError && error.code === "not_found") return [];
    throw error;
  }
}

/**
 * The names that address the agent: the one in the project's settings, and its account at the host, unless that is a
 * person's.
 */
async function namesAt({ api, call }: ReachedHost, name: string): Promise<string[]> {
  const login = await api.conversation.readBotLogin(call);
  return login === null ? [name] : [name, login.replace(/\[bot\]$/, "")];
}

async function keepRequests(
  { database, clock, redactFor }: ConversationDeps,
  {
    projectId,
    pullRequest,
    comments,
    names,
  }: { projectId: ProjectId; pullRequest: PullRequest; comments: HostComment[]; names: string[] },
): Promise<void> {
  const now = clock.now().getTime();
  const redact = await redactFor(projectId);
  const rows = comments.flatMap(({ id, author, body, thread, url, changedAt, place }) => {
    const request = readRequest(storable(body), names);
    if (request === null) return [];
    const about = place && `${place.path}${place.line === null ? "" : `, line ${place.line}`}`;
    return {
      project_id: projectId,
      id,
      number: pullRequest.number,
      branch: pullRequest.head.branch,
      thread,
      url,
      author_id: author.id,
      author_login: author.login,
      prompt: redact(request),
      about: about && storable(about),
      changed_at: changedAt.getTime(),
      state: "found" as const,
      tries: 0,
      due_at: now,
      job_id: null,
      message_seq: null,
      answer_id: null,
      note: null,
      created_at: now,
    };
  });
  if (rows.length === 0) return;
  await database.kysely
    .insertInto("host_comment")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["project_id", "id"]).doNothing())
    .execute();
  database.wakeUp.notify("host_comment", projectId);
}

/** PostgreSQL stores no NUL, and neither engine stores lone surrogates. */
const storable = (text: string) => text.replaceAll("\0", "").toWellFormed();
