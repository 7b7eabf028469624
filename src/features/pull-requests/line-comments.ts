import type { DiffHunk, DiffLine, FileDiff } from "#git/history/diff.ts";
import type { FileChange } from "#git/repo-store.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { counted } from "#lib/counted.ts";
import type { LinePlace } from "./comments.ts";
import type { ShownThread } from "./comment-window.ts";
import { countIn, lineForm, lineKey, type Talk, threadView } from "./comment-view.ts";

/** What a file's diff shows of the conversation. */
export interface LineComments {
  /** The form that the buttons of the lines send, with its ID; null for readers who cannot comment. */
  picker: { id: string; form: Html; href(line: DiffLine): string } | null;
  /** Threads on a line, and the form for a new one. */
  below(line: DiffLine, hunk: DiffHunk): Html | null;
  /** Threads on lines that are not displayed. */
  others: Html | null;
}

/** The side of a line that is commented on: lines without a change count as new. */
export const sideOf = ({ kind, oldNumber, newNumber }: DiffLine): Pick<LinePlace, "side" | "line"> =>
  kind === "removed" ? { side: "old", line: oldNumber ?? 0 } : { side: "new", line: newNumber ?? 0 };

/** The name of a file on one side of its change. */
export const pathOn = ({ path, oldPath }: FileChange, side: LinePlace["side"]): string =>
  side === "old" ? (oldPath ?? path) : path;

export function lineComments(
  talk: Talk,
  { change, diff, anchor }: { change: FileChange; diff: FileDiff | null; anchor: string },
): LineComments {
  const own = talk.conversation.threads.filter(({ place }) => place.path === pathOn(change, place.side));
  const isShown = new Set(diff?.hunks.flatMap(({ lines }) => lines.map((line) => lineKey(sideOf(line)))));
  const byLine = new Map<string, ShownThread[]>();
  const others: ShownThread[] = [];
  for (const thread of own) {
    const line = talk.lines.get(thread.id) ?? null;
    const key = line === null ? "" : lineKey({ side: thread.place.side, line });
    if (isShown.has(key)) byLine.set(key, [...(byLine.get(key) ?? []), thread]);
    else others.push(thread);
  }
  const picker = `lines-${anchor}`;
  const action = `${talk.address}/files`;
  return {
    picker: talk.author && {
      id: picker,
      form: html`<form id="${picker}" method="get" action="${action}#comment-line"><input type="hidden" name="path" value="${change.path}" /></form>`,
      href: (line) => `${action}?path=${encodeURIComponent(change.path)}&line=${lineKey(sideOf(line))}#comment-line`,
    },
    below(line, hunk) {
      const key = lineKey(sideOf(line));
      const threads = byLine.get(key) ?? [];
      const hasForm = talk.author !== null && talk.line === key && talk.path === change.path;
      if (threads.length === 0 && !hasForm) return null;
      return html`${threads.map((thread) => (talk.tab === "files" ? threadView(talk, thread) : threadLink(talk, thread)))}
      ${hasForm && lineForm(talk, { path: change.path, hunk })}`;
    },
    others:
      others.length === 0
        ? null
        : html`<p class="file-threads">On lines that are not shown: ${others.map((thread) => threadLink(talk, thread))}</p>`,
  };
}

/** The conversation shows the thread itself. */
function threadLink({ tab, address }: Talk, thread: ShownThread): Html {
  const { id, comments, resolvedBy } = thread;
  const names = [...new Set(comments.map(({ author }) => author))].join(", ");
  return html`<a class="thread-link" href="${tab === "files" ? address : ""}#${id}">${counted(countIn(thread), "comment")} by ${raw(visibleHtml(names))}${resolvedBy !== null && ", resolved"}</a>`;
}
