import type { PullRequest } from "#hosts/code-host.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import { asSentence, recordRemark } from "./connection-remarks.ts";
import { REPORT_STATUS } from "./host-notices.ts";
import { giveBack, recordPosted, reportTarget, takePost } from "./posts.ts";
import type { PreviewPosting } from "./preview-posts.ts";
import { reachHost, type ReachedHost, type RemoteHostDeps } from "./reach-host.ts";
import { isPreviewComment, previewComment, type PullRequestReport, reportMarkdown } from "./report-words.ts";
import { mayReach } from "./webhook-upkeep.ts";

/**
 * Posts the problems that open pull requests would add at their hosts, once they are known: minutes later for large
 * docs.
 */
export interface ReportPosts {
  /** Returns at once. A newer commit replaces a waiting one. Nothing happens before `start`. */
  want(projectId: ProjectId, wanted: { posting: PreviewPosting; pullRequests: readonly PullRequest[] }): void;
  start(makeReport: MakePullRequestReport): AsyncDisposable;
  /** Resolves when no report is waiting. */
  settled(): Promise<void>;
}

/** Null when it cannot be created now. */
export type MakePullRequestReport = (
  projectId: ProjectId,
  pullRequest: Pick<PullRequest, "number" | "head" | "base">,
) => Promise<PullRequestReport | null>;

interface Wanted {
  projectId: ProjectId;
  posting: PreviewPosting;
  pullRequest: PullRequest;
}

const AT_ONCE = 4;
/** Limits per project and overall; reports beyond them follow when their pull requests change again. */
const MAX_WAITING = { project: 50, all: 1_000 };

export function createReportPosts(
  deps: Pick<RemoteHostDeps, "database" | "vault" | "hostApps" | "apis" | "calls"> & { clock: Clock; logger: Logger },
): ReportPosts {
  const stopping = new AbortController();
  const places = createFairPlaces({ places: AT_ONCE, perOwner: 1 });
  const trouble = createLastingTrouble(deps.logger, "reports are not shown at code hosts");
  const waiting = new Map<string, Wanted>();
  const running = new Set<Promise<void>>();
  let makeReport: MakePullRequestReport | null = null;

  async function postReport({ projectId, posting, pullRequest }: Wanted): Promise<void> {
    const { number, head } = pullRequest;
    const one = { projectId, number, target: reportTarget(head.commit) };
    if (makeReport === null || !(await takePost(deps, one))) return;
    try {
      const report = await makeReport(projectId, pullRequest);
      if (report === null || stopping.signal.aborted) return await giveBack(deps, one);
      const reached = await reachHost(deps, projectId, stopping.signal);
      await post(reached, { posting, pullRequest, report });
    } catch (error) {
      const isFinal = error instanceof AppError && !["unavailable", "rate_limited"].includes(error.code);
      if (!isFinal) await giveBack(deps, one);
      if (!(error instanceof AppError)) throw error;
      if (!isFinal) return;
      const text = `The check of a pull request is not shown there: ${asSentence(error.message)}`;
      await recordRemark(deps, projectId, "previews", text);
    }
    await recordPosted(deps, one);
  }

  return {
    want(projectId, { posting, pullRequests }) {
      if (makeReport === null || stopping.signal.aborted || posting.how === "off") return;
      for (const pullRequest of pullRequests) {
        if (pullRequest.state !== "open" || pullRequest.head.commit === "") continue;
        const key = `${projectId} ${pullRequest.number}`;
        const isQueued = waiting.has(key);
        if (!isQueued && waiting.size >= MAX_WAITING.all) return;
        const own = [...waiting.values()].filter((each) => each.projectId === projectId).length;
        if (!isQueued && own >= MAX_WAITING.project) return;
        waiting.set(key, { projectId, posting, pullRequest });
        if (isQueued) continue;
        const run = places
          .run(projectId, async () => {
            const next = waiting.get(key);
            waiting.delete(key);
            if (next && !stopping.signal.aborted) await postReport(next);
          })
          .then(trouble.worked, trouble.failed)
          .finally(() => running.delete(run));
        running.add(run);
      }
    },
    start(make) {
      makeReport = make;
      return {
        async [Symbol.asyncDispose]() {
          stopping.abort();
          await Promise.all(running);
        },
      };
    },
    settled: async () => void (await Promise.all(running)),
  };
}

async function post(
  { api, call, path, connection }: ReachedHost,
  { posting, pullRequest, report }: { posting: PreviewPosting; pullRequest: PullRequest; report: PullRequestReport },
): Promise<void> {
  const { number, head, createdAt } = pullRequest;
  const address = posting.link(number);
  if (!mayReach(connection.url, address)) return;
  if (posting.how === "status") {
    const status = { name: REPORT_STATUS, url: report.href, description: report.summary };
    return api.notices.postStatus(call, path, pullRequest, status);
  }
  const place = { kind: connection.kind, url: connection.url, commit: head.commit };
  const body = previewComment(address, reportMarkdown(report, place));
  const since = new Date(createdAt.getTime() - 60_000); // hosts round timestamps
  const comments = await api.conversation.listComments(call, path, pullRequest, since);
  const ours = comments.find((comment) => isPreviewComment(comment.body, address));
  if (ours) {
    if (ours.body.replaceAll("\r\n", "\n").trim() === body) return;
    return api.conversation.changeComment(call, path, { number, id: ours.id, body });
  }
  // The description of an agent's pull request contains the address. Otherwise the comment was deleted, and is not
  // wanted.
  if (!pullRequest.body.includes(address) || report.added.length === 0) return;
  await api.conversation.addComment(call, path, { number, thread: null, body });
}
