import type { ProjectId } from "#lib/ids.ts";
import type { PlainAnswer, PlainRequest } from "#lib/network/plain-http.ts";

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
