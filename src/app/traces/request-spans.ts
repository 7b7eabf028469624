import { SpanKind, TraceFlags, type SpanContext } from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";
import { httpRequests } from "#app/http/app.ts";
import { contentWork } from "#docs/render/process/content-process.ts";
import { remoteCommands } from "#git/refs/remote.ts";
import { pushes } from "#hosts/embedded/git-exchange.ts";
import { outboundRequests } from "#lib/network/outbound-http.ts";
import { bucketCalls } from "#object-storage/bucket.ts";
import type { Tracer } from "./tracer.ts";

/** Spans of requests that this server answers and sends. No path, query, header or address of a client is in them. */
export function followRequests(tracer: Tracer): Disposable {
  const stack = new DisposableStack();
  stack.use(
    tracer.follow(httpRequests, {
      begin: ({ method, route, traceparent }) => ({
        name: route === undefined ? method : `${method} ${route}`,
        kind: SpanKind.SERVER,
        values: { "http.request.method": method },
        parent: readTraceparent(traceparent),
      }),
      started: (fact, traceId) => (fact.traceId = traceId),
      end: ({ method, route = "", status = 500, requestId, projectId }) => ({
        name: `${method} ${route}`,
        values: {
          "http.route": route,
          "http.response.status_code": status,
          "docent.request.id": requestId,
          "docent.project.id": projectId,
        },
        errorType: status >= 500 ? String(status) : null,
      }),
    }),
  );
  stack.use(
    tracer.follow(pushes, {
      begin: ({ projectId, sizeBytes }) => ({
        name: "git push",
        values: { "docent.project.id": projectId, "docent.push.size": sizeBytes },
      }),
      end: () => ({}),
    }),
  );
  stack.use(
    tracer.follow(contentWork, {
      // Jobs, reports and indexes work on all pages of a site.
      begin: ({ kind }) => ({ name: `content ${kind}`, onlyIn: SpanKind.SERVER }),
      end: ({ result = "ok" }) => ({ errorType: result === "ok" ? null : result.replaceAll(" ", "_") }),
    }),
  );
  stack.use(
    tracer.follow(outboundRequests, {
      begin: ({ method, url }) => ({
        name: method,
        kind: SpanKind.CLIENT,
        values: { "http.request.method": method, ...serverOf(url) },
      }),
      end: ({ status, failure }) => ({
        values: { "http.response.status_code": status },
        errorType: failure ?? (status !== undefined && status >= 400 ? String(status) : null),
      }),
    }),
  );
  stack.use(
    tracer.follow(remoteCommands, {
      begin: ({ command, url }) => ({ name: `git ${command}`, kind: SpanKind.CLIENT, values: serverOf(url) }),
      end: ({ failure }) => ({ errorType: failure }),
    }),
  );
  stack.use(
    tracer.follow(bucketCalls, {
      begin: ({ operation }) => ({ name: `object storage ${operation}`, kind: SpanKind.CLIENT, onlyIn: "any" }),
      end: () => ({}),
    }),
  );
  return stack;
}

const readTraceparent = (header: string | null): SpanContext | undefined => {
  const read = header === null ? null : parseTraceParent(header);
  return read ? { ...read, traceFlags: TraceFlags.NONE } : undefined;
};

function serverOf(text: string | null) {
  const url = text === null ? null : URL.parse(text);
  if (!url) return {};
  const port = Number(url.port) || (url.protocol === "http:" ? 80 : 443);
  return { "server.address": url.hostname, "server.port": port };
}
