import { html } from "hono/html";
import { Hono } from "hono";
import { ShuttingDown } from "#lib/app-error.ts";
import { createMeasure, secondsSince } from "#lib/measure.ts";
import type { Logger } from "#lib/logger.ts";
import type { PlainAnswer, WholeRequest } from "#lib/network/plain-http.ts";
import { trimEndOf } from "#lib/trim.ts";
import { compressed } from "#kit/http/compress.ts";
import { type HttpContext, type HttpEnv, placeOf, requestContext } from "#kit/http/context.ts";
import { errorAnswer, isOurFault, notFound } from "#kit/http/errors.ts";
import { createFaultLog } from "#kit/http/fault-log.ts";
import type { Hosts, HostTarget } from "#kit/http/hosts.ts";
import { refuseOtherMethods } from "#kit/http/method-not-allowed.ts";
import { type AuditDeps, auditLog } from "./audit.ts";
import { type ApiDeps, createApi } from "./api.ts";
import { createApiDocuments } from "./api-documents.ts";
import { type MetricsDeps, metricsRoutes } from "./metrics-routes.ts";
import { callerOf, createRequestLog, type RequestLogDeps } from "./request-log.ts";
import { page, PAGE_CSS, sendOwnPage } from "#kit/http/page.ts";
import { createRouter } from "#kit/http/router.ts";
import { instanceMcpRoutes } from "#app/mcp/instance-mcp.ts";
import { domainCheckRoutes, type DomainCheckDeps } from "#features/sites/entrance/domain-routes.ts";
import { type HostWebhookDeps, hostWebhookRoutes } from "#features/connections/host-webhooks.ts";
import { ingestRoutes } from "#features/visitors/http/ingest-routes.ts";
import { type SignInDeps, signInRoutes } from "#features/keys/sign-in-routes.ts";
import { REFERENCE_PATH, type ReferenceSite } from "#features/sites/reference/reference-site.ts";
import { isForPrograms, sendError } from "#kit/http/send-error.ts";

export interface AppDeps extends ApiDeps, SignInDeps, RequestLogDeps {
  logger: Logger;
  audit: AuditDeps;
  siteDomain: string;
  version: string;
  baseUrl(): string;
  /** While true every request but the checks of a supervisor is answered with 503. */
  isDraining(): boolean;
  /** Why this process cannot do all of its work just now; empty when it can. */
  reasonsNotReady(): Promise<string[]>;
  /** Where a request comes from, by its peer and, of trusted proxies, by what they say. */
  addressOf(request: { headers: { get(name: string): string | null } }, peerAddress: string): string;
  analytics: ApiDeps["analytics"] & Parameters<typeof ingestRoutes>[0];
  hosts: Hosts;
  /** Address of the site of a project. */
  siteUrl(slug: string): string;
  admitsCheck: DomainCheckDeps["admitsCheck"];
  /** Serves the site that `hosts` names; `slug` is "" where the host cannot be a project's, and may be a domain. */
  site(request: WholeRequest, slug: string, peerAddress: string): Promise<PlainAnswer>;
  hostWebhooks: HostWebhookDeps;
  /** Serves `/git/{slug}.git/…`. */
  git(request: Request, c: HttpContext): Promise<Response>;
  /** Serves `/reference` and what is below it. */
  reference: ReferenceSite;
  /** Pages of the dashboard that sit below `/{slug}/`. */
  pages: Hono;
  hasProject(slug: string): Promise<boolean>;
  /** Null: there are no metrics. */
  metrics: MetricsDeps | null;
}

/** Requests that were answered; `route` is a pattern of this server's, or `site`, and never says which project or reader. */
export const httpAnswers = createMeasure<{ method: string; route: string; status: number; seconds: number }>(
  "http answer",
);

// PostgreSQL holds no NUL, so nothing can have one in its name.
const UNSTORABLE = /\0|%00/;

/** What is answered while the server shuts down, too. */
const CHECKS: ReadonlySet<string> = new Set(["/health", "/ready"]);
const NOT_STORED = { "Cache-Control": "no-store" };

