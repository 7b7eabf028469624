import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import type { VisitorCounts } from "#client/answers.ts";

/** A visit of the demo's script. `counts` is the expected outcome, decided here and not by the server. */
export interface DemoVisit {
  who: string;
  path: string;
  userAgent: string;
  accept?: string;
  /** Whether the page's script runs and confirms the view, as in a browser. */
  confirms: boolean;
  counts: "human" | "ai" | "neither";
  because: string;
}

const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const agent = (token: string) => `Mozilla/5.0 (compatible; ${token}; +https://example.com/bot)`;

/** The visits of the demo to the start page and one other page. */
export function demoVisits(page: string): DemoVisit[] {
  const browser = { userAgent: CHROME, confirms: true, counts: "human" as const };
  return [
    { who: "A browser", path: "/", ...browser, because: "its script ran and confirmed the view" },
    { who: "The same browser", path: page, ...browser, because: "the same visitor, on another page" },
    { who: "It comes back", path: page, ...browser, because: "returning: still the same visitor" },
    {
      who: "MistralAI-User",
      path: page,
      userAgent: agent("MistralAI-User/1.0"),
      confirms: false,
      counts: "ai",
      because: "an assistant reads for a person",
    },
    {
      who: "Claude-User",
      path: `${page === "/" ? "/index" : page}.md`,
      userAgent: "Claude-User (claude-code/2.1.90; +https://support.anthropic.com/)",
      accept: "text/markdown, text/html, */*",
      confirms: false,
      counts: "ai",
      because: "an assistant reads the page as Markdown",
    },
    {
      who: "Googlebot",
      path: page,
      userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
      confirms: false,
      counts: "neither",
      because: "a search index crawler",
    },
    {
      who: "GPTBot",
      path: page,
      userAgent: agent("GPTBot/1.3"),
      confirms: false,
      counts: "neither",
      because: "a training crawler",
    },
  ];
}

/** The expected counts: distinct visitors by user agent, the only difference between them here. */
export function expectedCounts(visits: readonly DemoVisit[]): VisitorCounts {
  const distinct = (counts: readonly string[]) =>
    new Set(visits.filter((visit) => counts.includes(visit.counts)).map((visit) => visit.userAgent)).size;
  return { human: distinct(["human"]), ai: distinct(["ai"]), total: distinct(["human", "ai"]) };
}

export interface SiteResponse {
  status: number;
  body: string;
}

/**
 * Sends a request to a site on loopback. The host is set as a header, because not every resolver knows `*.localhost`.
 */
export function requestSite(
  site: { port: number; host: string },
  options: { path: string; query?: URLSearchParams; method?: string; headers?: Record<string, string> },
): Promise<SiteResponse> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: "127.0.0.1",
        port: site.port,
        path: encodeURI(options.path) + (options.query ? `?${String(options.query)}` : ""),
        method: options.method ?? "GET",
        headers: { host: `${site.host}:${site.port}`, ...options.headers },
        timeout: 15_000,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") }),
        );
        response.on("error", reject);
      },
    );
    request.on("timeout", () => request.destroy(new Error(`No answer from the site for ${options.path}.`)));
    request.on("error", reject);
    request.end();
  });
}

/** Makes a visit: requests the page and, if scripts run, sends the confirmation. */
export async function makeVisit(site: { port: number; host: string }, visit: DemoVisit): Promise<SiteResponse> {
  const headers: Record<string, string> = {
    "user-agent": visit.userAgent,
    accept: visit.accept ?? "text/html,application/xhtml+xml,*/*;q=0.8",
    ...(visit.confirms && { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }),
  };
  const response = await requestSite(site, { path: visit.path, headers });
  if (visit.confirms) {
    await requestSite(site, {
      path: "/_docent/view",
      query: new URLSearchParams({ path: visit.path, referrer: "", id: randomUUID() }),
      method: "POST",
      headers: { "user-agent": visit.userAgent, origin: `http://${site.host}:${site.port}` },
    });
  }
  return response;
}
