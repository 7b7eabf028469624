import { MAX_COMMENT_CHARACTERS } from "#analytics/feedback/kept-words.ts";
import { html, type Html } from "./markup.ts";

/** Where the form leads; see `feedback/feedback-request.ts`. */
export const FEEDBACK_ACTION = "/_docent/feedback";
/** Said where nothing is kept of what was sent. */
export const NOT_KEPT = "Nothing was kept: this site leaves you out of its counts, as you or it asked for.";

/** The question at the end of a page. It works as a form; its script sends it without leaving the page. */
export function feedbackForm(route: string): Html {
  return html`<form
    class="site-feedback" method="post" action="${FEEDBACK_ACTION}" aria-labelledby="site-feedback-question" data-feedback
    data-thanks="Thank you. You can say more, if you like." data-sent="Thank you. Your words were sent."
    data-not-kept="${NOT_KEPT}" data-failed="This could not be sent. Try again in a while."
    data-opted-out="Nothing was sent: you asked not to be counted in this browser."
  >
    <input type="hidden" name="path" value="${route}" />
    <div class="site-feedback-vote">
      <p id="site-feedback-question">Was this page helpful?</p>
      <span>
        <button type="submit" name="helpful" value="yes">Yes</button>
        <button type="submit" name="helpful" value="no">No</button>
      </span>
    </div>
    <div class="site-feedback-words" hidden>${wordsField()}</div>
    <p class="site-feedback-status" role="status"></p>
  </form>`;
}

/** What was good, wrong or missing, in words. */
export function wordsField(): Html {
  return html`<label for="site-feedback-comment">What was good, wrong or missing?</label>
    <textarea id="site-feedback-comment" name="comment" rows="3" maxlength="${MAX_COMMENT_CHARACTERS}" aria-describedby="site-feedback-hint"></textarea>
    <div>
      <p id="site-feedback-hint"><span data-count></span> Optional. The authors of this site read it; leave out names and addresses.</p>
      <button type="submit">Send</button>
    </div>`;
}
