import { createHash, randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import type { Database, Queryable } from "#db/database.ts";
import type { InvitationTable } from "#db/tables/people.ts";
import { AppError } from "#lib/app-error.ts";
import { type Clock, DAY_MS } from "#lib/clock.ts";
import { newId, type ProjectId } from "#lib/ids.ts";
import type { Role } from "#kit/levels.ts";
import { setRole } from "./members.ts";
import { addPerson, findByEmail, type Person, readEmail, readPersonName, readyPassword } from "./people.ts";

/** What an invitation grants: a role in a project, or an account on the instance, optionally as an owner. */
export type Offer = { projectId: ProjectId; role: Role } | { projectId: null; isOwner: boolean };

/** The granted role in a project, or status on the instance. */
export const offeredRole = (offer: Offer): string =>
  offer.projectId !== null ? offer.role : offer.isOwner ? "owner" : "member";

export interface Invitation {
  id: string;
  email: string;
  offer: Offer;
  invitedBy: string;
  expiresAt: Date;
}

interface Deps {
  database: Database;
  clock: Clock;
}

const LIFETIME_MS = 7 * DAY_MS;
const TOKEN = /^[\w-]{43}$/;
const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");

/**
 * Invites an address, and replaces an earlier invitation to the same project or instance. Returns the token of the
 * link, which is shown once. `AppError invalid`.
 */
export async function invite(
  { database, clock }: Deps,
  { email: entered, offer, invitedBy }: { email: string; offer: Offer; invitedBy: string },
): Promise<{ invitation: Invitation; token: string }> {
  const email = readEmail(entered);
  const now = clock.now();
  const token = randomBytes(32).toString("base64url");
  const row = {
    id: newId("inv", now),
    hash: hashOf(token),
    email,
    is_owner: offer.projectId === null && offer.isOwner ? (1 as const) : (0 as const),
    project_id: offer.projectId,
    role: offer.projectId === null ? null : offer.role,
    invited_by: invitedBy,
    created_at: now.getTime(),
    expires_at: now.getTime() + LIFETIME_MS,
  };
  await database.transaction(async (transaction) => {
    await transaction
      .deleteFrom("invitation")
      .where("email", "=", email)
      .where("project_id", offer.projectId === null ? "is" : "=", offer.projectId)
      .execute();
    await transaction.insertInto("invitation").values(row).execute();
  });
  return { invitation: fromRow(row), token };
}

/** Deletes expired invitations. `now` is a trusted time: those that a wrong clock calls expired are open again once it is right. */
export async function deleteExpiredInvitations({ kysely }: Pick<Database, "kysely">, now: Date): Promise<void> {
  await kysely.deleteFrom("invitation").where("expires_at", "<=", now.getTime()).execute();
}

/** Open invitations to a project or, with null, to the instance: at most 1,000, newest first. */
export async function listInvitations({ database, clock }: Deps, projectId: ProjectId | null): Promise<Invitation[]> {
  const rows = await database.kysely
    .selectFrom("invitation")
    .selectAll()
    .where("project_id", projectId === null ? "is" : "=", projectId)
    .where("expires_at", ">", clock.now().getTime())
    .orderBy("id", "desc")
    .limit(1_000)
    .execute();
  return rows.map(fromRow);
}

/** Withdraws an open invitation. Returns the invited address; null if the invitation does not exist. */
export async function withdraw(queryable: Queryable, projectId: ProjectId | null, id: string): Promise<string | null> {
  const withdrawn = await queryable
    .deleteFrom("invitation")
    .where("id", "=", id)
    .where("project_id", projectId === null ? "is" : "=", projectId)
    .returning("email")
    .executeTakeFirst();
  return withdrawn?.email ?? null;
}

/** Finds the invitation of a token; null if it was used, withdrawn or has expired. */
export async function findInvitation({ database, clock }: Deps, token: string): Promise<Invitation | null> {
  if (!TOKEN.test(token)) return null;
  const row = await database.kysely
    .selectFrom("invitation")
    .selectAll()
    .where("hash", "=", hashOf(token))
    .where("expires_at", ">", clock.now().getTime())
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

/**
 * Accepts an invitation: creates an account, or uses that of the signed-in person, whose address must be the invited
 * one. `AppError invalid`, `conflict` if the link was used meanwhile or the address has an account, `forbidden` for
 * another person.
 */
export async function acceptInvitation(
  { database, clock }: Deps,
  token: string,
  by: { person: Person } | { name: string; password: string },
): Promise<{ person: Person; offer: Offer }> {
  const invitation = await findInvitation({ database, clock }, token);
  if (!invitation) throw usedUp();
  const { email, offer } = invitation;
  if ("person" in by && by.person.email !== email) {
    throw new AppError("forbidden", `This invitation is for ${email}. Sign out, and open it again.`);
  }
  // Outside the transaction, because hashing takes a while.
  const fresh =
    "person" in by ? null : { name: readPersonName(by.name), passwordHash: await readyPassword(by.password, email) };
  return await database.transaction(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom("invitation")
      .where("hash", "=", hashOf(token))
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw usedUp();
    const at = clock.now();
    const isOwner = offer.projectId === null && offer.isOwner;
    const person = "person" in by ? by.person : await addPerson(transaction, { ...fresh!, email, isOwner, at });
    if (offer.projectId !== null) {
      await setRole({ database: { kysely: transaction }, clock }, { ...offer, personId: person.id });
    } else if (isOwner) {
      await transaction.updateTable("person").set({ is_owner: 1 }).where("id", "=", person.id).execute();
    }
    return { person, offer };
  });
}

/** Whether the invited address has an account, whose person signs in to accept. */
export const hasAccount = async (queryable: Queryable, { email }: Invitation): Promise<boolean> =>
  (await findByEmail(queryable, email)) !== null;

const usedUp = () =>
  new AppError("conflict", "This invitation was used or withdrawn, or has expired. Ask for a new one.");

function fromRow(row: Selectable<InvitationTable>): Invitation {
  const { id, email, project_id: projectId, role } = row;
  const offer: Offer =
    projectId === null ? { projectId, isOwner: row.is_owner === 1 } : { projectId, role: role ?? "viewer" };
  return { id, email, offer, invitedBy: row.invited_by, expiresAt: new Date(row.expires_at) };
}
