import type { ProjectId } from "#lib/ids.ts";
import type { PlainAnswer, PlainRequest, WholeRequest } from "#lib/network/plain-http.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { canonicalPath } from "#docs/routes.ts";

/** Something of a project that was served, as the server saw it. */
export interface ServedView {
  projectId: ProjectId;
  /** Canonical path of the page; for what was not found, the path that was asked for. */
  path: string;
  surface: "html" | "markdown" | "llms";
  found: boolean;
  request: PlainRequest;
  peerAddress: string;
}

/** Where a site reports what it served. */
export interface ViewCollector {
  /** Never throws and never delays serving. */
  served(view: ServedView): void;
  /**
   * Answers the script that confirms a view in a browser. `read` gives what it says and is called when the view is about
   * to be written; `pageOf` gives the canonical path of a page, null where there is no page.
   */
  confirm(options: {
    projectId: ProjectId;
    request: PlainRequest;
    peerAddress: string;
    read(): unknown;
    pageOf(path: string): string | null;
  }): Promise<PlainAnswer>;
}

/** For sites whose readers are no visitors: those of a directory, of an export, and of the server's own interface. */
export const uncounted: ViewCollector = {
  served: () => undefined,
  confirm: async () => ({ status: 204, headers: {}, body: null }),
};

/** Where the page's script sends its messages, by POST. */
export const VIEW_PATH = "/_docent/view";

const MAX_BODY_BYTES = 8 * 1024;

/** A message of the page's script, `read` later and judged by the collector, or the status that refuses it. */
type Message = { read(): unknown } | { refusal: 400 | 413 };

/**
 * Finds the message, in the query. A body costs the serving thread a quarter of what a page does; it is read where
 * there is no query: scripts sent it until November 2026, and browsers may have them still. Never rejects.
 */
export async function findMessage(request: WholeRequest): Promise<Message> {
  const { search } = request.location;
  if (search === "") return readBody(request);
  const read = () => {
    const fields = new URLSearchParams(search);
    const storage = fields.get("storage") === "true";
    const automated = fields.get("automated") === "true";
    return { path: fields.get("path"), referrer: fields.get("referrer"), id: fields.get("id"), storage, automated };
  };
  return { read };
}

async function readBody(request: WholeRequest): Promise<Message> {
  try {
    const text = await request.textUpTo(MAX_BODY_BYTES);
    if (text === null) return { refusal: 413 };
    const body: unknown = JSON.parse(text);
    return { read: () => body };
  } catch {
    return { refusal: 400 };
  }
}

/** The canonical path of the page that a path leads to; null when it leads to no page. */
export function pageFinder({ pages }: Docs): (pathname: string) => string | null {
  return (pathname) => {
    const page = pages.get(pathname); // nearly always: the script read it off such a page's address
    if (page !== undefined) return page.route;
    const path = canonicalPath(pathname);
    return (path !== null && pages.get(path)?.route) || null;
  };
}
