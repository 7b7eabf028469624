import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import type { Holder } from "#features/keys/holder.ts";
import { type KeyDeps, projectKey } from "#features/keys/authentication.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { RESOURCE_METADATA } from "#features/people/oauth-routes.ts";
import { serverSentEvent } from "#features/jobs/stream.ts";
import { answerTo, sendError } from "#kit/http/send-error.ts";
import { AppError, ERROR_CODES } from "#lib/app-error.ts";
import {
  answerMessages,
  failed,
  type McpReply,
  progressMessage,
  progressCall,
  readBody,
  refusal,
  unreadable,
} from "#lib/mcp/protocol.ts";
import type { TellProgress } from "#lib/mcp/mcp-server.ts";
import { type PlainAnswer, toResponse, type WholeRequest } from "#lib/network/plain-http.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import { instanceResources } from "./instance-resources.ts";
import { instanceTools } from "./instance-tools.ts";
import type { OwnCall, OwnInterface } from "./own-interface.ts";

export interface InstanceMcpDeps extends KeyDeps {
  version: string;
  baseUrl(): string;
  /** Sends the API calls of the tools, with the caller's own key. */
  call(request: Request, connection: HttpEnv["Bindings"]): Response | Promise<Response>;
  findProject(id: ProjectId): Promise<{ slug: string; name: string } | null>;
  hasProject(slug: string): Promise<boolean>;
  /** See `AppDeps`. */
  site(request: WholeRequest, slug: string, peerAddress: string): Promise<PlainAnswer>;
  siteUrl(slug: string): string;
}

const MCP_PATH = "/mcp";
const MAX_BODY_BYTES = 512 * 1024;
const limited = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: (c) => c.json(refusal(413, `A message has at most ${MAX_BODY_BYTES / 1024} KiB.`).body ?? {}, 413),
});
const Refusal = z.looseObject({ code: z.enum(ERROR_CODES), error: z.string() });

/**
 * The MCP server of the instance: an agent's editor works on a project with the project's key, or with an instance key
 * at `/mcp?project=prj_…`.
 */
export function instanceMcpRoutes(deps: InstanceMcpDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>().onError(async (error, c) => {
    const answer = await sendError(c, error);
    // Clients discover the OAuth flow here.
    const metadata = deps.baseUrl() + RESOURCE_METADATA + MCP_PATH;
    if (answer.status === 401) answer.headers.set("WWW-Authenticate", `Bearer resource_metadata="${metadata}"`);
    return answer;
  });
  // Calls that wait for jobs hold a slot. The limit per project leaves slots for the others.
  const places = createFairPlaces({ places: 64, perOwner: 16, maxWaiting: 200 });

  routes.post(MCP_PATH, limited, projectKey(deps, projectOf), async (c) => {
    const { projectId } = c.get("principal");
    const project = await deps.findProject(projectId);
    if (!project) throw new AppError("not_found", "The project of this key is gone.");
    const body = readBody(new Uint8Array(await c.req.arrayBuffer()));
    if (body === undefined) return send(c, unreadable());
    const own = ownInterface(deps, c, { projectId, slug: project.slug });
    const server = {
      info: { name: `docent-${project.slug}`, title: `Docent: ${project.name}`, version: deps.version, websiteUrl: deps.baseUrl() }, // oxfmt-ignore
      instructions: [
        `Docent keeps the documentation of ${project.name}. create_job has its agent edit the docs and open one pull request; wait_for_job waits for it, get_diff shows the change, send_message continues it.`,
        "Show people the pull request's link. Merge only when they ask for it.",
        `The documentation itself, page by page, is read at the site's own server: ${new URL(MCP_PATH, deps.siteUrl(project.slug)).href}.`,
      ].join("\n"),
      tools: instanceTools(own),
      resources: instanceResources(own),
    };
    const given = { body, headers: c.req.raw.headers, admits: () => true };
    const answer = (tell?: TellProgress) =>
      places.run(projectId, () => answerMessages(server, { ...given, ...(tell && { tell }) }));
    const watched = acceptsStream(c) ? progressCall(body) : null;
    return watched ? stream(c, watched, answer) : send(c, await answer());
  });
  // Rejects all other methods with 405. A client sends GET for the stream of the Streamable HTTP transport, which this
  // server does not offer, and continues without it only after a 405.
  routes.all(MCP_PATH, async (c, next) => {
    const isProjectPage = isRead(c) && !isForMcp(c) && (await deps.hasProject(MCP_PATH.slice(1)));
    if (isProjectPage) return next(); // a project of an older version may have this name
    throw new AppError("method_not_allowed", "This address takes POST only.", { headers: { Allow: "POST" } });
  });
  return routes;
}

