import { createHmac } from "node:crypto";
import { Hono } from "hono";
import { z } from "zod";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { notFound } from "#kit/http/errors.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Secret } from "#lib/secrets/secret.ts";

/** Verifies messages of a webhook. */
export interface SignedWebhook {
  secret: Secret;
  /** Whether the signature in the host's headers matches the HMAC (SHA-256, with `secret`) of the body. */
  isSigned(headers: Headers, hmac: Buffer): boolean;
}

export interface AppWebhookAbout {
  /** The host's IDs; null if absent. */
  remoteId: string | null;
  installationId: string | null;
}

export interface HostWebhookDeps {
  /** Null if the project is not connected to a code host. */
  findWebhook(projectId: ProjectId): Promise<SignedWebhook | null>;
  /** Schedules a sync and returns at once. */
  follow(projectId: ProjectId): void;
  /** Null if the app does not exist or has no webhook. */
  findAppWebhook(appId: string): Promise<SignedWebhook | null>;
  /** Schedules a sync of each project that the message concerns. */
  followApp(appId: string, about: AppWebhookAbout): Promise<void>;
}

/** GitHub's maximum (2026). */
const MAX_BODY_BYTES = 25 * 1024 * 1024;
/** The contents of larger ones are not parsed. */
const MAX_READ_BYTES = 2 * 1024 * 1024;

/**
 * Webhooks of code hosts. A message is only a hint to sync with the host, so duplicate, late or reordered messages do
 * no harm. Its body is verified while it arrives; only messages of apps are parsed, for the repository.
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

/** Verifies a body while it arrives. Returns the body, or null if it exceeds `keepBytes`. */
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

/** The repository and installation of an app's message; nulls, which match all, if it cannot be parsed. */
function aboutOf(body: Buffer | null): AppWebhookAbout {
  let said: unknown = null;
  try {
    said = JSON.parse(body?.toString("utf8") ?? "null");
  } catch {
    // An unreadable hint concerns all projects.
  }
  const { repository, installation } = About.safeParse(said).data ?? {};
  return {
    remoteId: repository ? String(repository.id) : null,
    installationId: installation ? String(installation.id) : null,
  };
}
