import { type Clock, DAY_MS } from "#lib/clock.ts";
import type { PersonId } from "#lib/ids.ts";

/** Comments of one person on all pull requests: each notifies others. */
export const COMMENTS_PER_MINUTE = 30;
export const COMMENTS_PER_DAY = 300;

/** Count the comments of people in the current minute and UTC day. */
export interface CommentGuards {
  minute: { admits(id: PersonId): boolean };
  day: { admits(id: PersonId): boolean };
}

/** Counts a comment; returns why it has to wait, or null. */
export function countComment(
  { minute, day }: CommentGuards,
  clock: Clock,
  id: PersonId,
): { problem: string; retryAfterSeconds: number } | null {
  const secondsTo = (spanMs: number) => Math.ceil((spanMs - (clock.now().getTime() % spanMs)) / 1_000);
  if (!minute.admits(id)) {
    const seconds = secondsTo(60_000);
    const problem = `You sent ${COMMENTS_PER_MINUTE} comments within a minute, which is the limit. Send this one again in ${seconds} seconds.`;
    return { problem, retryAfterSeconds: seconds };
  }
  if (day.admits(id)) return null;
  const problem = `You sent ${COMMENTS_PER_DAY} comments today, which is the limit. Send this one again after midnight UTC.`;
  return { problem, retryAfterSeconds: secondsTo(DAY_MS) };
}
