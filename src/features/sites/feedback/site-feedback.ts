import { cookieValue } from "#features/visitors/clients/visitor-key.ts";
import { MAX_USER_AGENT_LENGTH } from "#features/visitors/clients/classify.ts";
import { isOfOwnSite } from "#features/visitors/collect/own-site.ts";
import { isPrivate } from "#features/visitors/collect/request-record.ts";
import {
  type FeedbackAuthor,
  type FeedbackSender,
  type GivenFeedback,
  keptWords,
} from "#features/visitors/feedback/feedback-book.ts";
import type { DocsConfig } from "#docs/config/docs-config.ts";
import { AppError } from "#lib/app-error.ts";
import type { PlainAnswer, PlainRequest, WholeRequest } from "#lib/network/plain-http.ts";
import { pathInside } from "#features/sites/base-path.ts";
import { createBody, sendBody } from "#lib/network/body.ts";
import { pageFinder } from "#features/sites/view-collector.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { type SiteFrame, messageDocument } from "#features/sites/theme/page.ts";
import { isForm, readFeedback } from "./feedback-request.ts";
import { FEEDBACK_ACTION, wordsField } from "#features/sites/theme/feedback-form.ts";
import { html } from "#kit/pages/markup.ts";

/** A vote or comment that was sent to a site. */
export interface FeedbackVisit {
  request: WholeRequest;
  project: SiteProject;
  version: SiteVersion;
  frame: SiteFrame;
  peerAddress: string;
}

/** Handles feedback for all sites. */
export interface SiteFeedback {
  /** Whether the pages of a site ask for feedback, by its configuration and the project's settings. */
  isAsked(project: SiteProject, config: DocsConfig): boolean;
  /** Processes feedback and responds in JSON, or with a page to a form. Throws only `AppError unavailable`. */
  answer(visit: FeedbackVisit): Promise<PlainAnswer>;
}

const STATUS: Partial<Record<AppError["code"], number>> = {
  invalid: 400,
  forbidden: 403,
  not_found: 404,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
};

export function createSiteFeedback(deps: {
  /** The client's address, or null when it has sent too much already. */
  admits(project: SiteProject, request: PlainRequest, peerAddress: string): string | null;
  findAuthor(sender: FeedbackSender): FeedbackAuthor | null;
  /** See `keepFeedback`. */
  keep(given: GivenFeedback): Promise<boolean>;
  /** Headers of every page of a site. */
  pageHeaders: Record<string, string>;
}): SiteFeedback {
  const isAsked: SiteFeedback["isAsked"] = (project, config) =>
    project.takesFeedback !== false && config.feedback.thumbsRating;

  async function take(visit: FeedbackVisit): Promise<FeedbackAnswer> {
    const { request, project, version, peerAddress } = visit;
    const { headers } = request;
    if (!isAsked(project, version.docs.config)) throw new AppError("not_found", "This site does not collect feedback.");
    if (!isOfOwnSite(request, []))
      throw new AppError("forbidden", "Feedback is accepted only from pages of this site.");
    const address = deps.admits(project, request, peerAddress);
    if (address === null) {
      const message = "Too much feedback comes from this address. Try again in a minute.";
      throw new AppError("rate_limited", message, { retryAfterSeconds: 60 });
    }
    const sent = await readFeedback(request);
    const findPage = pageFinder(version.docs);
    // An agent knows pages by their addresses, which include the base path; the page's form sends the path without it.
    const page = findPage(sent.path) ?? findPage(pathInside(visit.frame.base, sent.path));
    if (page === null) throw new AppError("invalid", "This site has no page at this `path`.");
    const comment = keptWords(sent.comment);
    const author = deps.findAuthor({
      userAgent: (headers.get("user-agent") ?? "").slice(0, MAX_USER_AGENT_LENGTH),
      signatureAgent: headers.get("signature-agent")?.slice(0, 256) ?? null,
      // `isOfOwnSite` is also true without these headers, which means a program.
      isOwnPage: headers.get("origin") !== null || headers.get("sec-fetch-site") !== null,
      isAutomated: sent.isAutomated,
    });
    if (author === null) throw new AppError("forbidden", "Feedback from crawlers and robots is not accepted.");
    const isKept = await deps.keep({
      ...author,
      projectId: project.id,
      page,
      helpful: sent.helpful,
      comment,
      address,
      cookie: cookieValue(headers.get("cookie")),
      isPrivate: isPrivate(headers),
    });
    return { page, helpful: sent.helpful, hasWords: comment !== null, isKept };
  }

  function send(visit: FeedbackVisit, { status, answer }: { status: number; answer: FeedbackAnswer | AppError }) {
    const { request, project, frame } = visit;
    const wait = answer instanceof AppError ? answer.retryAfterSeconds : undefined;
    const headers = wait === undefined ? {} : { "Retry-After": String(wait) };
    const owner = { owner: project.id };
    if (isForm(request)) {
      const body = createBody(feedbackDocument(frame, answer), "text/html; charset=utf-8", owner);
      return sendBody(request, body, {
        status,
        headers: { ...deps.pageHeaders, ...headers, "Cache-Control": "no-store" },
      });
    }
    const said = answer instanceof AppError ? { error: answer.message, code: answer.code } : { kept: answer.isKept };
    const body = createBody(`${JSON.stringify(said)}\n`, "application/json", owner);
    return sendBody(request, body, { status, headers: { ...headers, "Cache-Control": "no-store" } });
  }

  return {
    isAsked,
    async answer(visit) {
      if (visit.request.method !== "POST") {
        const message = `This address takes POST.`;
        return {
          status: 405,
          headers: { Allow: "POST", "Content-Type": "text/plain; charset=utf-8" },
          body: `${message}\n`,
        };
      }
      try {
        return await send(visit, { status: 200, answer: await take(visit) });
      } catch (error) {
        const status = error instanceof AppError ? STATUS[error.code] : undefined;
        if (!(error instanceof AppError) || status === undefined) throw error;
        return await send(visit, { status, answer: error });
      }
    },
  };
}

/** The result of a vote or comment. */
interface FeedbackAnswer {
  /** Route of the page that it is about. */
  page: string;
  helpful: boolean | null;
  hasWords: boolean;
  /** False when the project or the reader excludes it from the counts. */
  isKept: boolean;
}

/** The response to the form of a page, for browsers without scripts. */
function feedbackDocument(frame: SiteFrame, answer: FeedbackAnswer | Error): string {
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
