import { existsSync } from "node:fs";
import path from "node:path";
import type { Selectable } from "kysely";
import { noteUnfinished } from "#hosts/unfinished-repositories.ts";
import type { Database, DatabaseTransaction, Queryable } from "#db/database.ts";
import type { ProjectTable } from "#db/tables/projects.ts";
import { EMPTY_TREE } from "#git/objects/objects.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import { refuseCredentials } from "#lib/secrets/refuse-credentials.ts";
import { findSecrets } from "#lib/secrets/secret-scan.ts";
import type { Clock } from "#lib/clock.ts";
import { newProjectId, type ProjectId } from "#lib/ids.ts";
import { parseAddressRanges } from "#lib/network/network-address.ts";
import { type Project, ProjectSettings, refuseInvisible, type SettableName, type SitePin, slugFor } from "./project.ts";

interface Deps {
  database: Database;
  repoStore: RepoStore;
  clock: Clock;
}

/** The first commit of a repository. `AppError invalid` for an invalid path. */
async function commitFirst(
  repoStore: RepoStore,
  id: ProjectId,
  { branch, files, at }: { branch: string; files: ReadonlyMap<string, Uint8Array>; at: Date },
): Promise<void> {
  const edits = [...files].map(([path, content]) => ({ path, content }));
  const tree = await repoStore.snapshot(id, { base: EMPTY_TREE, edits });
  const author = { name: "Docent", email: "docent@docent.invalid" };
  const commit = await repoStore.commit(id, { tree, parents: [], message: "Add the docs\n", author, at });
  await repoStore.updateRef(id, { ref: `refs/heads/${branch}`, expected: null, to: commit });
}

/** Fields of a new project, wherever its repository is. */
export interface NewProject {
  name: string;
  /** The slug; derived from the name if absent. */
  slug?: string | null;
  settings?: ProjectSettings;
  /** Runs before the project is inserted, in the same transaction. */
  beside?(transaction: DatabaseTransaction, id: ProjectId): Promise<void>;
}

/**
 * Creates a project from a copy of a repository, in the embedded code host, or with an empty repository. `AppError
 * invalid` for an invalid name or source, `conflict` if the slug is taken. Leaves nothing behind on failure.
 */
export async function createProject(
  { database, repoStore, clock }: Deps,
  options: NewProject & {
    source: string | null;
    branch: string | null;
    /** Files of the first commit in a new repository, by path. */
    files?: ReadonlyMap<string, Uint8Array>;
    /** Checked IP addresses of the source's host: git connects only to these, and follows no redirects to others. */
    addresses?: readonly string[];
    signal?: AbortSignal;
    onProgress?: ((line: string) => void) | undefined;
  },
): Promise<Project> {
  const { name, slug } = await newProjectName({ database }, options.name, options.slug);
  const now = clock.now();
  const id = newProjectId(now);
  const source = options.source === null ? null : sourceOf(options.source);
  await using _ = await noteUnfinished({ repoStore }, id);
  try {
    const branch = source
      ? (
          await repoStore.import(id, {
            source,
            branch: options.branch,
            ...(options.addresses && { addresses: options.addresses }),
            ...(options.signal && { signal: options.signal }),
            ...(options.onProgress && { onProgress: options.onProgress }),
          })
        ).branch
      : (options.branch ?? "main");
    if (!source) await repoStore.create(id, { branch });
    if (options.files) await commitFirst(repoStore, id, { branch, files: options.files, at: now });
    const project: Project = {
      id,
      slug,
      name,
      sourceUrl: source,
      codeHost: "embedded",
      branch,
      settings: options.settings ?? {},
      pin: null,
      createdAt: now,
      archivedAt: null,
    };
    await database.transaction(async (transaction) => {
      await options.beside?.(transaction, id);
      await insertProject(transaction, project);
    });
    return project;
  } catch (error) {
    await repoStore.remove(id);
    throw error;
  }
}

/** Validates the name and slug of a new project. `AppError invalid`, `conflict` if the slug is taken. */
export async function newProjectName(
  deps: Pick<Deps, "database">,
  text: string,
  wanted?: string | null,
): Promise<{ name: string; slug: string }> {
  const name = text.trim();
  if (name.length > 200) throw new AppError("invalid", "A project's name has at most 200 characters.");
  refuseInvisible(name);
  refuseCredentials({ name });
  const slug = slugFor(wanted ?? name);
  if (wanted != null && slug !== wanted) {
    throw new AppError(
      "invalid",
      `"${wanted}" is no address: use lower-case letters, digits and single dashes, as in "${slug}".`,
      {
        details: [{ path: "slug", message: "must be lower-case letters, digits and single dashes, at most 40" }],
      },
    );
  }
  if (await findProjectBySlug(deps, slug)) throw slugTaken(slug);
  return { name, slug };
}

/** `AppError conflict` if the slug was taken meanwhile. */
export async function insertProject(queryable: Queryable, project: Project): Promise<void> {
  await queryable
    .insertInto("project")
    .values({
      id: project.id,
      slug: project.slug,
      name: project.name,
      source_url: project.sourceUrl,
      code_host: project.codeHost,
      branch: project.branch,
      settings: JSON.stringify(project.settings),
      created_at: project.createdAt.getTime(),
    })
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .returning("id")
    .executeTakeFirstOrThrow(() => slugTaken(project.slug));
}

/**
 * Normalizes `source` for git: a URL unchanged, a path as absolute. Rejects credentials in a URL, which would be
 * stored.
 */
