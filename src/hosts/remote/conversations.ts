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
  /** Which of these pull requests take comments for the agent, by number. */
  findOurs(projectId: ProjectId, pullRequests: readonly PullRequest[]): Promise<ReadonlySet<number>>;
  /** Writes down which of these pull requests have ended, or were opened again. */
  recordStates(projectId: ProjectId, pullRequests: readonly PullRequest[]): Promise<void>;
  /** The name that comments begin with; null where the project wants none to count. */
  mentionName(projectId: ProjectId): Promise<string | null>;
  previewPosting(projectId: ProjectId): Promise<PreviewPosting>;
  /** Shows what pull requests would make wrong, beside their previews; absent: nowhere. */
  reports?: Pick<ReportPosts, "want">;
  /** Takes credentials out of texts of a project. */
  redactFor(projectId: ProjectId): Promise<(text: string) => string>;
  /** Where a host tells us of changes; null while nobody can. */
  webhookUrl(projectId: ProjectId): string | null;
}

/** Finds comments that ask the agent for something. */
export interface Conversations extends AsyncDisposable {
  /** Has a host's pull requests looked at, and ends with the look; asked again meanwhile, it looks once more. Never throws. */
  look(projectId: ProjectId): Promise<void>;
}

/** Projects that are waited for at the same time; others come with their next look. */
const MAX_UNDER_WAY = 32;
const MAX_PAGES = 5;
/** A host's lists may be behind each other by so much. */
const OVERLAP_MS = 120_000;
/** Before the first look the host's clock is not known; pull requests of jobs are younger than their connection. */
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

/** A host that fails at its webhooks may do all else. */
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
 * Looks at the pull requests that were changed since the last look: notes which have ended, shows the addresses of their
 * previews, and writes a row for each comment that asks the agent for something. The time of the last look is the host's, and is moved on when all that
 * is done: a crash in between finds the same again.
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
  // A host that was ahead once, or lets people set times, has us look again and not wait for that time.
  const now = deps.clock.now().getTime();
  const since = new Date(seen === null ? created_at - UNKNOWN_CLOCK_MS : Math.min(seen, now) - OVERLAP_MS);
  // At first all of them: an open one has a preview, however long nobody touched it.
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

/** Comments of people in which a line may begin with a mention. */
async function commentsOf({ api, call, path }: ReachedHost, pullRequest: PullRequest, since: Date) {
  try {
    const comments = await api.conversation.listComments(call, path, pullRequest, since);
    return comments.filter(({ author, body }) => !author.isBot && /^ {0,3}@/m.test(body) && !isAnswer(body));
  } catch (error) {
    // It was deleted at this moment.
    if (error instanceof AppError && error.code === "not_found") return [];
    throw error;
  }
}

/** What the agent is called: as the project says, and as its account at the host is, unless that is a person's. */
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

/** PostgreSQL stores no NUL, and neither engine half a surrogate pair. */
const storable = (text: string) => text.replaceAll("\0", "").toWellFormed();
