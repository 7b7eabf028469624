import { type Context, Hono } from "hono";
import { FEEDBACK_STATUSES, listFeedback, setFeedbackStatus } from "#features/visitors/feedback/feedback-report.ts";
import { type Day, dayOf } from "#features/visitors/day.ts";
import { sendNotFound } from "#kit/pages/problem-page.ts";
import { createProjectAccess, type ProjectAccessDeps } from "#features/keys/page-access.ts";
import { limitedForm, sendPage } from "#kit/pages/send-page.ts";
import type { Database } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import { feedbackPage } from "./feedback-page.ts";

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

/** `/{slug}/analytics/feedback`: what readers wrote, for readers who are signed in to the project, who say how far it is. */
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
    const opened = await access.openForm(c, { signInTo: list });
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
