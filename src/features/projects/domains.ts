import type { Database, Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";

/** A domain of a project's own. */
export interface ProjectDomain {
  domain: string;
  /** The one that readers are to know the site by. */
  isMain: boolean;
}

type Deps = { database: Pick<Database, "kysely" | "transaction">; clock: Clock };

export const MAX_DOMAINS = 20;
const TAKEN = "This domain cannot be added: it is in use on this server already.";

/** The domains of a project, the main one first. */
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

/** The project that has a domain, given in the form of `normaliseDomain`; null when none has it. */
export async function projectOfDomain(queryable: Queryable, domain: string): Promise<ProjectId | null> {
  const row = await queryable
    .selectFrom("site_domain")
    .select("project_id")
    .where("domain", "=", domain)
    .executeTakeFirst();
  return row?.project_id ?? null;
}

/**
 * Gives a project a domain, in the form of `normaliseDomain`; the first one is its main one. One that it has already
 * stays as it is. `AppError conflict` for a domain that another project has, which is not named, or for too many.
 */
export async function addDomain({ database, clock }: Deps, projectId: ProjectId, domain: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const own = await listDomains(transaction, projectId);
    if (own.some((each) => each.domain === domain)) return;
    if (own.length >= MAX_DOMAINS) {
      throw new AppError("conflict", `A site has at most ${MAX_DOMAINS} domains. Remove one first.`);
    }
    const added = await transaction
      .insertInto("site_domain")
      .values({
        domain,
        project_id: projectId,
        is_main: own.length === 0 ? 1 : 0,
        created_at: clock.now().getTime(),
      })
      .onConflict((conflict) => conflict.column("domain").doNothing())
      .returning("domain")
      .executeTakeFirst();
    if (!added) throw new AppError("conflict", TAKEN);
  });
}

/** Makes one of a project's domains its main one. `AppError not_found`. */
export async function makeMainDomain({ database }: Deps, projectId: ProjectId, domain: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const own = await listDomains(transaction, projectId);
    if (!own.some((each) => each.domain === domain)) throw noSuchDomain(domain);
    await setMain(transaction, projectId, domain);
  });
}

/** Takes a domain from a project; if it was the main one, another becomes it. `AppError not_found`. */
export async function removeDomain({ database }: Deps, projectId: ProjectId, domain: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const removed = await transaction
      .deleteFrom("site_domain")
      .where("project_id", "=", projectId)
      .where("domain", "=", domain)
      .returning("is_main")
      .executeTakeFirst();
    if (!removed) throw noSuchDomain(domain);
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
