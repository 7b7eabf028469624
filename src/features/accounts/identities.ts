import type { Database, DatabaseTransaction } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { PersonId } from "#lib/ids.ts";
import { type Role, ROLES } from "#kit/levels.ts";
import type { ProvidedPerson, IdentityProviderSettings } from "./identity-provider.ts";
import {
  addPerson,
  endCredentials,
  findByEmail,
  findPerson,
  type Person,
  readEmail,
  readPersonName,
} from "./people.ts";

interface Deps {
  database: Database;
  clock: Clock;
}

/**
 * Finds the account of a person that an identity provider authenticated, or creates it if the settings allow that. A
 * known person is found by the provider's ID, even if the email address changed. An existing account is linked only if
 * the provider verified the address. `AppError forbidden`, `invalid`.
 */
export async function signInByProvider(
  { database, clock }: Deps,
  provided: ProvidedPerson,
  settings: IdentityProviderSettings,
): Promise<Person> {
  const { issuer, subject } = provided;
  return await database.transaction(async (transaction) => {
    const known = await transaction
      .selectFrom("person_identity")
      .select("person_id")
      .where("issuer", "=", issuer)
      .where("subject", "=", subject)
      .executeTakeFirst();
    if (!isAllowed(readEmail(provided.email), settings)) {
      throw new AppError("forbidden", `Addresses such as ${provided.email} may not sign in to this server.`);
    }
    const person = known
      ? await findPerson(transaction, known.person_id)
      : await firstSignIn(transaction, provided, { settings, at: clock.now() });
    if (!person) throw new AppError("forbidden", "This account is gone.");
    await applyGroups(transaction, person.id, { groups: provided.groups, settings, at: clock.now() });
    return person;
  });
}

async function firstSignIn(
  transaction: DatabaseTransaction,
  provided: ProvidedPerson,
  { settings, at }: { settings: IdentityProviderSettings; at: Date },
): Promise<Person> {
  const { issuer, subject, isEmailVerified } = provided;
  const email = readEmail(provided.email);
  if (!isEmailVerified && !settings.trustEmail) {
    throw new AppError(
      "forbidden",
      `${settings.name} has not verified the address ${email}. Verify it there, and sign in again.`,
    );
  }
  const found = await findByEmail(transaction, email);
  if (!found && !settings.signUp) {
    throw new AppError("forbidden", `There is no account for ${email}. Ask an owner of this server for an invitation.`);
  }
  const newPerson = { name: nameOf(provided), email, isOwner: false, passwordHash: null, at };
  // Anyone with the invitation link could have created the account; only now is the address verified.
  if (found) await endCredentials(transaction, found.person.id, at);
  const person = found?.person ?? (await addPerson(transaction, newPerson));
  await transaction.insertInto("person_identity").values({ issuer, subject, person_id: person.id }).execute();
  return person;
}

const isAllowed = (email: string, { domains }: IdentityProviderSettings): boolean =>
  domains.length === 0 || domains.includes(email.slice(email.lastIndexOf("@") + 1));

/** The provider's name for a person, or the words of their address if the name is invalid. */
function nameOf({ name, email }: ProvidedPerson): string {
  try {
    return readPersonName(name.slice(0, 100));
  } catch {
    const [local = ""] = email.split("@", 1);
    return local.replaceAll(/[^a-z0-9]+/gi, " ").trim() || "Person";
  }
}

/** In the configuration, the group of all people who sign in with the provider. */
const EVERYBODY = "*";

/**
 * Syncs the roles from groups with the provider's current claims. Many providers omit an empty list, so a missing one
 * counts as empty. Roles that a person assigned stay, and take precedence.
 */
async function applyGroups(
  transaction: DatabaseTransaction,
  personId: PersonId,
  { groups, settings, at }: { groups: readonly string[]; settings: IdentityProviderSettings; at: Date },
): Promise<void> {
  const roles = new Map<string, Role>();
  for (const group of [...groups, EVERYBODY]) {
    const given = Object.hasOwn(settings.groups, group) ? settings.groups[group]! : {};
    for (const [slug, role] of Object.entries(given)) {
      const before = roles.get(slug);
      if (before === undefined || ROLES.indexOf(role) > ROLES.indexOf(before)) roles.set(slug, role);
    }
  }
  await transaction.deleteFrom("project_member").where("person_id", "=", personId).where("by_group", "=", 1).execute();
  if (roles.size === 0) return;
  const projects = await transaction
    .selectFrom("project")
    .select(["id", "slug"])
    .where("slug", "in", [...roles.keys()])
    .execute();
  for (const { id, slug } of projects) {
    const row = {
      project_id: id,
      person_id: personId,
      role: roles.get(slug)!,
      by_group: 1 as const,
      created_at: at.getTime(),
    };
    await transaction
      .insertInto("project_member")
      .values(row)
      .onConflict((conflict) => conflict.columns(["project_id", "person_id"]).doNothing())
      .execute();
  }
}
