import { WEBHOOK_EVENTS, type WebhookEventType } from "#features/jobs/outbox.ts";
import { doneNote, formStart, problemNote, type Refused, selectOptions } from "#kit/pages/post-form.ts";
import { copyable } from "#kit/pages/copyable.ts";
import { dashboardDocument, type ShownProject, time } from "#kit/pages/document.ts";
import { listTable } from "#kit/pages/list-table.ts";
import { html, type Html, raw } from "#kit/pages/markup.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";
import { EVENT_WORDS } from "./messages.ts";
import type { WebhookDelivery } from "./webhook-deliveries.ts";
import type { WebhookWithSecret, WebhookEndpoint, WebhookFormat } from "./webhook-endpoints.ts";

interface Page {
  place: ShownProject;
  csrfToken: string;
  notice: string | null;
  refused: Refused | null;
  /** A webhook with a new secret, which is shown once. */
  made: WebhookWithSecret | null;
}

export interface WebhooksPage extends Page {
  webhooks: readonly WebhookEndpoint[];
  /** Identifies the form, so that sending it twice creates one webhook. */
  once: string;
}

/** The page with a project's webhooks. */
export function webhooksPage(page: WebhooksPage): Html {
  const { place, webhooks } = page;
  return dashboardDocument({
    title: `Webhooks · ${place.name}`,
    place,
    reader: "member",
    section: "webhooks",
    body: html`<div class="heading"><h1>Webhooks</h1></div>
      ${notes(page, "add")}
      <p class="muted lead">
        Docent sends an HTTP request to your address when a job ends or a pull request changes: a signed event for a program, or a message for the
        incoming webhook of a chat. It tries again for a day until the address answers with a 2xx status.
      </p>
      ${webhooks.length > 0 ? table(page) : html`<p class="muted">None yet.</p>`}
      <section class="block panel"><h2>Add webhook</h2>${webhookForm(page, { webhook: null, action: "add", button: "Add webhook" })}</section>`,
  });
}

function notes({ place, csrfToken, notice, refused, made }: Page, form: string): Html {
  return html`${doneNote(notice)}
  ${refused !== null && refused.action !== form && problemNote(refused.problem)}
  ${
    made &&
    html`<section class="new-key" role="status">
      <h2>${form === "add" ? "The webhook is added" : "The webhook has a new secret"}</h2>
      ${
        made.webhook.format === "standard" &&
        html`<p>Copy the secret now: it is not shown again. Your server verifies the signature of each request with it.</p>
          ${copyable("secret", made.secret.reveal())}`
      }
      ${form === "add" && action({ place, csrfToken, webhook: made.webhook }, "test", html`<button class="button">Send test event</button>`)}
    </section>`
  }`;
}

const stateOf = (webhook: WebhookEndpoint): { tone: string; words: string } => {
  if (!webhook.enabled) return { tone: "", words: webhook.disabledReason === null ? "Disabled" : "Disabled by Docent" };
  return webhook.failingSince === null ? { tone: "good", words: "Enabled" } : { tone: "bad", words: "Failing" };
};

const SHORT_FORMATS: Readonly<Record<WebhookFormat, string>> = { standard: "Signed event", slack: "Chat message" };

function table({ place, webhooks }: WebhooksPage): Html {
  return listTable(
    ["Address", "Format", "Events", "State"],
    webhooks.map((webhook) => {
      const { tone, words } = stateOf(webhook);
      const { length } = webhook.events;
      return html`<tr class="${webhook.enabled ? "" : "over"}">
        <td><a href="/${place.slug}/webhooks/${webhook.id}">${webhook.url}</a> ${webhook.description !== null && html`<br /><small class="muted">${raw(visibleHtml(webhook.description))}</small>`}</td>
        <td data-label="Format">${SHORT_FORMATS[webhook.format]}</td>
        <td data-label="Events">${length === WEBHOOK_EVENTS.length ? "All" : length === 1 ? webhook.events[0] : `${length} events`}</td>
        <td data-label="State"><span class="lamp ${tone}" aria-hidden="true"></span> ${words}</td>
      </tr>`;
    }),
  );
}

const FORMAT_WORDS: Readonly<Record<WebhookFormat, string>> = {
  standard: "Signed event, for programs",
  slack: "Message for Slack or a compatible chat",
};

function webhookForm(
  page: Page & { once?: string },
  { webhook, action, button }: { webhook: WebhookEndpoint | null; action: string; button: string },
): Html {
  const { place, csrfToken, once } = page;
  const refused = page.refused?.action === action ? page.refused : null;
  const isChosen = (event: WebhookEventType) =>
    refused ? refused.field(event) === "yes" : (webhook?.events.includes(event) ?? true);
  const format = refused?.field("format") ?? webhook?.format ?? "standard";
  return html`${formStart(`/${place.slug}/webhooks/${webhook ? `${webhook.id}/` : ""}${action}`, csrfToken)}
    ${webhook ? html`<input type="hidden" name="loaded" value="${webhook.updatedAt.toISOString()}" />` : html`<input type="hidden" name="once" value="${once}" />`}
    ${problemNote(refused?.problem)}
    <label>Address <input name="url" type="url" required maxlength="2000" value="${refused?.field("url") ?? webhook?.url ?? ""}" placeholder="https://example.com/hooks/docent" autocomplete="off" spellcheck="false" /></label>
    <label>Description <input name="description" maxlength="200" value="${refused?.field("description") ?? webhook?.description ?? ""}" placeholder="Optional: what it is for" autocomplete="off" /></label>
    <label>Format <select name="format">${selectOptions(FORMAT_WORDS, format)}</select></label>
    <fieldset class="checks">
      <legend>Events</legend>
      ${WEBHOOK_EVENTS.map((event) => html`<label><input type="checkbox" name="${event}" value="yes" ${isChosen(event) ? raw("checked") : ""} />${EVENT_WORDS[event]}</label>`)}
    </fieldset>
    <div class="send"><button class="button primary">${button}</button></div>
  </form>`;
}

