import type { Docs } from "#content/page-tree.ts";
import { canonicalPath } from "#content/routes.ts";
import type { PlainAnswer, WholeRequest } from "#lib/plain-http.ts";
import type { SiteProject } from "./site-project.ts";
import type { ViewCollector } from "./view-collector.ts";

const MAX_BODY_BYTES = 8 * 1024;

/** Hands a browser's confirmation of a view to the collector. */
export async function confirmView(options: {
  request: WholeRequest;
  peerAddress: string;
  project: SiteProject;
  collectView: ViewCollector;
  docsNow(): Promise<Docs>;
}): Promise<PlainAnswer> {
  const { request, peerAddress, project, collectView, docsNow } = options;
  const text = await request.textUpTo(MAX_BODY_BYTES);
  if (text === null) return { status: 413, headers: {}, body: null };
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { status: 400, headers: {}, body: null };
  }
  const { pages } = await docsNow();
  const pageOf = (pathname: string) => {
    const path = canonicalPath(pathname);
    return (path !== null && pages.get(path)?.route) || null;
  };
  return collectView.confirm({ projectId: project.id, request, peerAddress, body, pageOf });
}
