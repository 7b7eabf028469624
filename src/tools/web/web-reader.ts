import { getFollowing } from "#lib/network/get-following.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import type { WebReader } from "#tools/tool.ts";
import { htmlInThread } from "./html-in-thread.ts";

const MAX_PAGE_BYTES = 2_000_000;
const WITHIN_MS = 20_000;
/** A page of 0.8 MB with 45,000 elements takes 7 s on a busy machine. */
const CONVERTED_WITHIN_MS = 10_000;
const MARKDOWN_FIRST = "text/markdown, text/html;q=0.9, text/plain;q=0.8, application/json;q=0.7, */*;q=0.1";

export function createWebReader(
  {
    outboundHttp,
    userAgent,
    convertedWithinMs = CONVERTED_WITHIN_MS,
  }: { outboundHttp: Pick<OutboundHttp, "send">; userAgent: string; convertedWithinMs?: number },
  { hosts, isAllowed }: { hosts: readonly string[]; isAllowed(url: URL): boolean },
): WebReader {
  const refusalOf = (url: URL) => {
    if (isAllowed(url)) return null;
    const host = url.host.slice(0, 200) || url.protocol;
    return `The project does not let the agent read ${host}. It names ${hosts.join(", ")} (setting webHosts).`;
  };
  return {
    hosts,
    refusalOf,
    async read(url, signal) {
      const found = await getFollowing(
        { outboundHttp },
        {
          url,
          headers: { Accept: MARKDOWN_FIRST, "User-Agent": userAgent },
          refusalOf,
          withinMs: WITHIN_MS,
          maxResponseBytes: MAX_PAGE_BYTES,
          signal,
        },
      );
      if ("trouble" in found) return found;
      const { status, headers, body, isCut } = found.result;
      if (status !== 200) return { trouble: `The host answers with status ${status}.` };
      if (isCut) return { trouble: `It is larger than ${MAX_PAGE_BYTES / 1_000_000} MB.` };
      const type = headers["content-type"] ?? "";
      const address = found.url.href;
      const text = decode(body, type);
      if (text === null) return { trouble: `It is not text${type === "" ? "" : ` but ${type.slice(0, 100)}`}.` };
      if (!/\bx?html\b/.test(type)) return { address, title: null, text };
      const page = await htmlInThread(text, { address: found.url, withinMs: convertedWithinMs, signal });
      if (page === null) return { trouble: "Its HTML is too large or too deeply nested to be read." };
      return { address, title: page.title, text: page.markdown };
    },
  };
}

function decode(body: Buffer, type: string): string | null {
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? "utf-8";
  let text: string;
  try {
    text = new TextDecoder(charset).decode(body);
  } catch {
    text = body.toString();
  }
  return text.includes("\0") ? null : text;
}
