import { type Database, insideTransaction } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { ProjectId } from "#lib/ids.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { addDomain, listDomains, makeMainDomain, MAX_DOMAINS, projectOfDomain, removeDomain } from "./site/domains.ts";
import { type Project, type ProjectSettings, refuseInvisible, type SettableName } from "./project.ts";
import { changeSlug } from "./former-slugs.ts";
import { readProjectModels, sealProjectKey } from "./project-models.ts";
import { findProject, withSetting } from "./projects.ts";
import { refuseFurtherAddresses } from "./site/external-site.ts";
import { isUsablePassword } from "#lib/secrets/password.ts";
import { refuseCredentials } from "#lib/secrets/refuse-credentials.ts";
import { type AccessMode, readyAccess, writeSiteAccess } from "./site-access.ts";

/** Requested changes; absent fields stay. */
export interface ProjectChanges {
  name?: string | undefined;
  /** The slug; the former one redirects. */
  slug?: string | undefined;
  /** Whether it is archived. */
  archived?: boolean | undefined;
  /** A branch that exists. */
  branch?: string | undefined;
  /** Settings by name; null removes one. */
  settings?: Partial<Record<SettableName, unknown>> | undefined;
  /** Keys of model providers by name; null removes one. */
  secrets?: Record<string, string | null> | undefined;
  access?: { mode: AccessMode; password?: string | undefined } | undefined;
  /** All domains of the site, in the form of `normaliseDomain`; the first is the main one. */
  domains?: readonly string[] | undefined;
}

interface Deps {
  database: Database;
  vault: KeyVault;
  clock: Clock;
  /** Called for each new domain; throws if the project may not have it. */
  admitDomain(project: Project, domain: string): Promise<void>;
}

const SECRET_NAME = /^[A-Z][A-Z0-9_]{1,63}$/;
const MAX_SECRETS = 50;
const MAX_NAME = 200;

/** Precondition on the current project, in the same transaction; may throw. Must use only the given database. */
export type ProjectCheck = (current: Project, database: Database) => Promise<void>;

/**
 * Changes a project atomically, and returns the result. `AppError invalid`, `conflict` for a domain of another project,
 * `not_found` if the project was deleted meanwhile, and errors of `check`.
 */
export async function changeProject(
  deps: Deps,
  project: Project,
  changes: ProjectChanges,
  check?: ProjectCheck,
): Promise<Project> {
  const { access } = changes;
  const domains = changes.domains && [...new Set(changes.domains)];
  const name = changes.name === undefined ? project.name : nameOf(changes.name);
  await changedSettings(deps, project, changes);
  const ready = access && (await prepareAccess(access));
  if (domains !== undefined) await admitDomains(deps, project, domains);

  try {
    return await deps.database.transaction(async (transaction) => {
      const inside = { ...deps, database: insideTransaction(deps.database, transaction) };
      const current = await takeProject(inside.database, project.id);
      await check?.(current, inside.database);
      if (domains !== undefined) await setDomains(inside, project, domains);
      if (changes.slug !== undefined && changes.slug !== current.slug) await changeSlug(inside, current, changes.slug);
      const saved = await save(inside, current, { ...changes, ...(changes.name !== undefined && { name }) });
      if (ready) await writeSiteAccess(inside, project.id, ready);
      return saved;
    });
  } catch (error) {
    // Rows of a project cannot be written after it was deleted.
    if (error instanceof AppError || (await findProject(deps, project.id))) throw error;
    throw new AppError("not_found", "The project was deleted.", { cause: error });
  }
}

/** The project, locked until the transaction ends. `AppError not_found`. */
export async function takeProject(inside: Database, id: ProjectId): Promise<Project> {
  await inside.kysely
    .updateTable("project")
    .set((expression) => ({ name: expression.ref("name") }))
    .where("id", "=", id)
    .execute();
  const current = await findProject({ database: inside }, id);
  if (!current) throw new AppError("not_found", "The project was deleted.");
  return current;
}