/** Everything that this server says over HTTP. */
export interface App {
  /** The slug or domain of a site ("" if it can be no project's), null for a host where `fetch` answers. */
  siteOf(host: string | undefined): HostTarget | Promise<HostTarget>;
  /** Answers a request to a site. Never throws. `claim` may refuse an answer with an error, which is answered in its place. */
  site(
    request: WholeRequest,
    slug: string,
    connection: { peerAddress: string; requestId: string; claim(answer: PlainAnswer): void },
  ): Promise<PlainAnswer>;
  /** Answers a request to the interface or to the server's own pages. */
  fetch(request: Request, connection: { peerAddress: string }): Promise<Response>;
  /** All routes that `fetch` answers, with method and pattern. */
  readonly routes: readonly { method: string; path: string }[];
}

export function createApp(deps: AppDeps): App {
  const app = createRouter();
  const faults = createFaultLog(deps.logger, deps);
  const requestLog = createRequestLog(deps);
  app.use(async (c, next) => {
    const startMs = performance.now();
    await next();
    const { method, route, subject } = placeOf(c);
    const answer = { method, route, status: c.res.status, seconds: secondsSince(startMs) };
    httpAnswers.publish(answer);
    requestLog.answered(answer, () => ({ requestId: c.get("requestId"), subject, ...callerOf(c) }));
  });
  app.use(requestContext({ logger: deps.logger, faults }));
  app.use(auditLog(deps.audit));
  app.use(async (c, next) => {
    if (deps.isDraining() && !CHECKS.has(c.req.path)) throw new ShuttingDown();
    if (UNSTORABLE.test(c.req.path)) throw notFound();
    await next();
  });
  app.use(async (c, next) => {
    // People add a slash, and so do programs that make links: it leads to the page, wherever that is.
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    const isRoot = c.req.path === "/" || c.req.path === `${REFERENCE_PATH}/`; // of a site, whose own links have the slash
    if (!isRead || isRoot || !c.req.path.endsWith("/") || isForPrograms(c.req.path)) return next();
    const path = trimEndOf(c.req.path.replace(/^\/+/, "/"), "/"); // two slashes at the start would be a host
    return c.redirect((path === "" ? "/" : path) + new URL(c.req.url).search, 308);
  });
  app.onError((error, c) => sendError(c, error));
  app.notFound((c) => sendError(c, notFound()));

  const api = createApi(deps);
  app.route("/", api);
  // No project's address begins so: the pages below have nothing to say about it. A project of before may be `discovery`.
  for (const version of ["/v1/*", "/v2/*", "/discovery/v1/*"]) {
    app.all(version, () => {
      throw notFound();
    });
  }

  // Alive is who answers: a supervisor that restarts this process for a database that is away would only make it worse.
  app.get("/health", (c) => c.json({ status: "ok" }, 200, NOT_STORED));
  app.get("/ready", async (c) => {
    const reasons = deps.isDraining() ? ["The server is shutting down."] : await deps.reasonsNotReady();
    if (reasons.length === 0) return c.json({ status: "ready" }, 200, NOT_STORED);
    return c.json({ status: "unavailable", reasons }, 503, { ...NOT_STORED, "Retry-After": "5" });
  });
  app.route("/", metricsRoutes(deps.metrics));
  const documents = createApiDocuments(api, deps);
  app.get("/openapi.json", (c) => documents.openApi(c));
  app.get("/_docent/page.css", (c) => c.body(PAGE_CSS, 200, { "Content-Type": "text/css; charset=utf-8" }));
  app.route("/", hostWebhookRoutes(deps.hostWebhooks));
  app.route("/", domainCheckRoutes({ isServed: deps.hosts.isServed, admitsCheck: deps.admitsCheck }));
  app.all("/git/*", (c) => deps.git(c.req.raw, c));
  app.route("/", ingestRoutes(deps.analytics));
  // Its pages are compressed already, and other methods than GET are some of its addresses' own.
  for (const root of [REFERENCE_PATH, `${REFERENCE_PATH}/`]) app.get(root, (c) => documents.reference(c));
  app.all(`${REFERENCE_PATH}/:path{.+}`, (c) => documents.reference(c));
  app.use(compressed); // what people look at: all that comes below
  const pages = () => new Hono<HttpEnv>().onError((error, c) => sendError(c, error));
  const ownPages = pages().route("/", signInRoutes(deps));
  app.route("/", ownPages);
  refuseOtherMethods(app); // before the pages below, which would take these names for projects
  // Below the refusals: the page of a project that is called so stays.
  const call = (request: Request, connection: HttpEnv["Bindings"]) => app.fetch(request, connection);
  app.route("/", instanceMcpRoutes({ ...deps, findProject: deps.agentJobs.findProject, call }));
  app.route("/", pages().route("/", deps.pages));
  app.get("/", async (c) => sendOwnPage(c, homePage(deps.siteDomain, await deps.hasOwner())));
  refuseOtherMethods(app, {
    isThere: async (c) => {
      const slug = c.req.param("slug");
      return slug === undefined || deps.hasProject(slug);
    },
  });

  const answerSite: App["site"] = async (request, slug, { peerAddress, requestId, claim }) => {
    try {
      if (deps.isDraining()) throw new ShuttingDown();
      const answer = await deps.site(request, slug, peerAddress);
      claim(answer);
      faults.answered();
      return answer;
    } catch (error) {
      if (isOurFault(error))
        faults.failed(error, {
          logger: deps.logger,
          message: "site request failed",
          fields: { requestId, host: request.location.host, path: request.location.pathname },
        });
      const { status, headers, body } = errorAnswer(error, requestId);
      return {
        status,
        headers: { ...headers, "Content-Type": "text/plain; charset=utf-8" },
        body: `${body.error}\nRequest id: ${requestId}\n`,
      };
    }
  };
  return {
    siteOf: deps.hosts.siteOf,
    routes: app.routes,
    async site(request, slug, connection) {
      const startMs = performance.now();
      const answer = await answerSite(request, slug, connection);
      const { method } = request;
      const { status, owner: projectId } = answer;
      const answered = { method, route: "site", status, seconds: secondsSince(startMs) };
      httpAnswers.publish(answered);
      requestLog.answered(answered, () => ({ requestId: connection.requestId, site: slug, projectId }));
      return answer;
    },
    fetch: async (request, { peerAddress }) =>
      app.fetch(request, { peerAddress, clientAddress: deps.addressOf(request, peerAddress) }),
  };
}

