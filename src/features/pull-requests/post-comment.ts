import { followUpPullRequest } from "#features/jobs/comments/pull-request-follow-up.ts";
import { PROMPT_RULES } from "#features/jobs/job-limits.ts";
import { announceMessage, type SubmitDeps } from "#features/jobs/requests/submit.ts";
import type { Identity } from "#git/objects/objects.ts";
import { readRequest } from "#hosts/remote/addressed.ts";
import { findComplaint } from "#kit/http/text-rules.ts";
import { allowsScope, type Level } from "#kit/levels.ts";
import { AppError } from "#lib/app-error.ts";
import { insertComment, type NewComment } from "./comments.ts";

/** Where a comment goes if it mentions the agent, and whether its author may send it there. */
interface Addressee {
  /** The name of the agent; null if the project has turned mentions off. */
  mention: string | null;
  level: Level;
  /** Head of the pull request. */
  branch: string;
  askedBy: Identity;
  /** The file and line of the comment: `index.md, line 3`. */
  about: string | null;
}

/**
 * Stores a comment. If a line begins with the agent's name, what follows is sent to the job of the pull request as a
 * follow-up, in the same transaction; a mention that cannot be sent is kept as a comment that says why.
 */
export async function postComment(
  deps: SubmitDeps,
  given: Omit<NewComment, "message" | "note" | "at">,
  to: Addressee,
): Promise<{ id: string; threadId: string | null }> {
  const { database } = deps;
  const at = deps.clock.now();
  const redact = await deps.redactFor(database.kysely, given.projectId);
  const comment = { ...given, body: redact(given.body), at };
  const prompt = to.mention === null ? null : readRequest(given.body, [to.mention]);
  const withoutAgent = (note: string | null) =>
    database.transaction((transaction) => insertComment(transaction, { ...comment, message: null, note }));
  if (prompt === null) return withoutAgent(null);
  if (!allowsScope(to.level, "agent")) return withoutAgent("your role must be editor or admin to start it.");
  const complaint = prompt === "" ? "says nothing after the name" : findComplaint(PROMPT_RULES, prompt);
  if (complaint !== null) return withoutAgent(`the comment ${complaint}.`);
  const { projectId, number } = given;
  try {
    const { made, message } = await database.transaction(async (transaction) => {
      const message = await followUpPullRequest(transaction, deps, { ...to, projectId, number, prompt });
      const note = message === null ? "this pull request belongs to no job." : null;
      return { made: await insertComment(transaction, { ...comment, message, note }), message };
    });
    if (message !== null) announceMessage(database, { projectId, ...message });
    return made;
  } catch (error) {
    // Such as a rate limit or an archived project. The transaction left nothing, and the comment is worth keeping.
    if (!(error instanceof AppError)) throw error;
    return withoutAgent(error.message);
  }
}