export interface WebhookPage extends Page {
  webhook: WebhookEndpoint;
  /** Newest first. */
  deliveries: readonly WebhookDelivery[];
  olderHref: string | null;
}

const REFRESH_SECONDS = 3;

/** The page of one webhook: its state, actions and deliveries. */
export function webhookPage(page: WebhookPage): Html {
  const { place, webhook, deliveries } = page;
  const { tone, words } = stateOf(webhook);
  const isWaiting = deliveries.some(({ status, attempts }) => status === "pending" && attempts.length === 0);
  return dashboardDocument({
    title: `Webhook · ${place.name}`,
    place,
    reader: "member",
    section: "webhooks",
    live: isWaiting && page.made === null && page.refused === null ? { refreshSeconds: REFRESH_SECONDS } : {},
    body: html`<p><a href="/${place.slug}/webhooks">Webhooks</a></p>
      <div class="heading"><h1>Webhook</h1></div>
      ${notes(page, "change")}
      <p><code>${webhook.url}</code></p>
      <p>
        <span class="lamp ${tone}" aria-hidden="true"></span> ${words}${webhook.disabledReason !== null && html`: ${webhook.disabledReason}`}
        ${webhook.failingSince && html`<span class="muted">since ${time(webhook.failingSince)}</span>`}
        ${webhook.previousSecretUntil && html`<span class="muted">The previous secret signs, too, until ${time(webhook.previousSecretUntil)}.</span>`}
      </p>
      <div class="buttons">
        ${action(page, "test", html`<button class="button primary">Send test event</button>`)}
        ${action(page, webhook.enabled ? "disable" : "enable", html`<button class="button">${webhook.enabled ? "Disable" : "Enable"}</button>`)}
        ${webhook.format === "standard" && action(page, "rotate", html`<button class="button">New secret</button>`)}
      </div>
      <section class="block" id="deliveries" data-live>
        <h2>Deliveries</h2>
        ${deliveries.length === 0 && html`<p class="muted">Nothing was sent in the last 30 days. Send a test event to try it.</p>`}
        ${deliveries.map((delivery) => deliveryRow(page, delivery))}
        ${page.olderHref !== null && html`<p><a href="${page.olderHref}" rel="next">Older</a></p>`}
      </section>
      <section class="block panel"><h2>Change webhook</h2>${webhookForm(page, { webhook, action: "change", button: "Save" })}</section>
      <details class="block panel danger-zone">
        <summary>Delete webhook</summary>
        <p>Nothing more is sent to it, and its deliveries are deleted.</p>
        ${action(page, "delete", html`<button class="button danger">Delete webhook</button>`)}
      </details>`,
  });
}

const action = (
  { place, csrfToken, webhook }: Pick<WebhookPage, "place" | "csrfToken" | "webhook">,
  name: string,
  content: Html,
): Html => html`${formStart(`/${place.slug}/webhooks/${webhook.id}/${name}`, csrfToken, "")}${content}</form>`;

const DELIVERY_TONES: Readonly<Record<WebhookDelivery["status"], string>> = {
  pending: "wait",
  delivered: "good",
  failed: "bad",
};

function deliveryRow(page: WebhookPage, delivery: WebhookDelivery): Html {
  const { id, eventId, type, status, jobId, createdAt, nextAttemptAt, attempts } = delivery;
  return html`<details class="delivery" id="${id}">
    <summary><span class="lamp ${DELIVERY_TONES[status]}" aria-hidden="true"></span> <b>${type}</b> ${status} <span class="muted">${time(createdAt)}</span></summary>
    <dl class="facts">
      <dt>Request</dt>
      <dd><code>POST ${page.webhook.url}</code><br /><code>webhook-id: ${eventId}</code></dd>
      ${jobId !== null && html`<dt>Job</dt><dd><a href="/${page.place.slug}/jobs/${jobId}">${jobId}</a></dd>`}
      ${attempts.map(
        ({ attempt, startedAt, durationMs, status: answer, error, response }) =>
          html`<dt>Attempt ${attempt}</dt>
            <dd>
              ${time(startedAt)}, ${Math.round(durationMs)} ms: <b>${answer === null ? "no answer" : `status ${answer}`}</b> ${error}
              ${response !== null && response !== "" && html`<pre tabindex="0"><code>${raw(visibleHtml(response))}</code></pre>`}
            </dd>`,
      )}
      ${nextAttemptAt && html`<dt>Next attempt</dt><dd>${time(nextAttemptAt)}</dd>`}
    </dl>
    ${action(page, "redeliver", html`<input type="hidden" name="delivery" value="${id}" /><button class="button">Redeliver</button>`)}
  </details>`;
}
