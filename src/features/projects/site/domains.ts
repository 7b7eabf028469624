import type { Database, Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";

/** A domain of a project's site. */
export interface ProjectDomain {
  domain: string;
  /** The canonical domain of the site. */
  isMain: boolean;
}

type Deps = { database: Pick<Database, "kysely" | "transaction">; clock: Clock };

export const MAX_DOMAINS = 20;
const TAKEN = "This domain cannot be added: it is in use on this server already.";

/** Domains of a project, the main one first. */
export async function listDomains(queryable: Queryable, projectId: ProjectId): Promise<ProjectDomain[]> {
  const rows = await queryable
    .selectFrom("site_domain")
    .select(["domain", "is_main"])
    .where("project_id", "=", projectId)
    .orderBy("is_main", "desc")
    .orderBy("domain")
    .execute();
  return rows.map(({ domain, is_main }) => ({ domain, isMain: is_main === 1 }));
}

/** Finds the project of a domain in the form of `normaliseDomain`; null if there is none. */
export async function projectOfDomain(queryable: Queryable, domain: string): Promise<ProjectId | null> {
  const row = await queryable
    .selectFrom("site_domain")
    .select("project_id")
    .where("domain", "=", domain)
    .executeTakeFirst();
  return row?.project_id ?? null;
}

/**
 * Adds a domain, in the form of `normaliseDomain`; the first one becomes the main domain. Idempotent. `AppError
 * conflict` if another project, which is not named, has the domain, or if there are too many.
 */
export async function addDomain({ database, clock }: Deps, projectId: ProjectId, domain: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const own = await listDomains(transaction, projectId);
    if (own.some((each) => each.domain === domain)) return;
    if (own.length >= MAX_DOMAINS) {
      throw new AppError("conflict", `A site has at most ${MAX_DOMAINS} domains. Remove one first.`);
    }
    await transaction
      .insertInto("site_domain")
      .values({
        domain,
        project_id: projectId,
        is_main: own.length === 0 ? 1 : 0,
        created_at: clock.now().getTime(),
      })
      .onConflict((conflict) => conflict.column("domain").doNothing())
      .returning("domain")
      .executeTakeFirstOrThrow(() => new AppError("conflict", TAKEN));
  });
}

/** Makes a domain of the project its main one. `AppError not_found`. */
export async function makeMainDomain({ database }: Deps, projectId: ProjectId, domain: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const own = await listDomains(transaction, projectId);
    if (!own.some((each) => each.domain === domain)) throw noSuchDomain(domain);
    await setMain(transaction, projectId, domain);
  });
}

/** Removes a domain; if it was the main one, another becomes it. `AppError not_found`. */
export async function removeDomain({ database }: Deps, projectId: ProjectId, domain: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const removed = await transaction
      .deleteFrom("site_domain")
      .where("project_id", "=", projectId)
      .where("domain", "=", domain)
      .returning("is_main")
      .executeTakeFirstOrThrow(() => noSuchDomain(domain));
    const [next] = await listDomains(transaction, projectId);
    if (removed.is_main === 1 && next) await setMain(transaction, projectId, next.domain);
  });
}

async function setMain(transaction: Queryable, projectId: ProjectId, domain: string): Promise<void> {
  const own = () => transaction.updateTable("site_domain").where("project_id", "=", projectId);
  await own().set({ is_main: 0 }).execute();
  await own().set({ is_main: 1 }).where("domain", "=", domain).execute();
}

const noSuchDomain = (domain: string) => new AppError("not_found", `The project does not have the domain ${domain}.`);
