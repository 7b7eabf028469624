/**
 * What a handler reads of a request. A web `Request` is one too; one that is made of what Node's parser left costs
 * next to nothing, which is why sites and the collector of views ask for no more.
 */
export interface PlainRequest {
  readonly method: string;
  /** Whole, with scheme and host. */
  readonly url: string;
  /** By a name in lower case. Several of one name are joined; of those that HTTP allows once, the first counts. */
  readonly headers: { get(name: string): string | null };
}

/** A request with its address parsed and a body that can be read, once. */
export interface WholeRequest extends PlainRequest {
  /** What `url` says. */
  readonly location: URL;
  /** The body as UTF-8; null when it has more bytes than this. */
  textUpTo(maxBytes: number): Promise<string | null>;
}

/** An answer before anything is written. */
export interface PlainAnswer {
  status: number;
  headers: Record<string, string>;
  /** Pieces come one after the other, as the reader takes them; `headers` say how long they are together. */
  body: string | Uint8Array | AsyncIterable<Uint8Array> | null;
  /** The project that it belongs to, whose share of memory it uses until it is sent; absent when it belongs to no project. */
  owner?: string;
}

export function toResponse({ status, headers, body }: PlainAnswer): Response {
  if (typeof body === "string" || body === null) return new Response(body, { status, headers });
  if (!(body instanceof Uint8Array)) return new Response(ReadableStream.from(body), { status, headers });
  return new Response(Buffer.from(body.buffer, body.byteOffset, body.length), { status, headers });
}
