import {
  type FeedbackEntry,
  type FeedbackStatus,
  type PageFeedback,
} from "#features/visitors/feedback/feedback-report.ts";
import type { ShownRange } from "./shown-range.ts";
import { type ShownProject, time } from "#kit/pages/document.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";

/** Labels of the statuses. */
export const STATUS_WORDS: Record<FeedbackStatus, string> = {
  pending: "New",
  in_progress: "In progress",
  resolved: "Resolved",
  dismissed: "Dismissed",
};

/** The feedback on pages in a range of days. */
export interface FeedbackSummary {
  votes: { helpful: number; notHelpful: number; agents: number };
  pages: readonly PageFeedback[];
  /** The newest comments. */
  words: readonly FeedbackEntry[];
}

const MAX_PAGES = 25;
const MAX_COMMENT_LINES = 12;
const share = (part: number, whole: number) => Math.round((part / whole) * 100);

/** Two reports of the analytics page: votes by page, and the newest comments with a link to all of them. */
export function feedbackSections(
  { place, range }: { place: ShownProject; range: ShownRange },
  summary: FeedbackSummary,
): Html {
  const { votes, pages, words } = summary;
  const voted = votes.helpful + votes.notHelpful;
  const address = `/${place.slug}/analytics`;
  return html`<section class="card report">
      <h2>Was it helpful? <a href="${address}/helpful.csv?${range.query}">CSV</a></h2>
      ${
        pages.length === 0
          ? html`<p class="muted">No data in this range.</p>`
          : html`<p class="muted">${voted === 0 ? "No reader voted." : `${share(votes.helpful, voted)} % of ${voted.toLocaleString("en")} votes by readers say yes.`}</p>
              ${pageTable(pages)}`
      }
    </section>
    <section class="card report">
      <h2>What readers wrote <a href="${address}/feedback.csv?${range.query}">CSV</a></h2>
      ${
        words.length === 0
          ? html`<p class="muted">No data in this range.</p>`
          : html`<ul class="words">${words.map((entry) => wordsItem(entry, null))}</ul>
              <p><a href="${address}/feedback?days=${range.days}">All feedback</a></p>`
      }
    </section>`;
}

function pageTable(pages: readonly PageFeedback[]): Html {
  return html`<table class="figures many helpful">
    <thead>
      <tr>
        <th scope="col">Page</th>
        <th scope="col">Helpful</th>
        ${["Yes", "No", "Others"].map((column) => html`<th scope="col" class="count">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${pages.slice(0, MAX_PAGES).map(
        ({ path, thumbsUp, thumbsDown, total }) =>
          html`<tr>
            <td>${raw(visibleHtml(path))}</td>
            <td class="share">${thumbsUp + thumbsDown === 0 ? "" : shareBar(thumbsUp, thumbsUp + thumbsDown)}</td>
            <td class="count" data-label="Yes">${thumbsUp}</td>
            <td class="count" data-label="No">${thumbsDown}</td>
            <td class="count" data-label="Others">${total - thumbsUp - thumbsDown}</td>
          </tr>`,
      )}
    </tbody>
  </table>
  ${pages.length > MAX_PAGES ? html`<p class="muted">More pages are in the CSV.</p>` : ""}`;
}

/** A share as a bar with its percentage. */
function shareBar(part: number, whole: number): Html {
  const percent = share(part, whole);
  return html`<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="8" class="no" />
      <rect width="${percent}" height="8" class="yes" />
    </svg>
    ${percent} %`;
}

/** One entry; `action` is the control for its status, null where it is only shown. */
export function wordsItem(entry: FeedbackEntry, action: Html | null): Html {
  const { comment, path, source, helpful, status, createdAt } = entry;
  const lines = (comment ?? "").split("\n");
  const shownLines =
    lines.length > MAX_COMMENT_LINES
      ? [...lines.slice(0, MAX_COMMENT_LINES), lines.slice(MAX_COMMENT_LINES).join(" ")]
      : lines;
  return html`<li>
    <p class="meta">
      ${helpful !== null && html`<span class="badge ${helpful ? "good" : "bad"}">${helpful ? "Helpful" : "Not helpful"}</span>`}
      ${source === "agent" && html`<span class="badge">Agent</span>`} <b>${raw(visibleHtml(path))}</b> ${time(new Date(createdAt))}
      ${action === null && status !== "pending" ? html`<span class="badge">${STATUS_WORDS[status]}</span>` : ""}
    </p>
    ${comment !== null && html`<blockquote dir="auto">${shownLines.map((line, index) => html`${index > 0 ? raw("<br />") : ""}${raw(visibleHtml(line))}`)}</blockquote>`}
    ${action}
  </li>`;
}
