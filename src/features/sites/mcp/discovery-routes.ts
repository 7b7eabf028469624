import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { basePathOf } from "#features/projects/site/external-site.ts";
import { countRead, setRateLimit } from "#kit/limits/rate-limit.ts";
import type { Page } from "#docs/tree/page-tree.ts";
import type { Database } from "#db/database.ts";
import { operation } from "#kit/http/operation.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { RATE_LIMIT_HEADERS } from "#kit/http/document/answer-headers.ts";
import { notFound } from "#kit/http/errors.ts";
import { createRouter } from "#kit/http/router.ts";
import { furtherParameter } from "#kit/http/schemas.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { partsText } from "#search/excerpt.ts";
import type { SearchResult } from "#search/search-result.ts";
import { findPage } from "./tools.ts";
import { defaultLanguage } from "./listed-pages.ts";
import type { SiteSearch } from "#features/sites/search/site-search.ts";
import { publishedOrigin, type SiteProject } from "#features/sites/site-project.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";

export interface DiscoveryDeps {
  database: Pick<Database, "kysely">;
  clock: Clock;
  /** Finds the site of a slug or a domain. */
  findSite(label: string): Promise<SiteProject | null>;
  /** The live version. */
  versionOf(project: SiteProject): Promise<SiteVersion>;
  search: Pick<SiteSearch, "ask">;
  /** The page as Markdown. */
  markdown(project: SiteProject, version: SiteVersion, page: Page): Promise<string>;
  siteUrl(slug: string): string;
}

const CALLS_PER_HOUR = 10_000;
const MAX_QUERY = 200;
const MAX_RESULTS = 50;
const MAX_PART = 100;
const MAX_PATH = 2_000;
const tags = ["Search and pages"];

const SiteParams = z.object({
  domain: furtherParameter("domain", "the site: the project's slug, or a domain of its own", "harbor-docs"),
});
const part = (of: string) =>
  z
    .string()
    .min(1)
    .max(MAX_PART)
    .optional()
    .openapi({ description: `Only pages of this ${of}, as named in the navigation.` });
const groups = z
  .array(z.string(), "must be an empty list: sites have no groups of readers here")
  .max(0, "must be empty: sites have no groups of readers here")
  .optional()
  .openapi({
    description:
      "Groups of readers. Must be empty: sites have no groups of readers on this server, and the key can read all pages.",
  });

const SearchBody = z
  .object({
    query: z.string().min(1).max(MAX_QUERY).regex(/\S/, "must not be blank").openapi({
      description: "Words to search for. Misspelled words and beginnings of words also match.",
      example: "api tokens",
    }),
    pageSize: z
      .number()
      .int()
      .min(1)
      .max(MAX_RESULTS)
      .default(10)
      .openapi({ description: "Maximum number of results." }),
    scoreThreshold: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .openapi({ description: "Accepted but not applied: this search ranks results without giving them scores." }),
    filter: z
      .object({
        version: part("version").openapi({
          description:
            "Version of the pages to search. If omitted, the default version, followed by what only other versions have.",
        }),
        language: part("language").openapi({
          description: "Language of the pages to search. The site's first language if omitted.",
        }),
        tag: part("tag").openapi({ description: "Value of `tag` in the front matter of the pages to search." }),
        groups,
      })
      .optional()
      .openapi({ description: "Filter for the pages to search." }),
  })
  .openapi("DocsSearch");

const FoundBody = z
  .object({
    content: z.string().openapi({ description: "Text around the match." }),
    path: z
      .string()
      .openapi({ description: "Path of the page, as accepted by `readPage`.", example: "guides/install" }),
    metadata: z
      .object({
        title: z.string().openapi({ description: "Title of the page." }),
        heading: z
          .string()
          .nullable()
          .openapi({ description: "Heading of the section. `null` if the result is the page as a whole." }),
        url: z.string().openapi({ format: "uri", description: "URL of the section on the site." }),
      })
      .openapi({ description: "Metadata of the section." }),
  })
  .openapi("FoundSection");

