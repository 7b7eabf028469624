import type { PersonId } from "#lib/ids.ts";
import { type Comment, commentsOf, type Conversation, type Thread } from "./comments.ts";

/** Comments that a page leaves out on one side: their number, and the nearest of them, whose page has them. */
export interface LeftOut {
  count: number;
  id: string;
  at: Date;
}

/** A thread with its comments on one page, never empty. */
export interface ShownThread extends Thread {
  /** The author of its first comment. */
  startedBy: PersonId | null;
  earlier: LeftOut | null;
  later: LeftOut | null;
}

/** The part of a conversation that one page shows. */
export interface ShownConversation {
  remarks: Comment[];
  threads: ShownThread[];
  earlier: LeftOut | null;
  later: LeftOut | null;
}

/** A page renders each of them: 200,000 characters take 0.3 s when they are not in the cache. */
const MAX_SHOWN = 50;
const MAX_SHOWN_CHARACTERS = 200_000;

/** Cuts a conversation to the page that has the comment `at`, or with null to the page of the newest comments. */
export function shownPart(conversation: Conversation, at: string | null): ShownConversation {
  const all = commentsOf(conversation);
  let end = all.length;
  let start = startOf(all, end);
  while (at !== null && start > 0 && all[start]!.id > at) {
    end = start;
    start = startOf(all, end);
  }
  const cut = (comments: readonly Comment[]) => {
    const isBefore = ({ id }: Comment) => id < (all[start]?.id ?? "");
    const isAfter = ({ id }: Comment) => end < all.length && id >= all[end]!.id;
    const [earlier, later] = [comments.filter(isBefore), comments.filter(isAfter)];
    return {
      comments: comments.slice(earlier.length, comments.length - later.length),
      earlier: leftOut(earlier, earlier.at(-1)),
      later: leftOut(later, later[0]),
    };
  };
  const { comments: _, ...around } = cut(all);
  return {
    ...around,
    remarks: cut(conversation.remarks).comments,
    threads: conversation.threads
      .map((thread) => ({ ...thread, startedBy: thread.comments[0]?.personId ?? null, ...cut(thread.comments) }))
      .filter(({ comments }) => comments.length > 0),
  };
}

/** The first comment of the page that ends before `end`. */
function startOf(all: readonly Comment[], end: number): number {
  let start = end;
  let room = MAX_SHOWN_CHARACTERS;
  while (start > 0 && end - start < MAX_SHOWN) {
    room -= all[start - 1]!.characters;
    if (room < 0 && start < end) break;
    start -= 1;
  }
  return start;
}

const leftOut = ({ length: count }: readonly Comment[], nearest: Comment | undefined): LeftOut | null =>
  nearest === undefined ? null : { count, id: nearest.id, at: nearest.createdAt };
