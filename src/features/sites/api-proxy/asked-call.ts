import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { parseMeasured } from "#lib/json-measure.ts";
import type { WholeRequest } from "#lib/network/plain-http.ts";

/** The address to which the form of an API page posts requests to forward. */
export const PROXY_PATH = "/_docent/try";

/** A call that a reader wants to make. The method is the operation's. */
export interface AskedCall {
  /** The page that documents the operation. */
  page: string;
  url: string;
  /** Keyed by lower-case names, without those that a reader may not set. */
  headers: Record<string, string>;
  body: string | null;
}

const MAX_BYTES = 256 * 1024;
const MAX_HEADERS = 60;
const MAX_HEADER_CHARACTERS = 8_192;
/** RFC 9110, 5.6.2 and 5.5: neither allows characters that end a line or start another. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers of the connection, of browsers, and of proxies: those that browsers do not let pages set either. */
const NOT_PASSED_ON =
  /^(?:accept-charset|accept-encoding|access-control-.*|cf-.*|client-ip|connection|content-length|cookie2?|date|dnt|expect|fastly-.*|forwarded|host|http2-settings|keep-alive|origin|proxy-.*|referer|sec-.*|set-cookie2?|te|trailer|transfer-encoding|true-client-ip|upgrade|via|x-docent-.*|x-forwarded.*|x-http-method.*|x-method-override|x-real-ip)$/;

const Shape = z.strictObject({
  page: z.string().max(4_096),
  url: z.string().max(8_192),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
});

/** @throws AppError `invalid`, `too_large` or `unsupported_media_type` for an invalid request. */
export async function readCall(request: WholeRequest): Promise<AskedCall> {
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (type !== "application/json") throw new AppError("unsupported_media_type", "This address takes JSON.");
  const text = await request.textUpTo(MAX_BYTES);
  if (text === null) throw new AppError("too_large", "A request has at most 256 KiB.");
  const parsed = Shape.safeParse(parsedJson(text));
  if (!parsed.success) throw new AppError("invalid", "This is not a request of an API page.");
  return { ...parsed.data, headers: forwardedHeaders(parsed.data.headers) };
}

function parsedJson(text: string): unknown {
  try {
    return parseMeasured(Buffer.from(text));
  } catch {
    return null;
  }
}

function forwardedHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const headers: Record<string, string> = {};
  let characters = 0;
  for (const [written, value] of Object.entries(given)) {
    const name = written.toLowerCase();
    if (!NAME.test(name) || !VALUE.test(value)) {
      throw new AppError("invalid", "A header has an invalid name or value.");
    }
    characters += name.length + value.length;
    if (!NOT_PASSED_ON.test(name)) headers[name] = value.trim();
  }
  if (Object.keys(given).length > MAX_HEADERS || characters > MAX_HEADER_CHARACTERS) {
    throw new AppError("too_large", "The request has too many headers, or too long ones.");
  }
  return headers;
}
