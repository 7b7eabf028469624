import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { countCall, setRateLimit } from "#kit/limits/rate-limit.ts";
import { addressPrefix, plainAddress } from "#features/visitors/client-address.ts";
import type { Analytics } from "#features/visitors/collect/analytics.ts";
import { type Erasure, erasureOf } from "#features/visitors/collect/erasure.ts";
import { ingestSnippet } from "#features/visitors/collect/ingest-snippet.ts";
import { readAnalyticsSettings } from "#features/visitors/settings.ts";
import type { Database } from "#db/database.ts";
import { operation } from "#kit/http/operation.ts";
import type { HttpEnv } from "#kit/http/context.ts";
import { RATE_LIMIT_HEADERS } from "#kit/http/document/answer-headers.ts";
import { answerOnce } from "#kit/http/idempotency.ts";
import { createRouter } from "#kit/http/router.ts";
import { amount, ProjectParams } from "#kit/http/schemas.ts";
import { claimKey } from "#kit/http/request-outcomes.ts";
import type { Clock } from "#lib/clock.ts";

export interface AnalyticsUpkeepDeps {
  database: Database;
  clock: Clock;
  eraseReaders: Analytics["eraseReaders"];
  baseUrl(): string;
}

const tags = ["Analytics"];
/** Each scans all views that the project keeps. */
const ERASURES_PER_HOUR = 60;
const MAX_NAMED = 100;
const MAX_CHARACTERS = 1_000;

const ADDRESS_RULE = "must be an IPv4 or IPv6 address";
const named = (description: string, item: { description: string; example: string }) =>
  z
    .array(z.string().min(1).max(MAX_CHARACTERS).openapi(item))
    .max(MAX_NAMED)
    .default([])
    .openapi({ description, example: [] });
const NewErasureBody = z
  .strictObject({
    address: z
      .string(ADDRESS_RULE)
      .max(45, ADDRESS_RULE)
      .refine((text) => plainAddress(text) !== null, ADDRESS_RULE)
      .openapi({
        description: "IPv4 or IPv6 address whose readers are erased. For IPv6, the whole /64 is erased.",
        pattern: "^[0-9a-fA-F.:]+$",
        example: "192.0.2.1",
      }),
    userAgents: named("User agents of programs that Docent does not know by name.", {
      description: "User agent, as the program sends it.",
      example: "harbor-indexer/2.1",
    }),
    cookies: named(
      "Values of the readers' `docent_visitor` cookies, for projects in which visitors are told apart by a cookie.",
      {
        description: "Value of a `docent_visitor` cookie.",
        example: "q3v0cVt2S7mB1xY9",
      },
    ),
  })
  .openapi("NewErasure");
const ErasureBody = z
  .object({
    address: z
      .string()
      .openapi({ description: "Address whose readers were erased. For IPv6, the /64.", example: "192.0.2.1" }),
    visitors: amount.openapi({ description: "Number of visitor numbers that the address had." }),
    views: amount.openapi({ description: "Number of deleted views." }),
    days: amount.openapi({ description: "Number of days with deleted views." }),
    feedback: amount.openapi({ description: "Number of deleted votes and comments." }),
    damagedFiles: amount.nullable().openapi({
      description:
        "Number of deleted files with unreadable bytes of the journal that contained the address. `null` with a key of the project, which leaves these files because they belong to all projects.",
    }),
    notReached: z
      .array(z.string().openapi({ description: "Description of data that may remain." }))
      .openapi({ description: "Data that may remain, and what to do about it." }),
  })
  .openapi("Erasure");
const SnippetBody = z
  .object({
    snippet: z
      .string()
      .openapi({ description: "HTML element that loads the script, for every page of the site hosted elsewhere." }),
    allowedOrigins: z.array(z.string().openapi({ description: "Origin of a site." })).openapi({
      description:
        "Origins that can send views: that of the external site, then `settings.analytics.allowedOrigins` of the project.",
    }),
  })
  .openapi("AnalyticsSnippet");

const eraseRoute = operation({
  method: "post",
  path: "/v2/project/{projectId}/erasures",
  id: "eraseAddress",
  tags,
  summary: "Erase the readers of an address",
  description:
    "Permanently deletes what the project stores about the readers: views, visitor numbers, their share of all counts, and feedback. The response is sent when the deletion is complete, which can take a minute or more if there are many views. Limited to 60 requests per hour.",
  scope: "admin",
  params: ProjectParams,
  body: NewErasureBody,
  answer: [200, ErasureBody, "What was deleted, and what may remain."],
  errors: [429],
  headers: RATE_LIMIT_HEADERS,
});
const snippetRoute = operation({
  method: "get",
  path: "/v2/project/{projectId}/analytics-snippet",
  id: "getAnalyticsSnippet",
  tags,
  summary: "Get the script for a site hosted elsewhere",
  description:
    "Returns the script, which reports each viewed page to this server from the origins that the project allows.",
  scope: "read",
  params: ProjectParams,
  answer: [200, SnippetBody, "The script."],
});

/** Erasing readers, and the script for other sites. Authentication is the caller's. */
export function analyticsUpkeepRoutes(deps: AnalyticsUpkeepDeps): OpenAPIHono<HttpEnv> {
  const { database, clock } = deps;
  const routes = createRouter();

  routes.openapi(eraseRoute, async (c) => {
    const body = c.req.valid("json");
    const { projectId, isOfInstance } = c.get("principal");
    const state = await countCall(database.kysely, {
      projectId,
      bucket: "erasures",
      limit: ERASURES_PER_HOUR,
      now: clock.now(),
    });
    setRateLimit(c, state);
    const address = plainAddress(body.address)!;
    const erasure = await answerOnce<Erasure>(c, deps, {
      asked: body,
      async carryOut(key) {
        const settings = await readAnalyticsSettings(database.kysely, projectId);
        const erased = await deps.eraseReaders({ ...body, projectId, address, hasDamage: isOfInstance });
        const hasUnnamedCookies = settings?.identity === "cookie" && body.cookies.length === 0;
        const { address: whose, ...counts } = erasureOf(erased, { address: addressPrefix(address), hasUnnamedCookies });
        // Erasing is idempotent. Its outcome is kept for a day, and must not contain the address.
        const outcome = JSON.stringify(counts);
        const at = clock.now().getTime();
        await database.transaction((transaction) => claimKey(transaction, key, { outcome, at }));
        return { address: whose, ...counts };
      },
      repeat: async (outcome) => ({
        address: addressPrefix(address),
        ...(JSON.parse(outcome) as Omit<Erasure, "address">),
      }),
    });
    return c.json(erasure, 200);
  });

  routes.openapi(snippetRoute, async (c) => {
    const { projectId } = c.get("principal");
    const snippet = ingestSnippet({ endpoint: `${deps.baseUrl()}/ingest/${projectId}` });
    const settings = await readAnalyticsSettings(database.kysely, projectId);
    return c.json({ snippet, allowedOrigins: [...(settings?.allowedOrigins ?? [])] }, 200);
  });

  return routes;
}
