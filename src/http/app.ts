import { html } from "hono/html";
import { Hono } from "hono";
import type { Principal } from "#accounts/api-keys.ts";
import type { Sessions } from "#accounts/sessions.ts";
import type { WebhookDeps } from "#jobs/webhook-endpoints.ts";
import { AppError } from "#lib/app-error.ts";
import type { Logger } from "#lib/logger.ts";
import type { PlainAnswer, WholeRequest } from "#lib/plain-http.ts";
import { projectKey } from "./auth.ts";
import { type HttpEnv, requestContext } from "./context.ts";
import { errorAnswer, isOurFault, notFound } from "./errors.ts";
import { siteOfHost } from "./hosts.ts";
import { refuseOtherMethods } from "./method-not-allowed.ts";
import { openApiDocument, REFERENCE_CSS, referencePage } from "./openapi.ts";
import { page, PAGE_CSS, sendOwnPage } from "./page.ts";
import { createRouter } from "./router.ts";
import { type AgentJobEventsDeps, agentJobEventsRoutes } from "./routes/agent-job-events.ts";
import { agentJobLifecycleRoutes } from "./routes/agent-job-lifecycle.ts";
import { type AgentJobRoutesDeps, agentJobRoutes } from "./routes/agent-jobs.ts";
import { type AnalyticsRoutesDeps, analyticsRoutes } from "./routes/analytics.ts";
import { type AutomationRoutesDeps, automationRoutes } from "./routes/automations.ts";
import { ingestRoutes } from "./routes/ingest.ts";
import { signInRoutes } from "./routes/sign-in.ts";
import { webhookRoutes } from "./routes/webhooks.ts";
import { sendError, sendErrorPage } from "./send-error.ts";

export interface AppDeps {
  logger: Logger;
  siteDomain: string;
  version: string;
  baseUrl(): string;
  /** While true every request but the health check is answered with 503. */
  isDraining(): boolean;
  isHealthy(): Promise<boolean>;
  authenticate(key: string): Promise<Principal | null>;
  sessions: Sessions;
  agentJobs: AgentJobRoutesDeps;
  jobEvents: AgentJobEventsDeps;
  webhooks: WebhookDeps;
  automations: AutomationRoutesDeps;
  analytics: AnalyticsRoutesDeps & Parameters<typeof ingestRoutes>[0];
  /** Serves `http://{slug}.{siteDomain}/…`; `slug` is "" where the host cannot be a project's. */
  site(request: WholeRequest, slug: string, peerAddress: string): Promise<PlainAnswer>;
  /** Serves `/git/{slug}.git/…`. */
  git(request: Request): Promise<Response>;
  /** Pages of the dashboard that sit below `/{slug}/`. */
  pages: Hono;
  hasProject(slug: string): Promise<boolean>;
}

// PostgreSQL holds no NUL, so nothing can have one in its name.
const UNSTORABLE = /\0|%00/;

/** Everything that this server says over HTTP. */
export interface App {
  /** The slug in the host of a site ("" if it can be no project's), null for a host where `fetch` answers. */
  siteOf(host: string | undefined): string | null;
  /** Answers a request to a site. Never throws. */
  site(request: WholeRequest, slug: string, peerAddress: string): Promise<PlainAnswer>;
  /** Answers a request to the interface or to the server's own pages. */
  fetch(request: Request, connection: { peerAddress: string }): Promise<Response>;
}

export function createApp(deps: AppDeps): App {
  const app = createRouter();
  app.use(requestContext(deps.logger));
  app.use(async (c, next) => {
    if (deps.isDraining() && c.req.path !== "/health")
      throw new AppError("unavailable", "The server is shutting down.");
    if (UNSTORABLE.test(c.req.path)) throw notFound();
    await next();
  });
  app.onError((error, c) => sendError(c, error));
  app.notFound((c) => sendError(c, notFound()));

  const api = createRouter();
  api.use("/v2/agent/:projectId/*", projectKey(deps.authenticate));
  api.use("/v1/analytics/:projectId/*", projectKey(deps.authenticate));
  api.route("/", agentJobRoutes(deps.agentJobs));
  api.route("/", agentJobLifecycleRoutes(deps.agentJobs));
  api.route("/", agentJobEventsRoutes(deps.jobEvents));
  api.route("/", webhookRoutes(deps.webhooks));
  api.route("/", automationRoutes(deps.automations));
  api.route("/", analyticsRoutes(deps.analytics));
  refuseOtherMethods(api);
  app.route("/", api);
  // No project's address begins so: the pages below have nothing to say about it.
  for (const version of ["/v1/*", "/v2/*"]) {
    app.all(version, () => {
      throw notFound();
    });
  }

  app.get("/health", async (c) => {
    const isHealthy = !deps.isDraining() && (await deps.isHealthy());
    return c.json({ status: isHealthy ? "ok" : "unavailable" }, isHealthy ? 200 : 503);
  });
  app.get("/openapi.json", (c) => c.json(openApiDocument(api, { serverUrl: deps.baseUrl(), version: deps.version })));
  app.get("/_docent/reference.css", (c) => c.body(REFERENCE_CSS, 200, { "Content-Type": "text/css; charset=utf-8" }));
  app.get("/_docent/page.css", (c) => c.body(PAGE_CSS, 200, { "Content-Type": "text/css; charset=utf-8" }));
  app.all("/git/*", (c) => deps.git(c.req.raw));
  app.route("/", ingestRoutes(deps.analytics));
  const pages = () => new Hono<HttpEnv>().onError((error, c) => sendErrorPage(c, error));
  const ownPages = pages().route("/", signInRoutes(deps));
  ownPages.get("/reference", (c) =>
    sendOwnPage(c, referencePage(openApiDocument(api, { serverUrl: deps.baseUrl(), version: deps.version }))),
  );
  app.route("/", ownPages);
  refuseOtherMethods(app); // before the pages below, which would take these names for projects
  app.route("/", pages().route("/", deps.pages));
  app.get("/", (c) => sendOwnPage(c, homePage(deps.siteDomain)));
  refuseOtherMethods(app, {
    isThere: async (c) => {
      const slug = c.req.param("slug");
      return slug === undefined || deps.hasProject(slug);
    },
  });

  return {
    siteOf(host) {
      const site = siteOfHost(host, deps.siteDomain);
      return site === "unknown" ? "" : (site?.slug ?? null);
    },
    async site(request, slug, peerAddress) {
      try {
        if (deps.isDraining()) throw new AppError("unavailable", "The server is shutting down.");
        return await deps.site(request, slug, peerAddress);
      } catch (error) {
        if (isOurFault(error)) deps.logger.error({ err: error, url: request.url }, "site request failed");
        const { status, headers, body } = errorAnswer(error, "");
        return {
          status,
          headers: { ...headers, "Content-Type": "text/plain; charset=utf-8" },
          body: `${body.error}\n`,
        };
      }
    },
    fetch: async (request, { peerAddress }) => app.fetch(request, { peerAddress }),
  };
}

function homePage(siteDomain: string) {
  return page(
    "Docent",
    html`<h1>Docent is running</h1>
      <p>This server hosts documentation sites at <code>{project}.${siteDomain}</code> and the API described below.</p>
      <a class="card" href="/reference"><b>API reference</b><br />Agent jobs and visitor analytics</a>
      <a class="card" href="/sign-in"><b>Sign in</b><br />with an API key, to a project's jobs, pull requests, visitors and keys</a>`,
  );
}
