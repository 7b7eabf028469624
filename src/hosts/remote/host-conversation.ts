import type { PullRequest } from "#hosts/code-host.ts";
import type { HostCall } from "./host-call.ts";

/** A comment on a pull request, as its host shows it. */
export interface HostComment {
  /** The host's id, prefixed with the kind of comment, since each kind has its own numbers: `issue:17`, `review:17`. */
  id: string;
  author: CommentAuthor;
  /** Markdown. */
  body: string;
  /** Web page. */
  url: string;
  /** When it was last changed, by the host's clock. */
  changedAt: Date;
  /** The thread for a reply; null: the pull request itself. */
  thread: string | null;
  /** The file and line that it refers to. */
  place: { path: string; line: number | null } | null;
}

export interface CommentAuthor {
  id: string;
  login: string;
  /** Known to be a bot; others may turn out to be one. */
  isBot: boolean;
}

/** Comments of pull requests, in one or a few requests each. Fails like `HostCall`. */
export interface HostConversation {
  /** The account of the token, if the host says that it is not a person; else null. */
  readBotLogin(call: HostCall): Promise<string | null>;
  /** At least the newest hundred that changed since then, of every kind that the host has. */
  listComments(
    call: HostCall,
    path: string,
    pullRequest: Pick<PullRequest, "number" | "url">,
    since: Date,
  ): Promise<HostComment[]>;
  /** Reads what the host says about an author now. */
  readAuthor(call: HostCall, path: string, author: CommentAuthor): Promise<{ isBot: boolean; mayWrite: boolean }>;
  /** Adds a comment, in a thread if there is one, and returns its id. */
  addComment(
    call: HostCall,
    path: string,
    comment: { number: number; thread: string | null; body: string },
  ): Promise<string>;
  /** Changes the text of one of our comments. `AppError not_found` when it was deleted. */
  changeComment(call: HostCall, path: string, comment: { number: number; id: string; body: string }): Promise<void>;
}

/** The host's own number of a comment, from an id with its kind. */
export const commentNumber = (id: string): string => id.slice(id.indexOf(":") + 1);
