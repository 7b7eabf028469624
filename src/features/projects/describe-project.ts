import { createHash } from "node:crypto";
import { type ConnectionState, findConnectionState } from "#hosts/remote/connections.ts";
import type { Database } from "#db/database.ts";
import { listDomains, type ProjectDomain } from "./site/domains.ts";
import type { Project, ProjectSettings } from "./project.ts";
import { readSiteAccess } from "./site-access.ts";

interface Deps {
  database: Database;
  /** URL of its site for readers. */
  siteUrl(project: Project, domains: readonly ProjectDomain[]): string;
  /** Clone URL of its repository. */
  repositoryUrl(project: Project): string;
  /** Whether its repository exists in the data directory. */
  hasRepository(project: Project): Promise<boolean>;
}

/** A project in the API: all settings, and no secrets. */
export async function describeProject(deps: Deps, project: Project) {
  const { id, slug, name, branch, codeHost, sourceUrl, createdAt, archivedAt } = project;
  const { sealedKeys = {}, ...settings } = project.settings;
  const domains = await listDomains(deps.database.kysely, id);
  const shown = {
    id,
    slug,
    name,
    branch,
    siteUrl: deps.siteUrl(project, domains),
    repository: { url: deps.repositoryUrl(project), host: codeHost, source: sourceOf(sourceUrl) },
    settings: settings satisfies Omit<ProjectSettings, "sealedKeys">,
    secrets: Object.keys(sealedKeys).sort(),
    access: { mode: (await readSiteAccess(deps.database.kysely, id)).mode },
    domains: domains.map(({ domain }) => domain),
    pinnedCommit: project.pin?.commit ?? null,
    createdAt: createdAt.toISOString(),
    archivedAt: archivedAt?.toISOString() ?? null,
  };
  const version = createHash("sha256").update(JSON.stringify(shown)).digest("hex").slice(0, 16);
  const repository = { ...shown.repository, missing: !(await deps.hasRepository(project)) }; // not in the version: no person changed it
  return { ...shown, repository, version, connection: connectionToJson(await findConnectionState(deps, id)) };
}

/** State of a project's host; null for the embedded host. Never contains the token. */
export function connectionToJson(state: ConnectionState | null) {
  if (state === null) return null;
  return {
    host: state.kind,
    url: state.url,
    state: state.trouble !== null ? "failing" : state.syncedAt === null ? "waiting" : "current",
    syncedAt: state.syncedAt?.toISOString() ?? null,
    triedAt: state.triedAt?.toISOString() ?? null,
    webhookAt: state.webhookAt?.toISOString() ?? null,
    trouble: state.trouble,
    remarks: state.remarks,
    app: state.app?.name ?? null,
  } as const;
}

/** Leaves out a local path, which means nothing to remote callers. */
const sourceOf = (url: string | null): string | null => (url !== null && /^https?:\/\//i.test(url) ? url : null);
