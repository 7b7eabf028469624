import { z } from "zod";
import type { Docs, Page } from "#content/page-tree.ts";
import { canonicalPath } from "#content/routes.ts";
import type { SiteProject } from "./site-project.ts";
import type { ViewCollector } from "./view-collector.ts";

const MAX_BODY_BYTES = 8 * 1024;

const PathOfView = z.looseObject({ path: z.string().max(4_000) });

/** Hands a browser's confirmation of a view to the collector, with the page's canonical path. */
export async function confirmView(options: {
  request: Request;
  peerAddress: string;
  project: SiteProject;
  collectView: ViewCollector;
  docsNow(): Promise<Docs>;
}): Promise<Response> {
  const { request, peerAddress, project, collectView, docsNow } = options;
  const text = await readLimited(request, MAX_BODY_BYTES);
  if (text === null) return new Response(null, { status: 413 });
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return new Response(null, { status: 400 });
  }
  const viewed = PathOfView.safeParse(body);
  if (viewed.success) {
    const page = pageAt(await docsNow(), viewed.data.path);
    if (page !== undefined) body = { ...viewed.data, path: page.route };
  }
  return collectView.confirm({
    projectId: project.id,
    request,
    peerAddress,
    body,
    isPage: async (path) => pageAt(await docsNow(), path) !== undefined,
  });
}

function pageAt(docs: Docs, pathname: string): Page | undefined {
  const path = canonicalPath(pathname);
  return path === null ? undefined : docs.pages.get(path);
}

/** Text of a body up to a size; null beyond it. */
async function readLimited(request: Request, maxBytes: number): Promise<string | null> {
  const length = request.headers.get("content-length");
  if (Number(length ?? 0) > maxBytes) return null;
  // The server ends a body at its announced length. Reading it as a stream costs as much as delivering a page.
  if (length !== null) return request.text();
  const chunks: Uint8Array[] = [];
  const stream: AsyncIterable<Uint8Array> | null = request.body;
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