function sourceOf(source: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(source)) {
    const url = URL.parse(source);
    if (!url) throw new AppError("invalid", `"${source}" is not a valid address.`);
    if (url.username || url.password || findSecrets(source).length > 0) {
      throw new AppError("invalid", "A repository's address must not contain a user name, a password or a token.");
    }
    return source;
  }
  const absolute = path.resolve(source);
  if (!existsSync(absolute)) throw new AppError("invalid", `There is no repository at ${absolute}.`);
  return absolute;
}

export function slugTaken(slug: string): AppError {
  return new AppError("conflict", `The address "${slug}" belongs to another project, or did before. Choose another.`);
}

export async function listProjects({ database }: Pick<Deps, "database">): Promise<Project[]> {
  const rows = await database.kysely.selectFrom("project").selectAll().orderBy("slug").execute();
  return rows.map(fromRow);
}

/** Newest first; `before` is the ID of the last project of the previous page. */
export async function listProjectsBefore(
  { database }: Pick<Deps, "database">,
  { before, limit }: { before: ProjectId | null; limit: number },
): Promise<Project[]> {
  let query = database.kysely.selectFrom("project").selectAll().orderBy("id", "desc").limit(limit);
  if (before !== null) query = query.where("id", "<", before);
  return (await query.execute()).map(fromRow);
}

export async function findProject({ database }: Pick<Deps, "database">, id: ProjectId): Promise<Project | null> {
  const row = await database.kysely.selectFrom("project").selectAll().where("id", "=", id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Finds a project by its current or a former slug; for a former one, `slug` differs. */
export async function findProjectBySlug({ database }: Pick<Deps, "database">, slug: string): Promise<Project | null> {
  const { kysely } = database;
  const row =
    (await kysely.selectFrom("project").selectAll().where("slug", "=", slug).executeTakeFirst()) ??
    (await kysely
      .selectFrom("former_slug")
      .innerJoin("project", "project.id", "former_slug.project_id")
      .selectAll("project")
      .where("former_slug.slug", "=", slug)
      .executeTakeFirst());
  return row ? fromRow(row) : null;
}

/** Finds a project by ID or slug, as entered by a user. `AppError not_found`. */
export async function requireProject(deps: Pick<Deps, "database">, idOrSlug: string): Promise<Project> {
  const project = idOrSlug.startsWith("prj_")
    ? await findProject(deps, idOrSlug as ProjectId)
    : await findProjectBySlug(deps, idOrSlug);
  if (!project)
    throw new AppError("not_found", `There is no project "${idOrSlug}". \`docent projects list\` shows them.`);
  return project;
}

/** Replaces a project's settings. `AppError invalid` for invalid settings. */
export async function saveSettings(
  { database }: Pick<Deps, "database">,
  project: Pick<Project, "id">,
  settings: ProjectSettings,
): Promise<void> {
  await database.kysely
    .updateTable("project")
    .set({ settings: JSON.stringify(settings) })
    .where("id", "=", project.id)
    .execute();
}

/**
 * Returns the settings with one of them changed; `null` removes it. For `analytics`, only the given fields change, and
 * null resets a field. `AppError invalid` describes an invalid value.
 */
export function withSetting(settings: ProjectSettings, name: SettableName, value: unknown): ProjectSettings {
  const changed: Record<string, unknown> = { ...settings };
  if (value === null) delete changed[name];
  else changed[name] = name === "analytics" || name === "quotas" ? merged(settings[name], value) : value;
  const parsed = ProjectSettings.safeParse(changed);
  if (parsed.success) {
    if (name === "analytics") refuseNoRanges(parsed.data.analytics?.excludedNetworks ?? []);
    const stored = parsed.data[name];
    refuseCredentials({ [name]: typeof stored === "string" ? stored : JSON.stringify(stored) });
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  const path = issue?.path.join(".") ?? name;
  throw new AppError("invalid", `${path}: ${issue?.message ?? "is not valid"}.`, {
    details: [{ path, message: issue?.message ?? "is not valid" }],
  });
}

/** Merges fields, so that excluding a network does not reset the retention of views. */
function merged(fields: object | undefined, value: unknown): unknown {
  if (typeof value !== "object" || Array.isArray(value)) return value; // the schema rejects it
  return Object.fromEntries(Object.entries({ ...fields, ...value }).filter(([, field]) => field !== null));
}

/** Older rows may contain invalid ranges, which match no address. They are rejected when the setting is written. */
function refuseNoRanges(ranges: readonly string[]): void {
  for (const [index, range] of ranges.entries()) {
    try {
      parseAddressRanges([range]);
    } catch (cause) {
      const path = `analytics.excludedNetworks.${index}`;
      const message = "is no address or range, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32";
      throw new AppError("invalid", `${path}: ${message}.`, { cause, details: [{ path, message }] });
    }
  }
}

type Row = Selectable<ProjectTable>;

function fromRow(row: Row): Project {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    sourceUrl: row.source_url,
    codeHost: row.code_host,
    branch: row.branch,
    settings: ProjectSettings.parse(JSON.parse(row.settings)),
    pin: pinOf(row),
    createdAt: new Date(row.created_at),
    archivedAt: row.archived_at === null ? null : new Date(row.archived_at),
  };
}

const pinOf = ({ pinned_commit: commit, pinned_at: at, pinned_by: by }: Row): SitePin | null =>
  commit === null ? null : { commit, at: new Date(at ?? 0), by: by ?? "" };
