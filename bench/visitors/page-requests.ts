import { randomBytes } from "node:crypto";
import { userAgents } from "#testing/views.ts";

// Requests as bytes.

/** The request of a browser for a page. */
export const pageRequest = (host: string, path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${userAgents.chrome}\r\n` +
  "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Encoding: gzip, deflate, br\r\n\r\n";

/** Share of AI readers among the views: their views are served Markdown, those of people are the script's messages. */
const AI_SHARE = 0.2;
const ADDRESSES = 200_000;

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

/** A view by one of 200,000 visitors. The address is in the header of a proxy. */
export function viewRequest(host: string, paths: readonly string[]): { text: string; isMarkdown: boolean } {
  const path = pick(paths);
  if (Math.random() >= AI_SHARE) return { text: messageRequest(host, { path }), isMarkdown: false };
  const head = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: Claude-User/1.0\r\nAccept: text/markdown\r\n`;
  return { text: `${head}${forwardedFor()}\r\n`, isMarkdown: true };
}

/** A message of the page's script that another site made the browser send: rejected immediately, with 403. */
export const refusedRequest = (host: string, paths: readonly string[]): string =>
  messageRequest(host, { path: pick(paths), from: "cross-site" });

function messageRequest(host: string, { path, from = "same-origin" }: { path: string; from?: string }): string {
  const id = randomBytes(16).toString("base64");
  const message = String(new URLSearchParams({ path, referrer: "", id, storage: "true" }));
  const head = `POST /_docent/view?${message} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${userAgents.chrome}\r\n`;
  return `${head}Sec-Fetch-Site: ${from}\r\nContent-Length: 0\r\n${forwardedFor()}\r\n`;
}

function forwardedFor(): string {
  const address = 0x0a000000 + Math.floor(Math.random() * ADDRESSES);
  return `X-Forwarded-For: ${[24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join(".")}\r\n`;
}
