import type { Database, Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { hashPassword, isUsablePassword, MAX_PASSWORD, MIN_PASSWORD } from "#lib/secrets/password.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import type { Project } from "./project.ts";

/**
 * Access modes of a project's site: public, with a password, for readers who can sign in to the project's dashboard, or
 * with a signed link. Links and the project's keys open every site that is not public.
 */
export const ACCESS_MODES = ["public", "password", "dashboard", "links"] as const;
export type AccessMode = (typeof ACCESS_MODES)[number];

export interface SiteAccess {
  mode: AccessMode;
  /** Hash of the password; null in other modes. */
  passwordHash: string | null;
  /** Incremented with every change, which invalidates earlier sessions and links. */
  version: number;
}

const PUBLIC: SiteAccess = { mode: "public", passwordHash: null, version: 0 };

/** Without a row the site is public. An unknown mode, from a newer version, admits only signed links. */
export async function readSiteAccess(queryable: Queryable, projectId: ProjectId): Promise<SiteAccess> {
  const row = await queryable
    .selectFrom("site_access")
    .select(["mode", "password_hash", "version"])
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  if (!row) return PUBLIC;
  const mode = ACCESS_MODES.find((known) => known === row.mode) ?? "links";
  return { mode, passwordHash: row.password_hash, version: row.version };
}

/**
 * Whether strangers can read a project's pull requests and previews. Requires the setting and a public site, because
 * previews show the same content.
 */
export async function arePullRequestsPublic(
  queryable: Queryable,
  { id, settings }: Pick<Project, "id" | "settings">,
): Promise<boolean> {
  return settings.publicPullRequests === true && (await readSiteAccess(queryable, id)).mode === "public";
}

type Deps = { database: Pick<Database, "kysely">; clock: Clock };
interface ReadyAccess {
  mode: AccessMode;
  password_hash: string | null;
}

/**
 * Sets the access mode of a site, and ends all sessions and links of readers. `AppError invalid` for a password that is
 * missing, too short or too long.
 */
export async function setSiteAccess(
  deps: Deps,
  projectId: ProjectId,
  { mode, password = null }: { mode: AccessMode; password?: Secret | null },
): Promise<void> {
  await writeSiteAccess(deps, projectId, await readyAccess({ mode, password }));
}

/** Prepares the row of an access mode. Hashes the password, which takes a while. `AppError` as above. */
export async function readyAccess({
  mode,
  password,
}: {
  mode: AccessMode;
  password: Secret | null;
}): Promise<ReadyAccess> {
  const text = password?.reveal() ?? "";
  if (mode === "password" && !isUsablePassword(text)) {
    throw new AppError("invalid", `A password has ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`);
  }
  return { mode, password_hash: mode === "password" ? await hashPassword(text) : null };
}

/** Ends every session and link of a site's readers; the access mode stays. */
export async function endSiteVisits({ database, clock }: Deps, projectId: ProjectId): Promise<void> {
  const changed = { changed_at: clock.now().getTime() };
  await database.kysely
    .insertInto("site_access")
    .values({ project_id: projectId, mode: PUBLIC.mode, password_hash: null, version: 1, ...changed })
    .onConflict((conflict) =>
      conflict
        .column("project_id")
        .doUpdateSet((expression) => ({ ...changed, version: expression("site_access.version", "+", 1) })),
    )
    .execute();
}

/** `setSiteAccess` with a prepared row: a single query. */
export async function writeSiteAccess(
  { database, clock }: Deps,
  projectId: ProjectId,
  values: ReadyAccess,
): Promise<void> {
  const changed = { ...values, changed_at: clock.now().getTime() };
  await database.kysely
    .insertInto("site_access")
    .values({ project_id: projectId, version: 1, ...changed })
    .onConflict((conflict) =>
      conflict
        .column("project_id")
        .doUpdateSet((expression) => ({ ...changed, version: expression("site_access.version", "+", 1) })),
    )
    .execute();
}
