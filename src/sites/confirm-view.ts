import type { Docs } from "#content/page-tree.ts";
import { canonicalPath } from "#content/routes.ts";
import type { PlainAnswer, PlainRequest, WholeRequest } from "#lib/plain-http.ts";
import type { SiteProject } from "./site-project.ts";
import type { ViewCollector } from "./view-collector.ts";

const MAX_BODY_BYTES = 8 * 1024;

/** A message of the page's script: `{ body }`, or the status that refuses it. Never rejects. */
export type Message = { body: unknown } | { refusal: 400 | 413 };

export async function readMessage(request: WholeRequest): Promise<Message> {
  try {
    const text = await request.textUpTo(MAX_BODY_BYTES);
    return text === null ? { refusal: 413 } : { body: JSON.parse(text) };
  } catch {
    return { refusal: 400 };
  }
}

/** Hands a browser's confirmation of a view to the collector. */
export async function confirmView(
  options: {
    request: PlainRequest;
    peerAddress: string;
    project: SiteProject;
    collectView: ViewCollector;
    docsNow(): Promise<Docs>;
  },
  message: Message,
): Promise<PlainAnswer> {
  const { request, peerAddress, project, collectView, docsNow } = options;
  if ("refusal" in message) return { status: message.refusal, headers: {}, body: null };
  const { body } = message;
  const { pages } = await docsNow();
  const pageOf = (pathname: string) => {
    const path = canonicalPath(pathname);
    return (path !== null && pages.get(path)?.route) || null;
  };
  return collectView.confirm({ projectId: project.id, request, peerAddress, body, pageOf });
}
