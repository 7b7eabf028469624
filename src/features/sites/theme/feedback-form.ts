import { MAX_COMMENT_CHARACTERS } from "#features/visitors/feedback/feedback-book.ts";
import type { Words } from "#docs/words/site-language.ts";
import { html, type Html } from "#kit/pages/markup.ts";

/** The action of the form; see `feedback/feedback-request.ts`. */
export const FEEDBACK_ACTION = "/_docent/feedback";

/** The question at the end of a page. It works as a form; its script sends it without leaving the page. */
export function feedbackForm(route: string, words: Words): Html {
  return html`<form
    class="site-feedback" method="post" action="${FEEDBACK_ACTION}" aria-labelledby="site-feedback-question" data-feedback
    data-thanks="${words.feedbackThanks}" data-sent="${words.feedbackSent}" data-not-kept="${words.feedbackNotKept}"
    data-failed="${words.feedbackFailed}" data-opted-out="${words.feedbackOptedOut}"
  >
    <input type="hidden" name="path" value="${route}" />
    <div class="site-feedback-vote">
      <p id="site-feedback-question">${words.helpfulQuestion}</p>
      <span>
        <button type="submit" name="helpful" value="yes">${words.yes}</button>
        <button type="submit" name="helpful" value="no">${words.no}</button>
      </span>
    </div>
    <div class="site-feedback-words" hidden>${wordsField(words)}</div>
    <p class="site-feedback-status" role="status"></p>
  </form>`;
}

/** A free-text field for what was good, wrong or missing. */
export function wordsField(words: Words): Html {
  return html`<label for="site-feedback-comment">${words.whatToImprove}</label>
    <textarea id="site-feedback-comment" name="comment" rows="3" maxlength="${MAX_COMMENT_CHARACTERS}" aria-describedby="site-feedback-hint"></textarea>
    <div>
      <p id="site-feedback-hint"><span data-count></span> ${words.feedbackHint}</p>
      <button type="submit">${words.send}</button>
    </div>`;
}
