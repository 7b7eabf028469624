import type { ProjectId } from "#lib/ids.ts";
import type { PlainAnswer, PlainRequest, WholeRequest } from "#lib/network/plain-http.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { canonicalPath } from "#docs/routes.ts";

/** A response of a project's site, as the server saw it. */
export interface ServedView {
  projectId: ProjectId;
  /** Canonical path of the page; for a missing page, the requested path. */
  path: string;
  surface: "html" | "markdown" | "llms";
  found: boolean;
  request: PlainRequest;
  peerAddress: string;
}

/** Receives a site's views. */
export interface ViewCollector {
  /** Never throws and never delays serving. */
  served(view: ServedView): void;
  /**
   * Responds to the script that confirms a view in a browser. `read` returns its message and is called when the view is
   * about to be written; `pageOf` returns the canonical path of a page, or null.
   */
  confirm(options: {
    projectId: ProjectId;
    request: PlainRequest;
    peerAddress: string;
    read(): unknown;
    pageOf(path: string): string | null;
  }): Promise<PlainAnswer>;
}

/** For sites whose readers are not visitors: local folders, exports, and the server's own API reference. */
export const uncounted: ViewCollector = {
  served: () => undefined,
  confirm: async () => ({ status: 204, headers: {}, body: null }),
};

/** The address of the page script's messages, by POST. */
export const VIEW_PATH = "/_docent/view";

const MAX_BODY_BYTES = 8 * 1024;

/** A message of the page's script, validated later by the collector, or the status that refuses it. */
type Message = { read(): unknown } | { refusal: 400 | 413 };

/**
 * Finds the message in the query. Reading a body costs the main thread a quarter of a page, so it is read only without
 * a query: scripts sent a body until November 2026, and browsers may still have them cached. Never rejects.
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

/** The canonical path of the page at a path; null when there is no page. */
export function pageFinder({ pages }: Docs): (pathname: string) => string | null {
  return (pathname) => {
    const page = pages.get(pathname); // the usual case: the script took it from the page's address
    if (page !== undefined) return page.route;
    const path = canonicalPath(pathname);
    return (path !== null && pages.get(path)?.route) || null;
  };
}
