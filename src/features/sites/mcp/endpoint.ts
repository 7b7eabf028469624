import { isOfOwnSite } from "#features/visitors/collect/own-site.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import type { PlainAnswer, PlainRequest, WholeRequest } from "#lib/network/plain-http.ts";
import { readVersion } from "#lib/version.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import { partsOfSite } from "./listed-pages.ts";
import { answerMessages, failed, type McpReply, readBody, refusal, unreadable } from "#lib/mcp/protocol.ts";
import { type ReadableSite, siteTools } from "./tools.ts";

/** The path of a site's MCP server. A page at this path stays readable. */
export const MCP_PATH = "/mcp";

const MAX_BODY_BYTES = 64 * 1024;
const RETRY_SECONDS = 30;
const MAX_DESCRIPTION = 500;

/** Handles MCP requests of agents to a site. */
export interface McpEndpoint {
  /** Whether a request is for the endpoint, and not for a page at its path. */
  takes(request: PlainRequest, path: string): boolean;
  /** Reads the body immediately, and calls `site` after that. Never throws. */
  answer(call: McpCall): Promise<PlainAnswer>;
}

interface McpCall {
  request: WholeRequest;
  peerAddress: string;
  /** Null: the project does not exist. */
  site(): Promise<{ project: SiteProject; siteName: string; readable: ReadableSite } | null>;
}

/** Whether a client may make one more call, and its project receive one more. */
export type AdmitsCall = (request: PlainRequest, peerAddress: string, project: ProjectId) => boolean;

export function createMcpEndpoint(deps: { logger: Logger; admits: AdmitsCall }): McpEndpoint {
  const places = createFairPlaces({ places: 8, perOwner: 4, maxWaiting: 50 });
  const version = readVersion();

  async function reply({ request, peerAddress, site }: McpCall): Promise<McpReply> {
    // A page of another origin in a reader's browser must not call a server that only that reader can reach.
    if (!isOfOwnSite(request, [])) return refusal(403, "Pages of other sites are not answered.");
    if (!/^application\/json(?:;|$)/i.test(request.headers.get("content-type")?.trim() ?? ""))
      return refusal(415, "The body is to be application/json.");
    const text = await request.textUpTo(MAX_BODY_BYTES);
    if (text === null) return refusal(413, `A message has at most ${MAX_BODY_BYTES / 1024} KiB.`);
    const body = readBody(new TextEncoder().encode(text));
    if (body === undefined) return unreadable();
    const found = await site();
    if (found === null) return refusal(404, "No documentation project has this address.");
    const { project, siteName, readable } = found;
    const { docs } = readable.version;
    const about = docs.config.description;
    const { languages, versions } = partsOfSite(docs);
    const server = {
      info: { name: project.slug, title: siteName, version, websiteUrl: readable.origin },
      instructions: [
        `The documentation of ${siteName}${about === null ? "." : `: ${about.slice(0, MAX_DESCRIPTION)}`}`,
        `${readable.search ? "Look for what you need with search_docs, then read" : "Find a page with list_pages, then read"} it whole with read_page. Pages are named by their path.`,
        ...(languages.length > 0 ? [`Languages: ${languages.join(", ")}.`] : []),
        ...(versions.length > 0 ? [`Versions: ${versions.join(", ")}.`] : []),
      ].join("\n"),
      tools: siteTools(readable),
    };
    const admits = () => deps.admits(request, peerAddress, project.id);
    return await places.run(project.id, () => answerMessages(server, { body, headers: request.headers, admits }));
  }

  return {
    takes({ method, headers }, path) {
      if (path !== MCP_PATH || method === "HEAD") return false;
      return method !== "GET" || /\btext\/event-stream\b/i.test(headers.get("accept") ?? "");
    },
    async answer(call) {
      const { method } = call.request;
      // There are no sessions to end, and no stream of server messages.
      if (method !== "POST") return json(refusal(405, "Send messages by POST."), { Allow: "POST" });
      try {
        const answer = await reply(call);
        return json(answer, answer.status === 429 ? { "Retry-After": String(RETRY_SECONDS) } : {});
      } catch (error) {
        if (error instanceof AppError && error.code !== "internal") {
          const status = error.code === "unavailable" ? 503 : 400;
          return json(failed(status, error.message), {
            "Retry-After": String(error.retryAfterSeconds ?? RETRY_SECONDS),
          });
        }
        deps.logger.error({ err: error }, "MCP call failed");
        return json(failed(500, "Internal error"));
      }
    },
  };
}

function json({ status, body }: McpReply, headers: Record<string, string> = {}): PlainAnswer {
  const always = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", ...headers };
  if (body === null) return { status, headers: always, body: null };
  return { status, headers: { "Content-Type": "application/json", ...always }, body: JSON.stringify(body) };
}

/** For people who open the address in a browser, and for link checkers that follow the pages' link to it. */
export function mcpNotice(origin: string, siteName: string): PlainAnswer {
  const address = `${origin}${MCP_PATH}`;
  return {
    status: 200,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-cache",
      "X-Content-Type-Options": "nosniff",
    },
    body: `This is the MCP server of the documentation of ${siteName}.\n\nGive this address to a client of the Model Context Protocol (streamable HTTP, no sign-in):\n\n${address}\n\nclaude mcp add --transport http docs ${address}\n`,
  };
}
