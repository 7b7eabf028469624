import type { ProjectId } from "#lib/ids.ts";

/** A delivery of a project's content, as the server saw it. */
export interface ServedView {
  projectId: ProjectId;
  /** Canonical path of the page; for what was not found, the path that was asked for. */
  path: string;
  surface: "html" | "markdown" | "llms";
  found: boolean;
  request: Request;
  peerAddress: string;
}

/** Where a site reports what it served. */
export interface ViewCollector {
  /** Never throws and never delays serving. */
  served(view: ServedView): void;
  /** Answers the script that confirms a view in a browser. `isPage` tells whether a path is a page of the site now. */
  confirm(options: {
    projectId: ProjectId;
    request: Request;
    peerAddress: string;
    body: unknown;
    isPage(path: string): Promise<boolean>;
  }): Promise<Response>;
}
