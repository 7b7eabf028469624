import type { MarkdownParser } from "#docs/parser.ts";
import { messageResult } from "#features/jobs/comments/comment-answers.ts";
import type { SubmitDeps } from "#features/jobs/requests/submit.ts";
import { describe } from "#kit/pages/description.ts";
import { may } from "#kit/pages/document.ts";
import type { Html } from "#kit/pages/markup.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { LineFinder } from "./comment-lines.ts";
import type { Draft, Talk } from "./comment-view.ts";
import { readConversation } from "./comments.ts";
import type { Viewer } from "./merge-box.ts";
import type { ReadableRepository } from "./pull-request-access.ts";
import { jobOf } from "./pull-request-page.ts";
import type { PullRequestView } from "./pull-request-view.ts";

/** The part of a pull request's page that a request asks for. */
export interface ShownPart {
  tab: Talk["tab"] | "commits";
  /** The only file to show on the files tab; null for all. */
  path: string | null;
  /** Of the open form for a line. */
  line: string | null;
  /** ID of the comment that is being edited. */
  editing: string | null;
  /** A refused form. */
  draft: Draft | null;
}

/** Reads the conversation of a pull request for the page of a reader. */
export type TalkReader = (
  pullRequest: { repository: ReadableRepository; viewer: Viewer; view: PullRequestView },
  part: ShownPart,
) => Promise<Talk>;

const MAX_CACHED_CHARACTERS = 4_000_000;

export function createTalkReader(
  deps: Pick<SubmitDeps, "database"> & {
    findLines: LineFinder;
    parserFor(projectId: ProjectId): MarkdownParser;
  },
): TalkReader {
  const printed = createLruCache<string, { html: Html | null }>({
    maxWeight: MAX_CACHED_CHARACTERS,
    weigh: ({ html }) => 100 + (html?.toString().length ?? 0),
  });
  const print = async (projectId: ProjectId, text: string): Promise<Html | null> => {
    const known = printed.get(text);
    if (known) return known.html;
    const html = await describe(deps.parserFor(projectId), text);
    printed.set(text, { html });
    return html;
  };

  return async ({ repository, viewer, view }, { tab, path, line, editing, draft }) => {
    const { projectId, slug, mention } = repository;
    const { number, head } = view.pullRequest;
    const conversation = await readConversation(deps.database.kysely, { projectId, number });
    const all = [...conversation.remarks, ...conversation.threads.flatMap(({ comments }) => comments)];
    const bodies = new Map<string, Html | null>();
    const results = new Map<string, Html | null>();
    for (const { id, body, message } of all) {
      bodies.set(id, await print(projectId, body));
      if (message === null) continue;
      const result = await messageResult(deps, { ...message, number });
      results.set(id, result === null ? null : await print(projectId, result));
    }
    const { person = null, csrfToken, isMember } = viewer;
    const isAuthor = isMember && person !== null && csrfToken !== null && may(viewer, "read");
    return {
      conversation,
      bodies,
      results,
      lines: await deps.findLines(projectId, view.range, conversation.threads),
      address: `/${slug}/pull/${number}`,
      tab: tab === "files" ? "files" : "conversation",
      path,
      line,
      editing,
      head: view.range?.head ?? head.commit,
      author: isAuthor
        ? { id: person.id, csrfToken, mayApprove: may(viewer, "write"), isAdmin: may(viewer, "admin") }
        : null,
      obstacle: isMember && csrfToken !== null ? "To comment, sign in with an account: an API key has no name." : null,
      mentionHint:
        mention === null || jobOf(view.commits) === null
          ? null
          : may(viewer, "agent")
            ? `A line that begins with @${mention} sends what follows to the agent.`
            : `Only editors and admins can start the agent with @${mention}.`,
      draft,
      jobHref: isMember ? (id) => `/${slug}/jobs/${id}` : null,
    };
  };
}
