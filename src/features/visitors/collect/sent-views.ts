import { z } from "@hono/zod-openapi";
import { pathInProject } from "#features/projects/site/external-site.ts";
import { AppError } from "#lib/app-error.ts";
import { DAY_MS, type Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { schemaProblems } from "#lib/schema-words.ts";
import { MAX_USER_AGENT_LENGTH } from "#features/visitors/clients/classify.ts";
import { plainAddress } from "#features/visitors/client-address.ts";
import { dayOf } from "#features/visitors/day.ts";
import type { Journal } from "#features/visitors/journal/journal.ts";
import { acceptPreference, pagePath, referrerHost, type ViewRecord } from "#features/visitors/view-record.ts";

export const MAX_SENT_VIEWS = 1_000;
/** A sender's clock may be ahead by this much; anything beyond is an error. */
const MAX_AHEAD_MS = DAY_MS;

/** One view in the body of `POST /v1/analytics/{projectId}/views`. */
export const SentView = z.strictObject({
  event_id: z
    .string()
    .min(1)
    .max(128)
    .describe("Id of the view, chosen by the sender. Views with the same id on the same UTC day are the same view."),
  path: z.string().min(1).max(4_096).meta({ description: "Path of the page.", pattern: "^/", example: "/quickstart" }),
  time: z.iso.datetime({ offset: true }).optional().describe("Date and time of the view. The current time if omitted."),
  address: z.string().min(1).max(64).meta({
    description: "IPv4 or IPv6 address of the reader. The address is not stored.",
    pattern: "^\\s*\\[?[0-9A-Fa-f:.]+",
    example: "203.0.113.7",
  }),
  userAgent: z.string().max(4_096).describe("`User-Agent` header of the reader. The header is not stored."),
  surface: z.enum(["html", "markdown", "llms"]).default("html").describe("Format in which the page was served."),
  found: z.boolean().default(true).describe("Whether the page existed."),
  accept: z.string().max(1_024).optional().describe("`Accept` header of the reader."),
  referrer: z.string().max(4_096).optional().describe("`Referer` header of the reader. Only its host is stored."),
});

export const SentViews = z.strictObject({
  views: z.array(SentView).min(1).max(MAX_SENT_VIEWS).describe("Views to send."),
});

interface SentViewsDeps {
  journal: Pick<Journal, "append">;
  clock: Clock;
  /** Views from before this day are refused. */
  firstKeptDay(projectId: ProjectId): Promise<number>;
  /** See `AnalyticsSettings`. */
  siteBase(projectId: ProjectId): Promise<string | null>;
}

/** The response to the sender. */
export interface AcceptedViews {
  accepted: number;
  /** Views from before the first day that the project keeps, if there were any. */
  tooOld?: number;
}

/**
 * Accepts views from a server-side sender with an API key; its values for address, user agent and page are believed.
 * Resolves when all are safely on disk. Throws `AppError invalid` naming each wrong field, `unavailable` when the views
 * cannot be written: sending them again is safe.
 */
export async function sendViewsEndpoint(
  { journal, clock, firstKeptDay, siteBase }: SentViewsDeps,
  projectId: ProjectId,
  body: unknown,
): Promise<AcceptedViews> {
  const parsed = SentViews.safeParse(body);
  if (!parsed.success) {
    const details = schemaProblems(parsed.error.issues);
    throw new AppError("invalid", "The views do not have the expected format.", { details });
  }
  const now = clock.now().getTime();
  const base = await siteBase(projectId);
  const records = parsed.data.views.map((view, index) => recordOf(view, { projectId, index, now, base }));
  const firstDay = await firstKeptDay(projectId);
  const fresh = records.filter((record) => dayOf(record.time) >= firstDay);
  const written = await Promise.all(fresh.map((record) => journal.append(record)));
  if (!written.every(Boolean)) {
    throw new AppError("unavailable", "The views could not be written; send them again.", { retryAfterSeconds: 30 });
  }
  const tooOld = records.length - fresh.length;
  return { accepted: fresh.length, ...(tooOld > 0 && { tooOld }) };
}

function recordOf(
  view: z.infer<typeof SentView>,
  { projectId, index, now, base }: { projectId: ProjectId; index: number; now: number; base: string | null },
): ViewRecord {
  const refuse = (field: string, message: string) =>
    new AppError("invalid", "The views do not have the expected format.", {
      details: [{ path: `views.${index}.${field}`, message }],
    });
  const path = pagePath(pathInProject(base, view.path) ?? view.path);
  const address = plainAddress(view.address);
  const time = view.time === undefined ? now : Date.parse(view.time);
  if (path === null) throw refuse("path", 'must be a path that begins with "/"');
  if (address === null) throw refuse("address", "must be an IPv4 or IPv6 address");
  if (time > now + MAX_AHEAD_MS || time < 0) throw refuse("time", "must not be in the future");
  return {
    project: projectId,
    time,
    source: "reported",
    path,
    surface: view.surface,
    found: view.found,
    address,
    userAgent: view.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    preference: acceptPreference(view.accept ?? null),
    referrer: referrerHost(view.referrer ?? null),
    isPrivate: false,
    cookie: null,
    event: `sent ${view.event_id}`,
    signatureAgent: null,
    isPrefetch: false,
  };
}
