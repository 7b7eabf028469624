import type { PullRequest } from "#hosts/code-host.ts";
import { cutText } from "#lib/cut-text.ts";

const MAX_TITLE_LENGTH = 255;

/**
 * Titles on hosts that mark a draft by a prefix. `marks` matches all prefixes that the host recognizes; `mark` is the
 * one that is written.
 */
export function createDraftTitles(mark: string, marks: RegExp) {
  return {
    write: ({ title, draft }: Pick<PullRequest, "title" | "draft">): string => {
      const bare = withoutMarks(title);
      return cutText(draft ? `${mark} ${bare}` : bare, MAX_TITLE_LENGTH);
    },
    read: withoutMarks,
  };

  function withoutMarks(title: string): string {
    let rest = title;
    while (marks.test(rest)) rest = rest.replace(marks, "");
    return rest;
  }
}
