import { html } from "hono/html";
import { Hono } from "hono";
import { createActivity } from "#lib/activity.ts";
import { AppError, ShuttingDown } from "#lib/app-error.ts";
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
import { type HealthDeps, checkRoutes } from "./check-routes.ts";
import { createTurnOwners, nameInPath, type TurnOwners } from "./turn-owners.ts";
import { callerOf, createRequestLog, type RequestLogDeps } from "./request-log.ts";
import { page, PAGE_CSS, sendOwnPage } from "#kit/http/own-page.ts";
import { createRouter } from "#kit/http/router.ts";
import { instanceMcpRoutes } from "#app/mcp/instance-mcp.ts";
import { domainCheckRoutes, type DomainCheckDeps } from "#features/sites/entrance/domain-routes.ts";
import { type HostWebhookDeps, hostWebhookRoutes } from "#features/connections/host-webhooks.ts";
import { ingestRoutes } from "#features/visitors/http/ingest-routes.ts";
import { type SignInDeps, signInRoutes } from "#features/keys/sign-in-routes.ts";
import { REFERENCE_PATH, type ReferenceSite } from "#features/sites/reference/reference-site.ts";
import { isForPrograms, sendError } from "#kit/http/send-error.ts";

export interface AppDeps extends ApiDeps, SignInDeps, RequestLogDeps, HealthDeps {
  logger: Logger;
  audit: AuditDeps;
  siteDomain: string;
  version: string;
  baseUrl(): string;
  /** Client address of a request: the peer, or the forwarded address if the peer is a trusted proxy. */
  addressOf(request: { headers: { get(name: string): string | null } }, peerAddress: string): string;
  analytics: ApiDeps["analytics"] & Parameters<typeof ingestRoutes>[0];
  hosts: Hosts;
  /** URL of a project's site. */
  siteUrl(slug: string): string;
  admitsCheck: DomainCheckDeps["admitsCheck"];
  /** Serves a site by its slug or domain; `slug` is "" if the host cannot belong to a project. */
  site(request: WholeRequest, slug: string, peerAddress: string): Promise<PlainAnswer>;
  hostWebhooks: HostWebhookDeps;
  /** Serves `/git/{slug}.git/…`. */
  git(request: Request, c: HttpContext): Promise<Response>;
  /** Serves `/reference` and the pages below it. */
  reference: ReferenceSite;
  /** Dashboard pages below `/{slug}/`. */
  pages: Hono;
  hasProject(slug: string): Promise<boolean>;
}

/** Published for each response; `route` is a route pattern or `site`, and never identifies a project or reader. */
export const httpAnswers = createMeasure<{ method: string; route: string; status: number; seconds: number }>(
  "http answer",
);

/** A request until its response begins; not health checks and scrapes. */
export const httpRequests = createActivity<{
  method: string;
  /** As the client sent it; null where it has no say, on sites. */
  traceparent: string | null;
  /** What follows is known when the response begins. */
  route?: string;
  status?: number;
  requestId?: string;
  projectId?: string | undefined;
  /** Set by a follower, for the log. */
  traceId?: string;
}>("http request");

type Traced = Parameters<typeof httpRequests.run>[0];

// PostgreSQL cannot store NUL, so no name contains one.
const UNSTORABLE = /\0|%00/;

/** Served during shutdown, too. */
const CHECKS: ReadonlySet<string> = new Set(["/health", "/ready"]);

/** Asked every few seconds by other programs, and not traced. */
const POLLED: ReadonlySet<string> = new Set([...CHECKS, "/metrics"]);

/** All HTTP routes of this server. */
export interface App {
  /** Slug or domain of a site, "" if it cannot belong to a project, null if `fetch` handles the host. */
  siteOf(host: string | undefined): HostTarget | Promise<HostTarget>;
  /** Who a request counts for while it waits for its turn; `site` is the target of its host. */
  turnOwnerOf: TurnOwners["ownerOf"];
  /** Serves a request to a site. Never throws. `claim` may throw an error, which is sent instead of the response. */
  site(
    request: WholeRequest,
    slug: string,
    connection: { peerAddress: string; requestId: string; claim(answer: PlainAnswer): void },
  ): Promise<PlainAnswer>;
  /** Serves a request to the API or to the server's own pages. */
  fetch(request: Request, connection: { peerAddress: string }): Promise<Response>;
  /** All routes of `fetch`, with method and pattern. */
  readonly routes: readonly { method: string; path: string }[];
}