/**
 * Merges concurrent changes of different settings, because it changes the stored settings, not those that the caller
 * read.
 */
async function save(deps: Deps, current: Project, changes: ProjectChanges): Promise<Project> {
  const settings = await changedSettings(deps, current, changes);
  const domains = await listDomains(deps.database.kysely, current.id);
  refuseFurtherAddresses(
    settings,
    domains.map(({ domain }) => domain),
  );
  const { name = current.name, branch = current.branch, slug = current.slug, archived } = changes;
  const since = current.archivedAt ?? deps.clock.now();
  const archivedAt = archived === undefined ? current.archivedAt : archived ? since : null;
  await deps.database.kysely
    .updateTable("project")
    .set({ name, branch, settings: JSON.stringify(settings), archived_at: archivedAt?.getTime() ?? null })
    .where("id", "=", current.id)
    .execute();
  return { ...current, name, slug, branch, settings, archivedAt };
}

async function prepareAccess({ mode, password }: NonNullable<ProjectChanges["access"]>) {
  if (mode === "password" && !isUsablePassword(password ?? "")) {
    throw invalid("access.password", "A password has 8 to 200 characters.");
  }
  return readyAccess({ mode, password: password === undefined ? null : new Secret(password) });
}

/** The settings of a project with changes, which are not stored. `AppError invalid`. */
export async function changedSettings(
  { vault }: Pick<Deps, "vault">,
  project: Project,
  { settings = {}, secrets = {} }: ProjectChanges,
): Promise<ProjectSettings> {
  let changed = project.settings;
  for (const [name, value] of Object.entries(settings)) {
    if (value !== undefined) changed = withSetting(changed, name as SettableName, value);
  }
  if (Object.keys(secrets).length > 0) changed = { ...changed, sealedKeys: sealed(vault, project, secrets) };
  // Rejects invalid models here, not in a job.
  if (settings.models != null) readProjectModels(vault, { ...project, settings: changed });
  return changed;
}

function sealed(vault: KeyVault, project: Project, secrets: Record<string, string | null>): Record<string, string> {
  const keys = { ...project.settings.sealedKeys };
  for (const [name, value] of Object.entries(secrets)) {
    if (!SECRET_NAME.test(name)) throw invalid(`secrets.${name}`, "A key has a name like ANTHROPIC_API_KEY.");
    if (value === null) delete keys[name];
    else keys[name] = sealProjectKey(vault, project, { name, value: new Secret(value) });
  }
  if (Object.keys(keys).length > MAX_SECRETS) throw invalid("secrets", `A project has at most ${MAX_SECRETS} keys.`);
  return keys;
}

async function admitDomains(deps: Deps, project: Project, domains: readonly string[]): Promise<void> {
  if (domains.length > MAX_DOMAINS) throw invalid("domains", `A site has at most ${MAX_DOMAINS} domains.`);
  for (const domain of domains) {
    if ((await projectOfDomain(deps.database.kysely, domain)) !== project.id) await deps.admitDomain(project, domain);
  }
}

async function setDomains(deps: Deps, { id }: Project, domains: readonly string[]): Promise<void> {
  const before = await listDomains(deps.database.kysely, id);
  for (const { domain } of before) if (!domains.includes(domain)) await removeDomain(deps, id, domain);
  for (const domain of domains) await addDomain(deps, id, domain);
  const [main] = domains;
  if (main !== undefined) await makeMainDomain(deps, id, main);
}

function nameOf(text: string): string {
  const name = text.trim();
  if (name === "" || name.length > MAX_NAME) throw invalid("name", `A project's name has 1 to ${MAX_NAME} characters.`);
  refuseInvisible(name);
  refuseCredentials({ name });
  return name;
}

const invalid = (path: string, message: string): AppError =>
  new AppError("invalid", message, { details: [{ path, message }] });
