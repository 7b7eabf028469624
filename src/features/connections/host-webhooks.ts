import { createHmac } from "node:crypto";
import { Hono } from "hono";
import { z } from "zod";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { notFound } from "#kit/http/errors.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Secret } from "#lib/secrets/secret.ts";

/** How messages to a webhook are told from others. */
export interface SignedWebhook {
  secret: Secret;
  /** Whether the host's headers say what a body of this HMAC (SHA-256, of `secret`) must have. */
  isSigned(headers: Headers, hmac: Buffer): boolean;
}

export interface AppWebhookAbout {
  /** The host's own ids; null for one that is not named. */
  remoteId: string | null;
  installationId: string | null;
}

export interface HostWebhookDeps {
  /** Null when the project is not connected to a code host. */
  findWebhook(projectId: ProjectId): Promise<SignedWebhook | null>;
  /** Has the host looked at; returns at once. */
  follow(projectId: ProjectId): void;
  /** Null when there is no such app, or it has no webhook. */
  findAppWebhook(appId: string): Promise<SignedWebhook | null>;
  /** Has the host looked at for each project that the message is about. */
  followApp(appId: string, about: AppWebhookAbout): Promise<void>;
}

/** GitHub sends no larger ones (2026). */
const MAX_BODY_BYTES = 25 * 1024 * 1024;
/** Larger ones are not read for what they are about. */
const MAX_READ_BYTES = 2 * 1024 * 1024;

/**
 * Where code hosts say that something happened. A message is a hint and nothing more: what it tells of is asked of the
 * host, so that one that is doubled, late or out of order does no harm. Its body is checked as it comes; of an app's it is
 * read which repository it is about.
 */
export function hostWebhookRoutes(deps: HostWebhookDeps): Hono<HttpEnv> {
  const { findWebhook, follow, findAppWebhook, followApp } = deps;
  const routes = new Hono<HttpEnv>();
  routes.post("/git/:projectId{prj_[0-9a-z]{26}}/webhook", async (c) => {
    const projectId = c.req.param("projectId") as ProjectId;
    const webhook = await findWebhook(projectId);
    if (!webhook) throw notFound();
    await readSigned(c, webhook, { keepBytes: 0 });
    follow(projectId);
    return c.body(null, 202);
  });
  routes.post("/git/app/:appId{app_[0-9a-z]{26}}/webhook", async (c) => {
    const appId = c.req.param("appId");
    const webhook = await findAppWebhook(appId);
    if (!webhook) throw notFound();
    const body = await readSigned(c, webhook, { keepBytes: MAX_READ_BYTES });
    await followApp(appId, aboutOf(body));
    return c.body(null, 202);
  });
  return routes;
}

/** Checks a body as it comes. It answers with the body, and with null for one of more than `keepBytes`. */
async function readSigned(
  c: HttpContext,
  { secret, isSigned }: SignedWebhook,
  { keepBytes }: { keepBytes: number },
): Promise<Buffer | null> {
  const hmac = createHmac("sha256", secret.reveal());
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (c.req.raw.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new AppError("too_large", "A webhook's body has at most 25 MiB.");
    hmac.update(chunk);
    if (size <= keepBytes) kept.push(chunk);
  }
  if (!isSigned(c.req.raw.headers, hmac.digest())) {
    throw new AppError("unauthorized", "The signature is not that of this webhook's secret.");
  }
  return size <= keepBytes ? Buffer.concat(kept) : null;
}

const About = z.looseObject({
  repository: z.looseObject({ id: z.number() }).nullish(),
  installation: z.looseObject({ id: z.number() }).nullish(),
});

/** What a message of an app is about; all that it reaches where the message cannot be read. */
function aboutOf(body: Buffer | null): AppWebhookAbout {
  let said: unknown = null;
  try {
    said = JSON.parse(body?.toString("utf8") ?? "null");
  } catch {
    // It is a hint: without words it is about everything.
  }
  const { repository, installation } = About.safeParse(said).data ?? {};
  return {
    remoteId: repository ? String(repository.id) : null,
    installationId: installation ? String(installation.id) : null,
  };
}
