import type { MarkdownParser } from "#docs/parser.ts";
import type { Queryable } from "#db/database.ts";
import type { FileChange } from "#git/repo-store.ts";
import { messageResult } from "#features/jobs/comments/comment-answers.ts";
import type { SubmitDeps } from "#features/jobs/requests/submit.ts";
import { describe } from "#kit/pages/description.ts";
import { may } from "#kit/pages/document.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { allowsScope, LEVEL_OF_ROLE } from "#kit/levels.ts";
import type { PersonId, ProjectId } from "#lib/ids.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { LineFinder } from "./comment-lines.ts";
import type { Draft, Talk } from "./comment-view.ts";
import { shownPart } from "./comment-window.ts";
import { type Comment, commentsOf, readBodies, readConversation, type Thread, verdictsOf } from "./comments.ts";
import { pathOn } from "./line-comments.ts";
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
  /** ID of a comment whose page of the conversation to show; null for the newest. */
  comments: string | null;
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

const MAX_CACHED_CHARACTERS = 8_000_000;
/** Markup can be far longer than its Markdown, such as a reference that repeats a long address. */
const MAX_HTML = 50_000;
/** For one page. Ordinary comments take 15 ms per 10,000 characters, those with thousands of marks 400 ms. */
const MAX_RENDER_MS = 2_000;

export function createTalkReader(
  deps: Pick<SubmitDeps, "database" | "clock"> & {
    findLines: LineFinder;
    parserFor(projectId: ProjectId): MarkdownParser;
  },
): TalkReader {
  const printed = createLruCache<string, { html: Html | null }>({
    maxWeight: MAX_CACHED_CHARACTERS,
    weigh: ({ html }) => 100 + (html?.toString().length ?? 0),
  });
  /** After `until`, a text that is not in the cache is shown as it is: the next view of the page continues. */
  const print = async (projectId: ProjectId, text: string, until: number): Promise<Html | null> => {
    const known = printed.get(text);
    if (known) return known.html;
    if (deps.clock.now().getTime() > until) return plain(text);
    const full = await describe(deps.parserFor(projectId), text);
    const html = (full?.toString().length ?? 0) > MAX_HTML ? plain(text) : full;
    printed.set(text, { html });
    return html;
  };

  return async ({ repository, viewer, view }, { tab, path, line, comments, editing, draft }) => {
    const { projectId, slug, mention } = repository;
    const { number, head } = view.pullRequest;
    const { kysely } = deps.database;
    const all = await readConversation(kysely, { projectId, number });
    const of = tab === "files" ? { remarks: [], threads: threadsOn(all.threads, view.changes, path) } : all;
    const conversation = shownPart(of, comments ?? editing);
    const shown = [...conversation.remarks, ...conversation.threads.flatMap((thread) => thread.comments)];
    const texts = await readBodies(
      kysely,
      shown.map(({ id }) => id),
    );
    const bodies = new Map<string, Html | null>();
    const results = new Map<string, Html | null>();
    const until = deps.clock.now().getTime() + MAX_RENDER_MS;
    for (const { id, message } of tab === "commits" ? [] : shown) {
      bodies.set(id, await print(projectId, texts.get(id) ?? "", until));
      if (message === null) continue;
      const result = await messageResult(deps, { ...message, number });
      results.set(id, result === null ? null : await print(projectId, result, until));
    }
    const verdicts = verdictsOf(all);
    const { person = null, csrfToken, isMember } = viewer;
    const isAuthor = isMember && person !== null && csrfToken !== null && may(viewer, "read");
    return {
      conversation,
      count: commentsOf(all).length,
      verdicts,
      reviewers: await readReviewers(kysely, projectId, verdicts),
      texts,
      bodies,
      results,
      lines: await deps.findLines(projectId, view.range, conversation.threads),
      address: `/${slug}/pull/${number}`,
      tab: tab === "files" ? "files" : "conversation",
      path,
      line,
      comments,
      editing,
      head: view.range?.head ?? head.commit,
      author: isAuthor
        ? { id: person.id, csrfToken, mayApprove: may(viewer, "write"), isAdmin: may(viewer, "admin") }
        : null,
      isMember,
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

const plain = (text: string): Html => html`<pre class="plain">${raw(visibleHtml(text))}</pre>`;

/** The threads of one file, or with null of all. */
function threadsOn(threads: Thread[], changes: readonly FileChange[], path: string | null): Thread[] {
  const change = changes.find((one) => one.path === path);
  return change === undefined ? threads : threads.filter(({ place }) => place.path === pathOn(change, place.side));
}

/** The authors of reviews who may still approve. */
async function readReviewers(
  queryable: Queryable,
  projectId: ProjectId,
  reviews: readonly Comment[],
): Promise<ReadonlySet<PersonId>> {
  const ids = reviews.flatMap(({ personId }) => personId ?? []);
  if (ids.length === 0) return new Set();
  const rows = await queryable
    .selectFrom("person")
    .leftJoin("project_member", (join) =>
      join.onRef("project_member.person_id", "=", "person.id").on("project_member.project_id", "=", projectId),
    )
    .select(["person.id", "is_owner", "role"])
    .where("person.id", "in", ids)
    .execute();
  const may = rows.filter(
    ({ is_owner, role }) => is_owner === 1 || (role !== null && allowsScope(LEVEL_OF_ROLE[role], "write")),
  );
  return new Set(may.map(({ id }) => id));
}
