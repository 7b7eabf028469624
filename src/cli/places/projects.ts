/** A project as commands print it. */
export interface PrintedProject {
  id: string;
  slug: string;
  name: string;
  branch: string;
  /** Where it was copied from or is; null when nowhere else. */
  source: string | null;
  siteUrl: string;
  codeHost: string;
  repositoryUrl: string;
  createdAt: string;
}

/** The same with all that is set of it. */
export interface ShownSettings extends PrintedProject {
  /** How its host does; null of a repository that is here. */
  connection: object | null;
  /** With the names of stored keys as `keys`. */
  settings: Record<string, unknown>;
  access: string;
  /** The main one first. */
  domains: string[];
}

export interface AskedProject {
  name: string;
  repo: string | null;
  branch: string | null;
  /** Null: by the app with `app`, else the repository is copied. */
  token: string | null;
  app: boolean;
  host: string | null;
}

/** What is to change; what is not named stays. */
export interface AskedChanges {
  /** One that is there. */
  branch?: string;
  settings?: Record<string, unknown>;
  /** Keys of model providers; null takes one out. */
  secrets?: Record<string, string | null>;
  access?: { mode: string; password?: string };
  domains?: string[];
}

/** A project as the interface shows it, as far as it is printed; beside a data directory it is described alike. */
export interface ProjectJson {
  id: string;
  slug: string;
  name: string;
  branch: string;
  siteUrl: string;
  repository: { url: string; host: string; source: string | null };
  settings: object;
  secrets: string[];
  access: { mode: string };
  domains: string[];
  createdAt: string;
  connection: ({ host: string } & object) | null;
}

export const printedProject = ({ repository, ...project }: ProjectJson): PrintedProject => ({
  id: project.id,
  slug: project.slug,
  name: project.name,
  branch: project.branch,
  source: repository.source,
  siteUrl: project.siteUrl,
  codeHost: repository.host,
  repositoryUrl: repository.url,
  createdAt: project.createdAt,
});

export const shownSettings = (project: ProjectJson): ShownSettings => ({
  ...printedProject(project),
  connection: shownConnection(project.connection),
  settings: { ...project.settings, keys: project.secrets },
  access: project.access.mode,
  domains: project.domains,
});

/** How a host does, with the name that commands have always had for what it runs. */
function shownConnection(connection: ProjectJson["connection"]): object | null {
  if (connection === null) return null;
  const { host, ...rest } = connection;
  return { kind: host, ...rest };
}

/** A link to a private site as commands print it. */
export interface PrintedLink {
  url: string;
  token: string;
  expiresAt: string;
}

/** What can be done with projects, beside a data directory and at a server alike. Throws `AppError`. */
export interface ProjectActions extends AsyncDisposable {
  create(asked: AskedProject): Promise<PrintedProject>;
  list(): Promise<PrintedProject[]>;
  /** By its id or slug; at a server also by the name of a login. */
  find(named: string): Promise<ShownSettings>;
  change(project: PrintedProject, changes: AskedChanges): Promise<ShownSettings>;
  replaceToken(project: PrintedProject, token: string): Promise<void>;
  remove(project: PrintedProject): Promise<void>;
  makeLink(project: PrintedProject, asked: { path: string; expiresInSeconds: number }): Promise<PrintedLink>;
  /** Ends every sign-in of readers, and every link. */
  signReadersOut(project: PrintedProject): Promise<void>;
}
