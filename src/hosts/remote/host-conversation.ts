import type { PullRequest } from "#hosts/code-host.ts";
import type { HostCall } from "./host-call.ts";

/** What somebody wrote at a pull request, as its host shows it. */
export interface HostComment {
  /** The host's id with the kind of comment before it, since kinds are numbered apart: `issue:17`, `review:17`. */
  id: string;
  author: CommentAuthor;
  /** Markdown. */
  body: string;
  /** Page for people. */
  url: string;
  /** When it was last changed, by the host's clock. */
  changedAt: Date;
  /** Where an answer goes; null: below the pull request. */
  thread: string | null;
  /** The file and line that it is about. */
  place: { path: string; line: number | null } | null;
}

export interface CommentAuthor {
  id: string;
  login: string;
  /** Known already to be a program; others may turn out to be one. */
  isBot: boolean;
}

/** Comments of pull requests, one request or a few each. Failures as of `HostCall`. */
export interface HostConversation {
  /** Account that the token belongs to, where the host says that it is no person's; else null. */
  readBotLogin(call: HostCall): Promise<string | null>;
  /** At least the newest hundred that were changed since then, of every kind that the host has. */
  listComments(
    call: HostCall,
    path: string,
    pullRequest: Pick<PullRequest, "number" | "url">,
    since: Date,
  ): Promise<HostComment[]>;
  /** What the host says of an author now. */
  readAuthor(call: HostCall, path: string, author: CommentAuthor): Promise<{ isBot: boolean; mayWrite: boolean }>;
  /** Adds a comment, in a thread if there is one, and answers with its id. */
  addComment(
    call: HostCall,
    path: string,
    comment: { number: number; thread: string | null; body: string },
  ): Promise<string>;
  /** Gives a comment of ours another text. `AppError not_found` when somebody deleted it. */
  changeComment(call: HostCall, path: string, comment: { number: number; id: string; body: string }): Promise<void>;
}

/** The host's own number of a comment, out of its id with the kind. */
export const commentNumber = (id: string): string => id.slice(id.indexOf(":") + 1);