function homePage(siteDomain: string, hasOwner: boolean) {
  return page(
    "Docent",
    html`<h1>Docent is running</h1>
      <p>This server hosts documentation sites at <code>{project}.${siteDomain}</code>.</p>
      ${
        hasOwner
          ? html`<a class="card" href="/sign-in"><b>Sign in</b><br />to your projects: jobs, pull requests, visitors and keys</a>`
          : html`<h2>Set it up</h2>
              <p>
                Nobody owns this server yet. It printed a link when it started, which creates the first account; <code>docent admin</code>
                on the server prints another. In the browser you then add a project and invite your team.
              </p>
              <a class="card" href="/sign-in"><b>Sign in with an API key</b><br />for a project that was created on the command line</a>`
      }
      <a class="card" href="/reference"><b>API reference</b><br />Agent jobs and visitor analytics</a>
      <h2>By commands</h2>
      <p>With the <code>--data</code> or <code>DOCENT_DATA</code> that the server runs with:</p>
      <ol>
        <li>
          Create the project from a git repository, or without <code>--repo</code> an empty one to push to. Its site is there at once.
          <pre><code>docent projects create "My docs" --repo PATH_OR_URL</code></pre>
        </li>
        <li>
          Create an API key. It is shown once; programs call the API with it.
          <pre><code>docent keys create my-docs</code></pre>
        </li>
      </ol>`,
  );
}