const searchRoute = operation({
  method: "post",
  path: "/discovery/v1/search/{domain}",
  id: "searchPages",
  tags,
  summary: "Search a site",
  description:
    "Finds sections of pages by their words, best match first. The search is counted among the site's searches.",
  scope: "read",
  params: SiteParams,
  body: SearchBody,
  answer: [200, z.array(FoundBody).max(MAX_RESULTS), "Matching sections, best match first."],
  errors: [429],
  headers: RATE_LIMIT_HEADERS,
});

const pageRoute = operation({
  method: "post",
  path: "/discovery/v1/page/{domain}",
  id: "readPage",
  tags,
  summary: "Read a page of a site",
  description: "Returns the whole page as Markdown. The request is not counted as a view.",
  scope: "read",
  params: SiteParams,
  body: z
    .object({
      path: z
        .string()
        .min(1)
        .max(MAX_PATH)
        .openapi({ description: "Path or URL of the page.", example: "guides/install" }),
      groups,
    })
    .openapi("AskedPage"),
  answer: [
    200,
    z
      .object({
        path: z.string().openapi({ description: "Path of the page.", example: "guides/install" }),
        content: z.string().openapi({ description: "The page as Markdown." }),
      })
      .openapi("PageText"),
    "The page.",
  ],
  errors: [429],
  headers: RATE_LIMIT_HEADERS,
});

/**
 * The project whose site the address names, for `projectKey`; null when there is none. For the addresses of
 * `discoveryRoutes`.
 */
export function siteNamed({ findSite }: Pick<DiscoveryDeps, "findSite">) {
  return async (c: HttpContext): Promise<ProjectId | null> =>
    (await findSite((c.req.param("domain") ?? "").toLowerCase()))?.id ?? null;
}

/** The commercial API's search and pages of a site. Authentication is the caller's. */
export function discoveryRoutes(deps: DiscoveryDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();

  async function siteOf(c: HttpContext, domain: string) {
    const { projectId } = c.get("principal");
    const call = { projectId, bucket: "discovery", limit: CALLS_PER_HOUR, now: deps.clock.now() } as const;
    const state = await countRead(deps.database.kysely, call);
    setRateLimit(c, state);
    const project = await deps.findSite(domain.toLowerCase());
    if (project?.id !== projectId) throw notFound();
    const ownOrigin = new URL(deps.siteUrl(project.slug)).origin;
    const origin = publishedOrigin(project, ownOrigin);
    return { project, version: await deps.versionOf(project), origin, ownOrigin, base: basePathOf(origin) };
  }

  routes.openapi(searchRoute, async (c) => {
    const { query, pageSize, filter = {} } = c.req.valid("json");
    const { project, version, origin } = await siteOf(c, c.req.valid("param").domain);
    const { tag } = filter;
    const language = filter.language ?? defaultLanguage(version.docs);
    const { results } = await deps.search.ask(
      {
        request: c.req.raw,
        url: new URL(c.req.url),
        project,
        version,
        peerAddress: c.env.peerAddress,
      },
      {
        query: query.replaceAll(/[\s\0]+/g, " ").trim(), // no store holds a NUL
        scope: { language, version: filter.version ?? null },
        limit: tag === undefined ? pageSize : MAX_RESULTS,
      },
    );
    const hasTag = ({ route }: SearchResult) => tag === undefined || version.docs.pages.get(route)?.tag === tag;
    const found = results.filter(hasTag).slice(0, pageSize);
    return c.json(
      found.map((result) => foundToJson(result, origin)),
      200,
    );
  });

  routes.openapi(pageRoute, async (c) => {
    const { project, ...site } = await siteOf(c, c.req.valid("param").domain);
    const page = findPage(site, c.req.valid("json").path);
    if (page === null) throw new AppError("not_found", "The site has no such page.");
    return c.json({ path: pathOf(page.route), content: await deps.markdown(project, site.version, page) }, 200);
  });

  return routes;
}

/** Without a slash at its start, as `docs.json` names pages. */
const pathOf = (route: string): string => (route === "/" ? "index" : route.slice(1));

function foundToJson(
  { route, anchor, title, heading, excerpt }: SearchResult,
  origin: string,
): z.infer<typeof FoundBody> {
  return {
    content: partsText(excerpt).trim(),
    path: pathOf(route),
    metadata: {
      title: partsText(title),
      heading: heading === null ? null : partsText(heading),
      url: `${origin}${route}${anchor === null ? "" : `#${anchor}`}`,
    },
  };
}
