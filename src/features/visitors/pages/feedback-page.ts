import {
  FEEDBACK_STATUSES,
  type FeedbackEntry,
  type FeedbackStatus,
} from "#features/visitors/feedback/feedback-report.ts";
import { dashboardDocument, type ShownProject } from "#kit/pages/document.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { STATUS_WORDS, statusOptions, wordsItem } from "./feedback-sections.ts";

export interface FeedbackPage {
  place: ShownProject;
  csrfToken: string;
  days: number;
  /** Null shows all. */
  status: FeedbackStatus | null;
  words: readonly FeedbackEntry[];
  nextCursor: string | null;
}

/** What readers and agents wrote, newest first, with how far the team is with each. */
export function feedbackPage(page: FeedbackPage): Html {
  const { place, days, status, words, nextCursor } = page;
  const address = (of: FeedbackStatus | null, cursor: string | null = null) => {
    const query = new URLSearchParams({ days: String(days), ...(of && { status: of }), ...(cursor && { cursor }) });
    return `/${place.slug}/analytics/feedback?${query.toString()}`;
  };
  const choice = (of: FeedbackStatus | null, label: string) =>
    html`<a href="${address(of)}" ${of === status ? raw('aria-current="page"') : ""}>${label}</a>`;
  return dashboardDocument({
    title: `Feedback · ${place.name}`,
    place,
    reader: "member",
    section: "analytics",
    body: html`<div class="heading"><h1>What readers wrote</h1></div>
      <p class="muted">Of the last ${days} days. <a href="/${place.slug}/analytics?days=${days}">All counts</a></p>
      <nav class="tabs" aria-label="Status">
        ${choice(null, "All")} ${FEEDBACK_STATUSES.map((each) => choice(each, STATUS_WORDS[each]))}
      </nav>
      ${
        words.length === 0
          ? html`<p class="muted">There is nothing here.</p>`
          : html`<ul class="words">${words.map((entry) => wordsItem(entry, statusForm(page, entry)))}</ul>`
      }
      ${nextCursor !== null && html`<p><a rel="next" href="${address(status, nextCursor)}">Older ones</a></p>`}`,
  });
}

function statusForm(
  { place, csrfToken, days, status: shown }: FeedbackPage,
  { id, status, path }: FeedbackEntry,
): Html {
  return html`<form method="post" action="/${place.slug}/analytics/feedback/${id}">
    <input type="hidden" name="csrf" value="${csrfToken}" />
    <input type="hidden" name="days" value="${days}" />
    <input type="hidden" name="shown" value="${shown ?? ""}" />
    <select name="status" aria-label="Status of the words about ${path}">${statusOptions(status)}</select>
    <button class="button">Save</button>
  </form>`;
}
