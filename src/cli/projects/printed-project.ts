import type { Schemas } from "#client/client.ts";

type Project = Schemas["Project"];

/** A project as commands print it with `--json`. */
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

/** The same with what is set; its connection only where that is looked at. */
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

/** How a host does, with the name that commands have always had for what it runs. */
export const shownConnection = ({ host, ...rest }: NonNullable<Project["connection"]>) => ({ kind: host, ...rest });
