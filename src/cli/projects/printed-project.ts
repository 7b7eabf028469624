import type { Schemas } from "#client/client.ts";

type Project = Schemas["Project"];

/** A project in the `--json` output of commands. */
export const printedProject = ({ repository, ...project }: Project) => ({
  id: project.id,
  slug: project.slug,
  name: project.name,
  branch: project.branch,
  source: repository.source,
  siteUrl: project.siteUrl,
  codeHost: repository.host,
  repositoryUrl: repository.url,
  createdAt: project.createdAt,
  archivedAt: project.archivedAt,
});

/** The same with its settings; the connection only if it was requested. */
export function printedSettings(project: Project, { connection = null }: Partial<Pick<Project, "connection">> = {}) {
  const { id, slug, name, branch, siteUrl, repository, settings, secrets } = project;
  return {
    id,
    slug,
    name,
    branch,
    siteUrl,
    repositoryUrl: repository.url,
    ...(connection && { connection: shownConnection(connection) }),
    settings: { ...settings, keys: secrets },
  };
}

/** The state of a host. Commands keep the old name `kind` for its software. */
export const shownConnection = ({ host, ...rest }: NonNullable<Project["connection"]>) => ({ kind: host, ...rest });
