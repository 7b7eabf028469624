import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import { AppError } from "#lib/app-error.ts";
import type { PlainAnswer, PlainRequest } from "./plain-http.ts";
import { memoize } from "#lib/memoize.ts";

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Bytes to send, with their validator; compressed forms are created on first use and kept. */
export interface Body {
  bytes: Uint8Array;
  type: string;
  /** Weak where the body may be compressed: the same for every encoding. */
  etag: string;
  /** Whether it may be compressed. */
  isText: boolean;
  /** The project that owns it; "" for the theme's own. */
  owner: string;
  /** Null when too much of its owner already waits to be compressed: it is then sent uncompressed. */
  encoded(encoding: "br" | "gzip"): Promise<Uint8Array | null>;
}

/** Whether content of a media type gets smaller when it is compressed. */
export const isText = (type: string): boolean =>
  /^(?:text\/|application\/(?:json|xml|javascript|rss\+xml)|image\/svg)/.test(type);

const MIN_COMPRESSED_BYTES = 1_000;
/** A larger body is sent uncompressed: 16 MB cost a core most of a second, and anyone may request them. */
const MAX_COMPRESSED_BYTES = 4 * 1024 * 1024;
/** Node has four threads for compression, file access and DNS: two of them stay free, one project uses at most one. */
const compressions = createFairPlaces({ places: 2, maxWaiting: 50 });

/** Pass `etag` when it is known without the content, such as the version of a file. */
export function createBody(
  content: string | Uint8Array,
  type: string,
  { owner = "", etag }: { owner?: string; etag?: string } = {},
): Body {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const made = new Map<string, Promise<Uint8Array | null>>();
  return {
    bytes,
    type,
    owner,
    etag: etag ?? `W/"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    isText: isText(type),
    encoded(encoding) {
      const known = made.get(encoding);
      if (known !== undefined) return known;
      const compressed = compressions
        .run(owner, () =>
          encoding === "br"
            ? compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
            : compressGzip(bytes, { level: 6 }),
        )
        .catch((error: unknown) => {
          made.delete(encoding); // on the next request, a place may be free
          if (error instanceof AppError) return null;
          throw error;
        });
      made.set(encoding, compressed);
      return compressed;
    },
  };
}

/** The weight of a body in a cache: its bytes, and about as much again for both compressed forms and overhead. */
export function bodyWeight(body: Body): number {
  return body.bytes.length * (body.isText ? 1.6 : 1) + 500;
}

/**
 * Sends a body: 304 when the client has it, compressed when the client accepts that, no content for HEAD. Every
 * response must be revalidated unless `headers` says otherwise.
 */
export async function sendBody(
  request: PlainRequest,
  body: Body,
  options: { status?: number; headers?: Record<string, string> } = {},
): Promise<PlainAnswer> {
  const status = options.status ?? 200;
  const size = body.bytes.length;
  const compresses = body.isText && size >= MIN_COMPRESSED_BYTES && size <= MAX_COMPRESSED_BYTES;
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
  const compressed = encoding === null ? null : await body.encoded(encoding);
  if (encoding !== null && compressed !== null) headers["Content-Encoding"] = encoding;
  const bytes = compressed ?? body.bytes;
  headers["Content-Length"] = String(bytes.length);
  return { status, headers, body: request.method === "HEAD" ? null : bytes, owner: body.owner };
}

function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const withoutWeakMark = (tag: string) => tag.trim().replace(/^W\//, "");
  return (
    ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => withoutWeakMark(tag) === withoutWeakMark(etag))
  );
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
