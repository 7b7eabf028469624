import type { PullRequest } from "#hosts/code-host.ts";
import { cutText } from "#lib/cut-text.ts";

const MAX_TITLE_LENGTH = 255;

/** Titles of hosts where a draft is a word before the title. `marks` are all that the host reads as one; the first is written. */
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
