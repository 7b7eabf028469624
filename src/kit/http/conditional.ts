import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "./context.ts";
import { headersOf } from "./document/answer-headers.ts";
import { errorAnswers } from "./document/error-answers.ts";
import { etagOf, hasEtag } from "./etag.ts";
import { eachOperation } from "./operation.ts";

const READ = "private, no-cache";
const WRITTEN = "no-store";
/** Writes whose response is that of a GET of the same address afterwards, so that clients need no further read. */
const SHOWS_ITS_GET: ReadonlySet<string> = new Set(["PATCH", "PUT"]);

/**
 * Sets `Cache-Control` on each response of the API and an `ETag` on each read, and answers 304 to clients that have it.
 * A route that knows a cheaper version of its content sets its own ETag. Streams have none: their content is not known
 * yet.
 */
export const conditionalAnswers: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next();
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  const { headers, status } = c.res;
  if (status >= 400) return; // `errorAnswer` has set `no-store`
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", isRead ? READ : WRITTEN);
  const isWhole = status === 200 && !(headers.get("Content-Type") ?? "").startsWith("text/event-stream");
  if (!isWhole || (!isRead && !SHOWS_ITS_GET.has(c.req.method))) return;
  if (!headers.has("ETag")) {
    const body = await c.res.arrayBuffer();
    c.res = new Response(body, { status, headers });
    c.res.headers.set("ETag", etagOf(new Uint8Array(body)));
  }
  if (!isRead || !hasEtag(c.req.header("if-none-match"), c.res.headers.get("ETag")!)) return;
  const kept = new Headers(c.res.headers);
  // Headers that describe the omitted body; RFC 9110, 15.4.5.
  for (const name of ["Content-Type", "Content-Length", "Content-Disposition", "X-Content-Type-Options"]) {
    kept.delete(name);
  }
  c.res = undefined;
  c.res = new Response(null, { status: 304, headers: kept });
};

type HeaderRefs = Record<string, { $ref: string }>;
interface Answer {
  description: string;
  headers?: HeaderRefs;
  content?: Record<string, unknown>;
}

/** Documents for every operation what `conditionalAnswers` and `ifMatch` do. */
export function documentConditions(paths: Parameters<typeof eachOperation>[0]): void {
  eachOperation(paths, (operation, { isConditional }, method) => {
    const answers = operation.responses as Record<string, Answer>;
    const isStream = answers[200]?.content?.["text/event-stream"] !== undefined;
    for (const [status, answer] of Object.entries(answers)) {
      if (Number(status) >= 300 || !answer.headers) continue;
      const isShown = method === "get" || SHOWS_ITS_GET.has(method.toUpperCase());
      const isNamed = status === "200" && !isStream && isShown;
      answer.headers = { ...answer.headers, ...only(isNamed ? ["ETag", "Cache-Control"] : ["Cache-Control"]) };
    }
    if (method === "get" && !isStream) {
      const { "Content-Disposition": _file, "X-Content-Type-Options": _type, ...headers } = answers[200]?.headers ?? {};
      operation.responses = {
        ...answers,
        304: { description: "The version in `If-None-Match` is still current.", headers },
      };
      const isSaid = operation.parameters?.some(
        (parameter) => "name" in parameter && parameter.name === "If-None-Match",
      );
      if (!isSaid) {
        const description =
          "`ETag` of an earlier response. The server responds with 304 if the response would be the same.";
        operation.parameters = [...(operation.parameters ?? []), headerParameter("If-None-Match", description)];
      }
    }
    if (!isConditional) return;
    const description =
      "`ETag` of the version that you read. The server responds with 412 if the resource has changed since. If omitted, the server makes the change in any case.";
    operation.parameters = [...(operation.parameters ?? []), headerParameter("If-Match", description)];
    operation.responses = { ...errorAnswers([412]), ...operation.responses };
  });
}

function only(names: readonly ("ETag" | "Cache-Control")[]): HeaderRefs {
  const { "X-Request-Id": _id, ...headers } = headersOf(names);
  return headers;
}

const headerParameter = (name: string, description: string) => ({
  name,
  in: "header" as const,
  required: false,
  schema: { type: "string" as const },
  description,
});
