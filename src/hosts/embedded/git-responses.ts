const NEVER_CACHE = {
  "Cache-Control": "no-cache, max-age=0, must-revalidate",
  Expires: "Fri, 01 Jan 1980 00:00:00 GMT",
  Pragma: "no-cache",
  "X-Content-Type-Options": "nosniff",
};

/** What git itself answers. */
export function gitResponse(type: string, body: Buffer | ReadableStream<Uint8Array>): Response {
  const content = Buffer.isBuffer(body) ? new Uint8Array(body) : body;
  return new Response(content, { headers: { ...NEVER_CACHE, "Content-Type": type } });
}

/** A refusal in words. */
export function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, {
    status,
    headers: { ...NEVER_CACHE, "Content-Type": "text/plain; charset=utf-8", ...headers },
  });
}
