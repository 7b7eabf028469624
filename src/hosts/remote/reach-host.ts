import type { ProjectId } from "#lib/ids.ts";
import { type Connection, requireConnection } from "./connections.ts";
import { type HostApi, repositoryPath } from "./host-api.ts";
import type { HostCall } from "./host-call.ts";
import type { RemoteHostDeps } from "./remote-code-host.ts";

/** What it takes to speak with the host of one project. */
export interface ReachedHost {
  connection: Connection;
  api: HostApi;
  /** `acme/docs`. */
  path: string;
  call: HostCall;
}

/** `AppError not_found` for a project that is hosted here. `signal` ends its requests. */
export async function reachHost(
  deps: Pick<RemoteHostDeps, "database" | "vault" | "hostApps" | "apis" | "calls">,
  projectId: ProjectId,
  signal?: AbortSignal,
): Promise<ReachedHost> {
  const connection = await requireConnection(deps, projectId);
  const api = deps.apis[connection.kind];
  if (!api) throw new Error(`This server does not speak with ${connection.kind}.`);
  return { connection, api, path: repositoryPath(connection.url), call: deps.calls(api, connection, signal) };
}
