import { FEEDBACK_ACTION, NOT_KEPT, wordsField } from "./feedback-form.ts";
import { html } from "./markup.ts";
import { messageDocument, type SiteFrame } from "./page.ts";

/** What became of a vote or of words. */
export interface FeedbackAnswer {
  /** Route of the page that they are about. */
  page: string;
  helpful: boolean | null;
  hasWords: boolean;
  /** False where the project or the reader keeps it out of the counts. */
  isKept: boolean;
}

/** The answer to the form of a page, for browsers without scripts. */
export function feedbackDocument(frame: SiteFrame, answer: FeedbackAnswer | Error): string {
  if (answer instanceof Error) {
    const body = html`<p>${answer.message}</p>
      <p>Go back to the page with your browser, and try again.</p>`;
    return messageDocument(frame, { title: "This was not sent", code: null, body });
  }
  const { page, helpful, hasWords, isKept } = answer;
  const form = html`<form class="site-feedback" method="post" action="${FEEDBACK_ACTION}">
    <input type="hidden" name="path" value="${page}" />
    ${helpful !== null && html`<input type="hidden" name="helpful" value="${helpful ? "yes" : "no"}" />`}
    <div class="site-feedback-words">${wordsField()}</div>
  </form>`;
  return messageDocument(frame, {
    title: "Thank you",
    code: null,
    body: html`<p>${isKept ? (hasWords ? "Your words were sent." : "Your answer was sent.") : NOT_KEPT}</p>
      ${isKept && !hasWords ? form : ""}
      <p><a href="${page}">Back to the page</a></p>`,
  });
}
