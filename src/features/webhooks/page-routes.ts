import type { Hono } from "hono";
import { WEBHOOK_EVENTS } from "#features/jobs/outbox.ts";
import { formPages } from "#kit/pages/form-pages.ts";
import type { Member, ProjectAccess, SentForm } from "#features/keys/page-access.ts";
import { formKey, onlyOnce } from "#kit/http/request-outcomes.ts";
import { parseForm } from "#kit/pages/parse-form.ts";
import { AppError } from "#lib/app-error.ts";
import { newId } from "#lib/ids.ts";
import { NewWebhookBody } from "./bodies.ts";
import { sendTestEvent } from "./test-event.ts";
import { listDeliveries, redeliver } from "./webhook-deliveries.ts";
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  requireWebhook,
  findWebhookWithSecret,
  rotateWebhookSecret,
  type WebhookWithSecret,
  updateWebhook,
  type WebhookDeps,
} from "./webhook-endpoints.ts";
import { webhookPage, webhooksPage } from "./webhooks-page.ts";

export interface WebhookPagesDeps {
  access: ProjectAccess;
  /** The dependencies of the webhook routes of the API, which do the same work. */
  webhooks: WebhookDeps;
}

const ID = ":id{whk_[0-9a-z]{26}}";
const MAX_WEBHOOKS = 50;
const MAX_DELIVERIES = 30;
const LABELS = { url: "Address", description: "Description", events: "Events", format: "Format" };

function entered(field: (name: string) => string) {
  const asked = {
    url: field("url").trim(),
    events: WEBHOOK_EVENTS.filter((event) => field(event) === "yes"),
    ...(field("format") !== "" && { format: field("format") }),
    ...(field("description").trim() !== "" && { description: field("description").trim() }),
  };
  const {
    url,
    events = asked.events,
    description = null,
    format = "standard",
  } = parseForm(NewWebhookBody, asked, LABELS);
  return { url, events, description, format };
}

/** `/{slug}/webhooks`: where a project's events are sent, for its admins. */
export function createWebhookPages(deps: WebhookPagesDeps): Hono {
  const { webhooks } = deps;
  const nameOf = ({ project, param }: Pick<SentForm, "project" | "param">) => ({
    projectId: project.id,
    webhookId: param("id"),
  });
  const enable = (enabled: boolean) => async (sent: SentForm) => {
    await updateWebhook(webhooks, nameOf(sent), { enabled });
    return null;
  };
  const admin = { needs: "admin" } as const;

  return formPages<Member, WebhookWithSecret>({
    access: deps.access,
    pages: { webhooks: "admin", [`webhooks/${ID}`]: "admin" },
    actions: {
      "webhooks/add": {
        ...admin,
        async run(sent) {
          const asked = entered(sent.field);
          const projectId = sent.project.id;
          const key = formKey(sent.project.id, sent.field("once"), asked);
          const { answer: made } = await onlyOnce<WebhookWithSecret>(webhooks, key, {
            carryOut: () => createWebhook(webhooks, { projectId, ...asked }, key),
            repeat: (webhookId) => findWebhookWithSecret(webhooks, { projectId, webhookId }),
          });
          return { made };
        },
      },
      [`webhooks/${ID}/change`]: {
        ...admin,
        notice: "The webhook is changed.",
        async run(sent) {
          await updateWebhook(webhooks, nameOf(sent), entered(sent.field), (current) => {
            if (current.updatedAt.toISOString() === sent.field("loaded")) return;
            throw new AppError(
              "precondition_failed",
              `Someone changed this webhook while you edited. Its address is now ${current.url}, with ${current.events.join(", ")}. Your entries are still below: save again to use them.`,
            );
          });
          return null;
        },
      },
      [`webhooks/${ID}/enable`]: { ...admin, notice: "The webhook is enabled.", run: enable(true) },
      [`webhooks/${ID}/disable`]: { ...admin, notice: "The webhook is disabled.", run: enable(false) },
      [`webhooks/${ID}/rotate`]: {
        ...admin,
        run: async (sent) => ({ made: await rotateWebhookSecret(webhooks, nameOf(sent)) }),
      },
      [`webhooks/${ID}/test`]: {
        ...admin,
        notice: "The test event is on its way. It is the newest delivery below.",
        async run(sent) {
          await sendTestEvent(webhooks, nameOf(sent));
          return null;
        },
      },
      [`webhooks/${ID}/redeliver`]: {
        ...admin,
        notice: "The event is delivered again.",
        async run(sent) {
          await redeliver(webhooks, { ...nameOf(sent), deliveryId: sent.field("delivery") });
          return null;
        },
      },
      [`webhooks/${ID}/delete`]: {
        ...admin,
        notice: "The webhook is deleted.",
        async run(sent) {
          await deleteWebhook(webhooks, nameOf(sent));
          return { to: `/${sent.place.slug}/webhooks?done=delete` };
        },
      },
    },
    async show({ project, place, session }, shown, c) {
      const page = { place, csrfToken: session.csrfToken, ...shown };
      const projectId = project.id;
      const webhookId = c.req.param("id");
      if (webhookId === undefined) {
        const { items } = await listWebhooks(webhooks, { projectId, limit: MAX_WEBHOOKS, cursor: null });
        return webhooksPage({ ...page, webhooks: items, once: newId("req") });
      }
      const webhook = await requireWebhook(webhooks, { projectId, webhookId });
      const cursor = /^dlv_[0-9a-z]{26}$/.exec(c.req.query("before") ?? "")?.[0] ?? null;
      const options = { status: null, limit: MAX_DELIVERIES, cursor };
      const { items, nextCursor } = await listDeliveries(webhooks, { projectId, webhookId }, options);
      const olderHref = nextCursor && `/${place.slug}/webhooks/${webhookId}?before=${nextCursor}`;
      return webhookPage({ ...page, webhook, deliveries: items, olderHref });
    },
  });
}
