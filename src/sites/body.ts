import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { PlainAnswer, PlainRequest } from "#lib/plain-http.ts";
import { memoize } from "#lib/memoize.ts";

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Bytes to be sent, with their validator; compressed forms are made when first asked for and kept. */
export interface Body {
  bytes: Uint8Array;
  type: string;
  /** Weak: the same for every encoding. */
  etag: string;
  /** Whether it may be compressed. */
  isText: boolean;
  encoded(encoding: "br" | "gzip"): Promise<Uint8Array>;
}

const MIN_COMPRESSED_BYTES = 1_000;

export function createBody(content: string | Uint8Array, type: string): Body {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const made = new Map<string, Promise<Uint8Array>>();
  return {
    bytes,
    type,
    etag: `W/"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    isText: /^(?:text\/|application\/(?:json|xml|javascript)|image\/svg)/.test(type),
    encoded(encoding) {
      const known = made.get(encoding);
      if (known !== undefined) return known;
      const compressed =
        encoding === "br"
          ? compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
          : compressGzip(bytes, { level: 6 });
      made.set(encoding, compressed);
      return compressed;
    },
  };
}

/** What a kept body weighs: its bytes, and about as much again for both compressed forms and overhead. */
export function bodyWeight(body: Body): number {
  return body.bytes.length * (body.isText ? 1.6 : 1) + 500;
}

/**
 * Answers with a body: 304 when the client has it, compressed when it can read that, without content for HEAD.
 * Every answer is to be revalidated unless `headers` says otherwise.
 */
export async function sendBody(
  request: PlainRequest,
  body: Body,
  options: { status?: number; headers?: Record<string, string> } = {},
): Promise<PlainAnswer> {
  const status = options.status ?? 200;
  const compresses = body.isText && body.bytes.length >= MIN_COMPRESSED_BYTES;
  const { Vary: vary, ...given } = options.headers ?? {};
  const varies = [vary, compresses ? "Accept-Encoding" : undefined].filter((names) => names !== undefined).join(", ");
  const headers: Record<string, string> = {
    "Content-Type": body.type,
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    ETag: body.etag,
    ...(varies !== "" && { Vary: varies }),
    ...given,
  };
  if (status === 200 && matches(request.headers.get("if-none-match"), body.etag)) {
    delete headers["Content-Type"];
    return { status: 304, headers, body: null };
  }
  const encoding = compresses ? chooseEncoding(request.headers.get("accept-encoding") ?? "") : null;
  const bytes = encoding === null ? body.bytes : await body.encoded(encoding);
  if (encoding !== null) headers["Content-Encoding"] = encoding;
  headers["Content-Length"] = String(bytes.length);
  return { status, headers, body: request.method === "HEAD" ? null : bytes };
}

function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const bare = (tag: string) => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => bare(tag) === bare(etag));
}

const chooseEncoding = memoize((acceptEncoding: string): "br" | "gzip" | null => {
  const accepted = new Map(
    acceptEncoding.split(",").map((part) => {
      const [name = "", weight] = part.split(";").map((piece) => piece.trim().toLowerCase());
      return [name, weight === undefined ? 1 : Number.parseFloat(weight.replace("q=", "")) || 0];
    }),
  );
  if ((accepted.get("br") ?? 0) > 0) return "br";
  return (accepted.get("gzip") ?? 0) > 0 ? "gzip" : null;
});
