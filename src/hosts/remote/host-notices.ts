import type { PullRequest } from "#hosts/code-host.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import type { HostCall } from "./host-call.ts";

/** The status of a commit that links to its preview. */
export const PREVIEW_STATUS = "docent/preview";
export const PREVIEW_WORDS = "Open the preview of the documentation";

/** The status of a commit with the problems in the docs. */
export const REPORT_STATUS = "docent/check";

/** A status of a commit, with an address. It is never a failure. */
export interface HostStatus {
  name: string;
  url: string;
  /** At most 140 characters. */
  description: string;
}

/** A webhook for events in a repository: pushes, pull requests, comments on them. */
export interface WantedWebhook {
  url: string;
  secret: Secret;
}

/** What Docent creates at a repository in addition to pull requests and comments. Fails like `HostCall`. */
export interface HostNotices {
  /** Posts a status at a pull request's newest commit. Posting the same again has no visible effect. */
  postStatus(call: HostCall, path: string, pullRequest: Pick<PullRequest, "head">, status: HostStatus): Promise<void>;
  /** Creates the webhook with this address, or updates an existing one. */
  ensureWebhook(call: HostCall, path: string, wanted: WantedWebhook): Promise<void>;
  /** No effect when no webhook has this address. */
  removeWebhook(call: HostCall, path: string, url: string): Promise<void>;
}
