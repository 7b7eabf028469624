import type { PullRequest } from "#hosts/code-host.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import type { HostCall } from "./host-call.ts";

/** Name that the address of a preview has among a commit's checks. */
export const PREVIEW_STATUS = "docent/preview";
export const PREVIEW_WORDS = "Open the preview of the documentation";

/** Name that what is wrong with the docs has there. */
export const REPORT_STATUS = "docent/check";

/** An address among the checks of a commit. It never fails them. */
export interface HostStatus {
  name: string;
  url: string;
  /** At most 140 characters. */
  description: string;
}

/** A webhook that has us told of what happens in a repository: pushes, pull requests, comments on them. */
export interface WantedWebhook {
  url: string;
  secret: Secret;
}

/** What Docent leaves at a repository beside pull requests and comments. Failures as of `HostCall`. */
export interface HostNotices {
  /** Shows an address among the checks of a pull request's newest commit. Again changes nothing that people see. */
  postStatus(call: HostCall, path: string, pullRequest: Pick<PullRequest, "head">, status: HostStatus): Promise<void>;
  /** Makes the webhook with this address, or has one that is there say all that it should. */
  ensureWebhook(call: HostCall, path: string, wanted: WantedWebhook): Promise<void>;
  /** Without effect when there is none of this address. */
  removeWebhook(call: HostCall, path: string, url: string): Promise<void>;
}
