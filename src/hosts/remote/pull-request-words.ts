import { cutText } from "#lib/cut-text.ts";
import type { HostApi, WantedPullRequest } from "./host-api.ts";

export type PullRequestWords = Pick<WantedPullRequest, "title" | "body" | "draft">;

const MAX_TITLE_LENGTH = 255;

/** A description that a host can store: no NUL, no lone surrogates, within its limit. */
export function storable(api: HostApi, { title, body, draft }: PullRequestWords, head: string): PullRequestWords {
  const clean = (text: string) => text.replaceAll("\0", "").toWellFormed();
  return {
    title: cutText(clean(title).replaceAll(/\s+/g, " ").trim(), MAX_TITLE_LENGTH) || head,
    body: cutText(clean(body), api.capabilities.maxBodyLength),
    draft,
  };
}
