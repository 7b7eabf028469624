import { createHmac } from "node:crypto";
import { Hono } from "hono";
import type { HttpEnv } from "#http/context.ts";
import { notFound } from "#http/errors.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Secret } from "#lib/secrets/secret.ts";

export interface HostWebhookDeps {
  /** Null when the project is not connected to a code host. */
  findWebhook(projectId: ProjectId): Promise<{
    secret: Secret;
    /** Whether the host's headers say what a body of this HMAC (SHA-256, of `secret`) must have. */
    isSigned(headers: Headers, hmac: Buffer): boolean;
  } | null>;
  /** Has the host looked at; returns at once. */
  follow(projectId: ProjectId): void;
}

/** GitHub sends no larger ones (2026). */
const MAX_BODY_BYTES = 25 * 1024 * 1024;

/**
 * Where code hosts say that something happened. A message is a hint and nothing more: what it tells of is asked of the
 * host, so that one that is doubled, late or out of order does no harm. Its body is checked as it comes and not kept.
 */
export function hostWebhookRoutes({ findWebhook, follow }: HostWebhookDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  routes.post("/git/:projectId{prj_[0-9a-z]{26}}/webhook", async (c) => {
    const projectId = c.req.param("projectId") as ProjectId;
    const webhook = await findWebhook(projectId);
    if (!webhook) throw notFound();
    const hmac = createHmac("sha256", webhook.secret.reveal());
    let size = 0;
    for await (const chunk of (c.req.raw.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) throw new AppError("too_large", "A webhook's body has at most 25 MiB.");
      hmac.update(chunk);
    }
    if (!webhook.isSigned(c.req.raw.headers, hmac.digest())) {
      throw new AppError("unauthorized", "The signature is not that of this project's webhook secret.");
    }
    follow(projectId);
    return c.body(null, 202);
  });
  return routes;
}
