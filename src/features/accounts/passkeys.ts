import { isIP } from "node:net";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { PersonId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { openClaims, sealClaims } from "#lib/secrets/sealed-claims.ts";
import { findPerson, type Person, readLabel } from "./people.ts";

export interface PasskeyDeps {
  database: Database;
  clock: Clock;
  vault: KeyVault;
  baseUrl(): string;
}

export interface Passkey {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** Form fields: the browser's response as JSON, and the sealed challenge. */
export interface PasskeyAnswer {
  attempt: string;
  credential: string;
}

const MAX_PASSKEYS = 20;
/**
 * Ed25519, ES256 and RS256: every authenticator supports one. Others make Node 24 print a warning about experimental
 * algorithms.
 */
const ALGORITHMS = [-8, -7, -257];
/** Imported on demand: it takes a quarter of a second, which would delay every start. */
const webauthn = () => import("@simplewebauthn/server");
const LIFETIME_MS = 5 * 60_000;
const SIGN_IN = "passkey sign-in";
const addPurpose = (id: PersonId) => `passkey of ${id}`;
const Attempt = z.object({ challenge: z.string() });
const Credential = z.looseObject({ id: z.string().max(1_400) });

/** The relying party. Null if browsers do not support passkeys at the server's URL: plain http, or an IP address. */
export function passkeySite(baseUrl: string): { origin: string; rpID: string } | null {
  const { protocol, hostname, origin } = new URL(baseUrl);
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  const isSafe = isLocal || (protocol === "https:" && isIP(hostname.replaceAll(/^\[|\]$/g, "")) === 0);
  return isSafe ? { origin, rpID: hostname } : null;
}

function requireSite({ baseUrl }: Pick<PasskeyDeps, "baseUrl">) {
  const site = passkeySite(baseUrl());
  if (site === null)
    throw new AppError("invalid", "Passkeys do not work at this server's address. They require https and a host name.");
  return site;
}

/** Options for creating a passkey. `AppError invalid`. */
export async function beginPasskey(deps: PasskeyDeps, person: Person) {
  const { rpID } = requireSite(deps);
  const known = await rowsOf(deps.database, person.id);
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    supportedAlgorithmIDs: ALGORITHMS,
    rpName: `Docent ${rpID}`,
    rpID,
    userName: person.email,
    userDisplayName: person.name,
    userID: new TextEncoder().encode(person.id),
    excludeCredentials: known.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { options, attempt: sealAttempt(deps, options, addPurpose(person.id)) };
}

/** Verifies and stores a new passkey. `AppError invalid`, `conflict`. */
export async function addPasskey(
  deps: PasskeyDeps,
  id: PersonId,
  { name, ...answer }: PasskeyAnswer & { name: string },
): Promise<void> {
  const { origin, rpID } = requireSite(deps);
  const attempt = openAttempt(deps, answer.attempt, addPurpose(id));
  const response = readCredential(answer.credential);
  if (attempt === null || response === null) throw notUsable();
  const { verifyRegistrationResponse } = await webauthn();
  const { registrationInfo } = await verifyRegistrationResponse({
    supportedAlgorithmIDs: ALGORITHMS,
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: attempt.challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
  }).catch((cause: unknown) => {
    throw notUsable(cause);
  });
  if (!registrationInfo) throw notUsable();
  const { credential } = registrationInfo;
  if ((await rowsOf(deps.database, id)).length >= MAX_PASSKEYS) {
    throw new AppError("conflict", `You have ${MAX_PASSKEYS} passkeys. Remove one first.`);
  }
  const { numInsertedOrUpdatedRows } = await deps.database.kysely
    .insertInto("passkey")
    .values({
      id: credential.id,
      person_id: id,
      name: readLabel(name),
      public_key: Buffer.from(credential.publicKey).toString("base64url"),
      counter: credential.counter,
      challenged_at: attempt.at,
      last_used_at: null,
      created_at: deps.clock.now().getTime(),
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw new AppError("conflict", "This passkey is added already.");
}

const rowsOf = ({ kysely }: Pick<Database, "kysely">, id: PersonId) =>
  kysely.selectFrom("passkey").selectAll().where("person_id", "=", id).orderBy("created_at").orderBy("id").execute();

export async function listPasskeys(database: Pick<Database, "kysely">, id: PersonId): Promise<Passkey[]> {
  return (await rowsOf(database, id)).map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: new Date(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
  }));
}

/** `AppError invalid` for an invalid name. */
export async function renamePasskey(
  { kysely }: Pick<Database, "kysely">,
  owner: PersonId,
  { id, name }: { id: string; name: string },
): Promise<void> {
  await kysely
    .updateTable("passkey")
    .set({ name: readLabel(name) })
    .where("person_id", "=", owner)
    .where("id", "=", id)
    .execute();
}

export async function removePasskey({ kysely }: Pick<Database, "kysely">, owner: PersonId, id: string): Promise<void> {
  await kysely.deleteFrom("passkey").where("person_id", "=", owner).where("id", "=", id).execute();
}

/** Whether the sign-in page offers passkeys: there is at least one, and browsers support them at this URL. */
export async function hasPasskeys({ database, baseUrl }: Pick<PasskeyDeps, "database" | "baseUrl">): Promise<boolean> {
  if (passkeySite(baseUrl()) === null) return false;
  return (await database.kysely.selectFrom("passkey").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** Options for signing in: the passkey identifies the person. `AppError invalid`. */
export async function beginPasskeySignIn(deps: PasskeyDeps) {
  const { rpID } = requireSite(deps);
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({ rpID, userVerification: "required" });
  return { options, attempt: sealAttempt(deps, options, SIGN_IN) };
}

/** The person of a passkey response; null if it is unknown, invalid or a replay. */
export async function checkPasskey(deps: PasskeyDeps, answer: PasskeyAnswer): Promise<Person | null> {
  const { kysely } = deps.database;
  const { origin, rpID } = requireSite(deps);
  const attempt = openAttempt(deps, answer.attempt, SIGN_IN);
  const response = readCredential(answer.credential);
  if (attempt === null || response === null) return null;
  const row = await kysely.selectFrom("passkey").selectAll().where("id", "=", response.id).executeTakeFirst();
  if (!row) return null;
  const publicKey = Uint8Array.from(Buffer.from(row.public_key, "base64url"));
  const { verifyAuthenticationResponse } = await webauthn();
  const checked = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: attempt.challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: { id: row.id, publicKey, counter: row.counter },
  }).catch(() => null);
  if (!checked?.verified) return null;
  const { numUpdatedRows } = await kysely
    .updateTable("passkey")
    .set({
      counter: checked.authenticationInfo.newCounter,
      challenged_at: attempt.at,
      last_used_at: deps.clock.now().getTime(),
    })
    .where("id", "=", row.id)
    .where("challenged_at", "<", attempt.at)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? await findPerson(kysely, row.person_id) : null;
}

const sealAttempt = (deps: PasskeyDeps, { challenge }: { challenge: string }, purpose: string) =>
  sealClaims(deps, { challenge }, { purpose, lifetimeMs: LIFETIME_MS });

/** The challenge with its creation time; null if it expired. */
function openAttempt(deps: PasskeyDeps, sealed: string, purpose: string): { challenge: string; at: number } | null {
  const claims = openClaims(deps, sealed, { purpose, lifetimeMs: LIFETIME_MS, schema: Attempt });
  return claims && { challenge: claims.challenge, at: claims.until - LIFETIME_MS };
}

function readCredential(text: string): z.infer<typeof Credential> | null {
  try {
    return Credential.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const notUsable = (cause?: unknown) =>
  new AppError(
    "invalid",
    "This passkey could not be added. It took too long, or the browser's answer was wrong. Try again.",
    {
      cause,
    },
  );
