import { FEEDBACK_ACTION, wordsField } from "./feedback-form.ts";
import { html } from "#kit/pages/markup.ts";
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
  const { words } = frame.language;
  if (answer instanceof Error) {
    const body = html`<p>${answer.message}</p>
      <p>${words.goBackAndRetry}</p>`;
    return messageDocument(frame, { title: words.notSent, code: null, body });
  }
  const { page, helpful, hasWords, isKept } = answer;
  const form = html`<form class="site-feedback" method="post" action="${FEEDBACK_ACTION}">
    <input type="hidden" name="path" value="${page}" />
    ${helpful !== null && html`<input type="hidden" name="helpful" value="${helpful ? "yes" : "no"}" />`}
    <div class="site-feedback-words">${wordsField(words)}</div>
  </form>`;
  return messageDocument(frame, {
    title: words.thankYou,
    code: null,
    body: html`<p>${isKept ? (hasWords ? words.feedbackSent : words.answerSent) : words.feedbackNotKept}</p>
      ${isKept && !hasWords ? form : ""}
      <p><a href="${page}">${words.backToPage}</a></p>`,
  });
}