export function createApp(deps: AppDeps): App {
  const app = createRouter();
  const faults = createFaultLog(deps.logger, deps);
  const requestLog = createRequestLog(deps);
  const turnOwners = createTurnOwners(deps);
  app.use((c, next) => {
    if (POLLED.has(c.req.path)) return counted(c, next, null);
    const traced: Traced = { method: c.req.method, traceparent: c.req.header("traceparent") ?? null };
    return httpRequests.run(traced, () => counted(c, next, traced));
  });
  async function counted(c: HttpContext, next: () => Promise<void>, traced: Traced | null): Promise<void> {
    const startMs = performance.now();
    await next();
    const { method, route, subject } = placeOf(c);
    const answer = { method, route, status: c.res.status, seconds: secondsSince(startMs) };
    httpAnswers.publish(answer);
    const caller = () => ({ requestId: c.get("requestId"), ...callerOf(c) });
    const { projectId } = callerOf(c);
    const name = /^\/(?::slug|git)\b/.test(route) && c.res.status < 400 ? nameInPath(c.req.path) : undefined;
    if (name !== undefined && projectId !== undefined) turnOwners.learn(name, projectId);
    const { traceId } = traced ?? {};
    if (traceId !== undefined) Object.assign(traced!, { ...answer, ...caller() });
    requestLog.answered(answer, () => ({ ...caller(), traceId, subject }));
  }
  app.use(requestContext({ logger: deps.logger, faults }));
  app.use(auditLog(deps.audit));
  app.use(async (c, next) => {
    if (deps.isDraining() && !CHECKS.has(c.req.path)) throw new ShuttingDown();
    if (UNSTORABLE.test(c.req.path)) throw notFound();
    if (UNSTORABLE.test(new URL(c.req.url).search)) {
      throw new AppError("invalid", "The query of the address contains a NUL character (`%00`).");
    }
    await next();
  });
  app.use(async (c, next) => {
    // People and link generators append a slash: redirect to the page without it.
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    const isRoot = c.req.path === "/" || c.req.path === `${REFERENCE_PATH}/`; // site links end with the slash
    if (!isRead || isRoot || !c.req.path.endsWith("/") || isForPrograms(c.req.path)) return next();
    const path = trimEndOf(c.req.path.replace(/^\/+/, "/"), "/"); // `//` would name another host
    return c.redirect((path === "" ? "/" : path) + new URL(c.req.url).search, 308);
  });
  app.onError((error, c) => sendError(c, error));
  app.notFound((c) => sendError(c, notFound()));

  const api = createApi(deps);
  app.route("/", api);
  // Project addresses cannot begin like this, so these paths skip the pages below. A project of an older version may be
  // called `discovery`.
  for (const version of ["/v1/*", "/v2/*", "/discovery/v1/*"]) {
    app.all(version, () => {
      throw notFound();
    });
  }

  app.route("/", checkRoutes(deps));
  const documents = createApiDocuments(api, deps);
  app.get("/openapi.json", (c) => documents.openApi(c));
  app.get("/_docent/page.css", (c) => c.body(PAGE_CSS, 200, { "Content-Type": "text/css; charset=utf-8" }));
  app.route("/", hostWebhookRoutes(deps.hostWebhooks));
  app.route("/", domainCheckRoutes({ isServed: deps.hosts.isServed, admitsCheck: deps.admitsCheck }));
  app.all("/git/*", (c) => deps.git(c.req.raw, c));
  app.route("/", ingestRoutes(deps.analytics));
  // Its pages are compressed already, and some of its paths accept methods other than GET.
  for (const root of [REFERENCE_PATH, `${REFERENCE_PATH}/`]) app.get(root, (c) => documents.reference(c));
  app.all(`${REFERENCE_PATH}/:path{.+}`, (c) => documents.reference(c));
  app.use(compressed); // applies to the HTML pages below
  const pages = () => new Hono<HttpEnv>().onError((error, c) => sendError(c, error));
  const ownPages = pages().route("/", signInRoutes(deps));
  app.route("/", ownPages);
  refuseOtherMethods(app); // before the pages below, where these paths would match as project names
  // Registered after the 405 handlers, so that a project with this name keeps its page.
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
    turnOwnerOf: turnOwners.ownerOf,
    routes: app.routes,
    site(request, slug, connection) {
      const { method } = request;
      const { requestId } = connection;
      const traced: Traced = { method, traceparent: null, route: "site", requestId };
      return httpRequests.run(traced, async () => {
        const startMs = performance.now();
        const answer = await answerSite(request, slug, connection);
        const { status, owner: projectId } = answer;
        if (projectId !== undefined) turnOwners.learn(slug, projectId);
        Object.assign(traced, { status, projectId });
        const answered = { method, route: "site", status, seconds: secondsSince(startMs) };
        httpAnswers.publish(answered);
        requestLog.answered(answered, () => ({ requestId, traceId: traced.traceId, site: slug, projectId }));
        return answer;
      });
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