const isRead = (c: HttpContext): boolean => c.req.method === "GET" || c.req.method === "HEAD";

/** Whether the request comes from an MCP client, not a browser. */
const isForMcp = (c: HttpContext): boolean => c.req.header("authorization") !== undefined || acceptsStream(c);

const acceptsStream = (c: HttpContext): boolean => /\btext\/event-stream\b/i.test(c.req.header("accept") ?? "");

/** The project in the URL, or that of the key. */
function projectOf(c: HttpContext, holder: Holder): ProjectId {
  const named = c.req.query("project");
  if (named !== undefined) return named as ProjectId;
  if (!("person" in holder) && holder.projectId !== null) return holder.projectId;
  throw new AppError(
    "invalid",
    "A key of the instance, or a personal access token, works on the project that the address names: /mcp?project=prj_….",
    {
      details: [{ path: "project", message: "is required" }],
    },
  );
}

/** Calls the API with the caller's key, limits and permissions. */
function ownInterface(
  deps: InstanceMcpDeps,
  c: HttpContext,
  { projectId, slug }: { projectId: ProjectId; slug: string },
): OwnInterface {
  const authorization = c.req.header("authorization") ?? "";
  const { peerAddress } = c.env;
  const forwardedFor = c.req.header("x-forwarded-for");
  /** A request to the project's site. */
  const visit = (path: string, accept: string) => {
    const location = new URL(path, deps.siteUrl(slug));
    const headers = new Headers({ accept, authorization, "user-agent": "Docent MCP" });
    if (forwardedFor !== undefined) headers.set("x-forwarded-for", forwardedFor);
    const request: WholeRequest = { method: "GET", url: location.href, location, headers, textUpTo: async () => "" };
    return deps.site(request, slug, peerAddress);
  };
  return {
    project: projectId,
    signal: c.req.raw.signal,
    async ask({ method, path, body, headers = {} }: OwnCall) {
      const request = new Request(new URL(path, deps.baseUrl()), {
        method,
        headers: {
          Authorization: authorization,
          "X-Request-Id": c.get("requestId"),
          ...(body && { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const response = await deps.call(request, c.env);
      const text = await response.text();
      if (response.ok) return text;
      const refused = Refusal.safeParse(parsed(text));
      throw refused.success
        ? new AppError(refused.data.code, refused.data.error)
        : new AppError("unavailable", `The server answered with ${response.status}.`);
    },
    async search(query) {
      const answer = await visit(`/_docent/search?${query.toString()}`, "application/json");
      if (answer.status === 429) throw new AppError("rate_limited", "Too many searches. Try again in half a minute.");
      return answer.status === 200 ? toResponse(answer).text() : null;
    },
    async read(path) {
      const answer = await visit(path, "text/markdown");
      return answer.status === 200 ? toResponse(answer).text() : null;
    },
  };
}

function send(c: HttpContext, { status, body }: McpReply): Response {
  c.header("Cache-Control", "no-store");
  c.header("X-Content-Type-Options", "nosniff");
  if (body === null) return c.body(null, status as 202);
  return c.json(body, status as 200);
}

/**
 * Sends the result as the last server-sent event, after progress events. The status is always 200: errors are in the
 * message.
 */
function stream(
  c: HttpContext,
  { id, token }: { id: string | number; token: string | number },
  answer: (tell: TellProgress) => Promise<McpReply>,
): Response {
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      let isOpen = true;
      c.req.raw.signal.addEventListener("abort", () => (isOpen = false));
      const write = (message: object) => {
        if (isOpen) controller.enqueue(Buffer.from(serverSentEvent({ type: "message", data: message })));
      };
      const failure = (error: unknown): McpReply => {
        const { status, body: told } = answerTo(c, error);
        return failed(status, told.error, id);
      };
      const { body: last } = await answer((news) => write(progressMessage(token, news))).catch(failure);
      if (last) write(last);
      if (isOpen) controller.close();
    },
  });
  c.header("Content-Type", "text/event-stream; charset=utf-8");
  c.header("Cache-Control", "no-store, no-transform");
  c.header("X-Accel-Buffering", "no"); // nginx would buffer it
  return c.body(body, 200);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
