import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { randomBytes } from "node:crypto";
import type { Database } from "#db/database.ts";
import { operation } from "#kit/http/operation.ts";
import type { HttpEnv } from "#kit/http/context.ts";
import { answerOnce } from "#kit/http/idempotency.ts";
import { createRouter } from "#kit/http/router.ts";
import { ProjectParams, timestamp } from "#kit/http/schemas.ts";
import { claimKey } from "#kit/http/request-outcomes.ts";
import type { Clock } from "#lib/clock.ts";
import { listDomains } from "#features/projects/site/domains.ts";
import type { Project } from "#features/projects/project.ts";
import { endSiteVisits, readSiteAccess, type SiteAccess } from "#features/projects/site-access.ts";
import type { AccessTokens } from "./access-tokens.ts";
import { createSiteLink, MAX_LINK_PATH, MAX_LINK_SECONDS, MIN_LINK_SECONDS, type SiteLink } from "./site-link.ts";
import { siteAddressOf } from "#features/sites/site-project.ts";
import { type FindsProject, projectOfKey } from "#features/projects/project-of-key.ts";

export interface SiteLinkRoutesDeps extends FindsProject {
  database: Database;
  clock: Clock;
  siteTokens: AccessTokens;
  /** Address of a project's site by its slug. */
  siteUrl(slug: string): string;
  /** Address of a host that is served by this server. */
  hostUrl(host: string): string;
}

const tags = ["Projects"];
const WEEK_SECONDS = 7 * 86_400;

const NewLinkBody = z
  .strictObject({
    path: z
      .string()
      .max(MAX_LINK_PATH)
      .regex(/^\/(?![/\\])/, "must begin with one slash, such as /guides/setup")
      .default("/")
      .openapi({ description: "Path of the page that the link opens.", example: "/guides/setup" }),
    expiresInSeconds: z.number().int().min(MIN_LINK_SECONDS).max(MAX_LINK_SECONDS).default(WEEK_SECONDS).openapi({
      description: "Number of seconds until the link expires, from one minute to 366 days. One week if omitted.",
    }),
  })
  .openapi("NewSiteLink");
const LinkBody = z
  .object({
    url: z
      .string()
      .openapi({ format: "uri", description: "URL that opens the page and grants access to the whole site." }),
    token: z.string().openapi({
      description: "Token that a program can send to the site as `Authorization: Bearer` instead of opening the URL.",
    }),
    expiresAt: timestamp.openapi({ description: "Date and time when the link expires." }),
  })
  .openapi("SiteLink");

const linkRoute = operation({
  method: "post",
  path: "/v2/project/{projectId}/site-links",
  id: "createSiteLink",
  tags,
  summary: "Create a link to a private site",
  description:
    "Creates a link with which anyone can read the whole site until the link expires. The server does not store links: a single link cannot be revoked, but all links of the site can (`endSiteSessions`). Returns 409 if the site is public.",
  scope: "admin",
  params: ProjectParams,
  body: NewLinkBody,
  answer: [201, LinkBody, "The link."],
  errors: [409],
  headers: ["Cache-Control"],
});
const signOutRoute = operation({
  method: "delete",
  path: "/v2/project/{projectId}/site-sessions",
  id: "endSiteSessions",
  tags,
  summary: "Sign readers out",
  description:
    "Ends all sessions of readers and revokes all links of the site. The access mode of the site stays unchanged.",
  scope: "admin",
  params: ProjectParams,
  answer: [204, "All sessions have ended and all links are revoked."],
});

/** Links that open a private site, and their revocation. Authentication is the caller's. */
export function siteLinkRoutes(deps: SiteLinkRoutesDeps): OpenAPIHono<HttpEnv> {
  const { database, clock } = deps;
  const routes = createRouter();

  const projectOf = projectOfKey(deps);

  async function linkOf(
    project: Project,
    access: SiteAccess,
    { path, expiresInSeconds, made }: z.infer<typeof NewLinkBody> & { made: { at: Date; subject: string } },
  ): Promise<SiteLink> {
    const domains = await listDomains(database.kysely, project.id);
    const link = {
      site: { id: project.id, access },
      address: siteAddressOf(project.settings, domains, deps.hostUrl),
      ownUrl: deps.siteUrl(project.slug),
      path,
      lifetimeSeconds: expiresInSeconds,
      made,
    };
    return createSiteLink({ tokens: deps.siteTokens, clock }, link);
  }

  routes.openapi(linkRoute, async (c) => {
    const body = c.req.valid("json");
    const project = await projectOf(c);
    const link = await answerOnce<SiteLink>(c, deps, {
      asked: body,
      async carryOut(key) {
        const made = { at: clock.now(), subject: randomBytes(6).toString("base64url") };
        const access = await readSiteAccess(database.kysely, project.id);
        const done = await linkOf(project, access, { ...body, made });
        // The inputs of the token, not the token itself: access to the store alone gives no link.
        const at = made.at.getTime();
        const outcome = `${at} ${made.subject} ${access.version}`;
        await database.transaction((transaction) => claimKey(transaction, key, { outcome, at }));
        return done;
      },
      async repeat(outcome) {
        const [at, subject = "", version] = outcome.split(" ");
        const access = await readSiteAccess(database.kysely, project.id);
        if (access.version !== Number(version)) return null; // it has expired
        return linkOf(project, access, { ...body, made: { at: new Date(Number(at)), subject } });
      },
    });
    c.header("Cache-Control", "no-store");
    return c.json(link, 201);
  });

  routes.openapi(signOutRoute, async (c) => {
    await endSiteVisits(deps, (await projectOf(c)).id);
    return c.body(null, 204);
  });

  return routes;
}
