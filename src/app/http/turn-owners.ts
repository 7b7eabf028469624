import type { IncomingMessage } from "node:http";
import { createLruCache } from "#lib/lru-cache.ts";

/** Who requests count for while they wait for their turn. */
export interface TurnOwners {
  /**
   * The project that the host or the path names, by its id where an earlier request was answered for it; otherwise the
   * client. `site`: the label of the host, null for the server's own.
   */
  ownerOf(incoming: Pick<IncomingMessage, "url" | "headers" | "socket">, site: string | null): string;
  /** Remembers a name of a project: an address of its site, of a preview or of its repository. */
  learn(name: string, projectId: string): void;
}

const MAX_NAMES = 20_000;
const PROJECT_ID = /^[^?#]{0,40}\/(prj_[0-9a-z]{26})/;
/** What stands before the project in the label of a preview: no project's name has two hyphens in a row. */
const PREVIEW = /^[a-z0-9-]{1,60}--/;
const PATH_NAME = /^\/(?:git\/)?([a-z0-9][a-z0-9-]{0,99})/;

/** The name of a project that a path may begin with, as pages of the dashboard and repositories do. */
export const nameInPath = (path: string): string | undefined => PATH_NAME.exec(path)?.[1];

export function createTurnOwners(deps: {
  addressOf(request: { headers: { get(name: string): string | null } }, peerAddress: string): string;
}): TurnOwners {
  const projects = createLruCache<string, string>({ maxWeight: MAX_NAMES });
  return {
    ownerOf({ url = "", headers, socket }, site) {
      if (site !== null) {
        const label = site.replace(PREVIEW, "");
        return projects.get(label) ?? label;
      }
      const named = PROJECT_ID.exec(url)?.[1] ?? projects.get(nameInPath(url) ?? "");
      if (named !== undefined) return named;
      const get = (name: string) => headers[name]?.toString() ?? null;
      return deps.addressOf({ headers: { get } }, socket.remoteAddress ?? "");
    },
    learn(name, projectId) {
      if (projects.get(name) !== projectId) projects.set(name, projectId);
    },
  };
}
