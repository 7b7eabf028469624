/**
 * The part of a request that handlers read. A web `Request` satisfies it; an object over Node's parsed request costs
 * next to nothing, which is why sites and the view collector use this type.
 */
export interface PlainRequest {
  readonly method: string;
  /** Absolute, with scheme and host. */
  readonly url: string;
  /** Looks up a lower-case name. Repeated headers are joined; for those that HTTP allows once, the first counts. */
  readonly headers: { get(name: string): string | null };
}

/** A request with its parsed address and a body that can be read once. */
export interface WholeRequest extends PlainRequest {
  /** `url`, parsed. */
  readonly location: URL;
  /** The body as UTF-8; null when it has more bytes than this. */
  textUpTo(maxBytes: number): Promise<string | null>;
}

/** A response before anything is written. */
export interface PlainAnswer {
  status: number;
  headers: Record<string, string>;
  /** Chunks are pulled one by one as the client reads; `headers` give their total length. */
  body: string | Uint8Array | AsyncIterable<Uint8Array> | null;
  /** The project that is charged for its memory until it is sent; absent when it belongs to no project. */
  owner?: string;
}

export function toResponse({ status, headers, body }: PlainAnswer): Response {
  if (typeof body === "string" || body === null) return new Response(body, { status, headers });
  if (!(body instanceof Uint8Array)) return new Response(ReadableStream.from(body), { status, headers });
  return new Response(Buffer.from(body.buffer, body.byteOffset, body.length), { status, headers });
}
