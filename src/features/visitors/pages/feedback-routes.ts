import { type Context, Hono } from "hono";
import {
  FEEDBACK_STATUSES,
  listFeedback,
  setFeedbackStatus,
  type FeedbackEntry,
  type FeedbackStatus,
} from "#features/visitors/feedback/feedback-report.ts";
import { type Day, dayOf } from "#features/visitors/day.ts";
import { sendNotFound } from "#kit/pages/problem-page.ts";
import { createProjectAccess, type ProjectAccessDeps } from "#features/keys/page-access.ts";
import { limitedForm, sendPage } from "#kit/pages/send-page.ts";
import type { Database } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import { dashboardDocument, may, type ShownProject } from "#kit/pages/document.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { formStart, selectOptions } from "#kit/pages/post-form.ts";
import { STATUS_WORDS, wordsItem } from "./feedback-sections.ts";

export interface FeedbackPageDeps extends ProjectAccessDeps {
  database: Database;
  clock: Clock;
}

const PAGE_SIZE = 30;
const MAX_FORM_BYTES = 4_096;
const MAX_DAYS = 3_660;
const DEFAULT_DAYS = 30;
const ENTRY = ":id{fbk_[0-9a-z]{26}}";

const statusOf = (text: string | undefined) => FEEDBACK_STATUSES.find((status) => status === text) ?? null;

function daysOf(text: string | undefined): number {
  const days = /^\d{1,4}$/.test(text ?? "") ? Number(text) : 0;
  return days >= 1 && days <= MAX_DAYS ? days : DEFAULT_DAYS;
}

/** `/{slug}/analytics/feedback`: readers' comments, for signed-in members of the project, who set their status. */
export function createFeedbackRoutes(deps: FeedbackPageDeps): Hono {
  const access = createProjectAccess(deps);
  const routes = new Hono();

  routes.get("/:slug/analytics/feedback", async (c: Context) => {
    const opened = await access.open(c);
    if (opened.answer) return opened.answer;
    const { project, place, session } = opened;
    const days = daysOf(c.req.query("days"));
    const status = statusOf(c.req.query("status"));
    const to = (dayOf(deps.clock.now().getTime()) + 1) as Day;
    const { feedback, nextCursor } = await listFeedback(deps, {
      projectId: project.id,
      from: (to - days) as Day,
      to,
      source: null,
      statuses: status === null ? [] : [status],
      limit: PAGE_SIZE,
      cursor: c.req.query("cursor") ?? null,
      hasWords: true,
    });
    return sendPage(
      c,
      feedbackPage({ place, csrfToken: session.csrfToken, days, status, words: feedback, nextCursor }),
    );
  });

  routes.post(`/:slug/analytics/feedback/${ENTRY}`, limitedForm(MAX_FORM_BYTES), async (c) => {
    const list = `/${c.req.param("slug")}/analytics/feedback`;
    const opened = await access.openForm(c, { signInTo: list, needs: "agent" });
    if (opened.answer) return opened.answer;
    const { project, field } = opened;
    const status = statusOf(field("status"));
    const isSet =
      status !== null && (await setFeedbackStatus(deps, { projectId: project.id, id: c.req.param("id"), status }));
    if (!isSet) return sendNotFound(c);
    const shown = statusOf(field("shown"));
    const query = new URLSearchParams({ days: String(daysOf(field("days"))), ...(shown && { status: shown }) });
    return c.redirect(`${list}?${query.toString()}`, 303);
  });
  return routes;
}

interface FeedbackPage {
  place: ShownProject;
  csrfToken: string;
  days: number;
  /** Null shows all. */
  status: FeedbackStatus | null;
  words: readonly FeedbackEntry[];
  nextCursor: string | null;
}

/** The feedback of readers and agents, newest first, with the status of each entry. */
function feedbackPage(page: FeedbackPage): Html {
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
          : html`<ul class="words">${words.map((entry) => wordsItem(entry, may(place, "agent") ? statusForm(page, entry) : null))}</ul>`
      }
      ${nextCursor !== null && html`<p><a rel="next" href="${address(status, nextCursor)}">Older ones</a></p>`}`,
  });
}

function statusForm(
  { place, csrfToken, days, status: shown }: FeedbackPage,
  { id, status, path }: FeedbackEntry,
): Html {
  return html`${formStart(`/${place.slug}/analytics/feedback/${id}`, csrfToken, "")}
    <input type="hidden" name="days" value="${days}" />
    <input type="hidden" name="shown" value="${shown ?? ""}" />
    <select name="status" aria-label="Status of the words about ${path}">${selectOptions(STATUS_WORDS, status)}</select>
    <button class="button">Save</button>
  </form>`;
}
