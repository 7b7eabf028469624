import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { addDomain, listDomains, makeMainDomain, MAX_DOMAINS, projectOfDomain, removeDomain } from "./domains.ts";
import { type Project, type ProjectSettings, refuseInvisible, type SettableName } from "./project.ts";
import { readProjectModels, sealProjectKey } from "./project-models.ts";
import { findProject, withSetting } from "./projects.ts";
import { type AccessMode, isUsablePassword, setSiteAccess } from "./site-access.ts";

/** What is to be another way; what is not named stays. */
export interface ProjectChanges {
  name?: string;
  /** A branch that is known to be there. */
  branch?: string;
  /** By name; null takes one out. */
  settings?: Partial<Record<SettableName, unknown>>;
  /** Keys of model providers by name; null takes one out. */
  secrets?: Record<string, string | null>;
  access?: { mode: AccessMode; password?: string | undefined };
  /** All domains of the site, in the form of `normaliseDomain`; the first is the main one. */
  domains?: readonly string[];
}

interface Deps {
  database: Database;
  vault: KeyVault;
  clock: Clock;
  /** Asked for every domain that the project does not have yet; throws where it may not have it. */
  admitDomain(project: Project, domain: string): Promise<void>;
}

const SECRET_NAME = /^[A-Z][A-Z0-9_]{1,63}$/;
const MAX_SECRETS = 50;
const MAX_NAME = 200;
const TRIES = 5;

/**
 * Changes a project and answers with it as it is then. Everything is looked at before anything is written. `AppError
 * invalid`, `conflict` for a domain that another project has, `not_found` when the project goes meanwhile.
 */
export async function changeProject(deps: Deps, project: Project, changes: ProjectChanges): Promise<Project> {
  const { access } = changes;
  const domains = changes.domains && [...new Set(changes.domains)];
  const name = changes.name === undefined ? project.name : nameOf(changes.name);
  await changedSettings(deps, project, changes);
  if (access?.mode === "password" && !isUsablePassword(access.password ?? "")) {
    throw invalid("access.password", "A password has 8 to 200 characters.");
  }
  if (domains !== undefined) await admitDomains(deps, project, domains);

  try {
    if (domains !== undefined) await setDomains(deps, project, domains);
    const saved = await save(deps, project, { ...changes, name });
    if (access !== undefined) {
      const { mode, password } = access;
      await setSiteAccess(deps, project.id, { mode, password: password === undefined ? null : new Secret(password) });
    }
    return saved;
  } catch (error) {
    // What belongs to a project cannot be written once that is gone.
    if (error instanceof AppError || (await findProject(deps, project.id))) throw error;
    throw new AppError("not_found", "The project was deleted.", { cause: error });
  }
}

/** Two who change different settings at once both have theirs: the settings are changed as they are, not as they were. */
async function save(deps: Deps, { id }: Project, changes: ProjectChanges & { name: string }): Promise<Project> {
  const { kysely } = deps.database;
  for (let tries = 0; tries < TRIES; tries++) {
    const row = await kysely.selectFrom("project").select("settings").where("id", "=", id).executeTakeFirst();
    const current = await findProject(deps, id);
    if (!row || !current) throw new AppError("not_found", "The project was deleted.");
    const settings = await changedSettings(deps, current, changes);
    const changed = { ...current, name: changes.name, branch: changes.branch ?? current.branch, settings };
    const written = await kysely
      .updateTable("project")
      .set({ name: changed.name, branch: changed.branch, settings: JSON.stringify(settings) })
      .where("id", "=", id)
      .where("settings", "=", row.settings)
      .returning("id")
      .executeTakeFirst();
    if (written) return changed;
  }
  throw new AppError("conflict", "The project is being changed by others. Try again.");
}

async function changedSettings(
  { vault }: Pick<Deps, "vault">,
  project: Project,
  { settings = {}, secrets = {} }: ProjectChanges,
): Promise<ProjectSettings> {
  let changed = project.settings;
  for (const [name, value] of Object.entries(settings)) {
    if (value !== undefined) changed = withSetting(changed, name as SettableName, value);
  }
  if (Object.keys(secrets).length > 0) changed = { ...changed, sealedKeys: sealed(vault, project, secrets) };
  // Wrong models are refused here, not in a job.
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
  return name;
}

const invalid = (path: string, message: string): AppError =>
  new AppError("invalid", message, { details: [{ path, message }] });
