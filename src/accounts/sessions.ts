import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { isKeyAlive, type Principal } from "./api-keys.ts";

/** A person's signed-in browser: it may do what the API key that signed it in may do, for as long as that key lives. */
export interface Session extends Principal {
  /** Echoed by every form: a page elsewhere cannot know it. */
  csrfToken: string;
}

const LIFETIME_MS = 12 * 3_600_000;
export const SESSION_COOKIE = "docent_session";

export interface Sessions {
  /** Cookie value for a browser whose key was checked. */
  create(principal: Principal): { cookie: string; maxAgeSeconds: number };
  read(cookieHeader: string | null): Promise<Session | null>;
}

/**
 * Sessions are signed, not stored: `project.key.expiry.signature`, HMAC-SHA256 under a secret that the nodes share.
 */
export async function createSessions({ database, clock }: { database: Database; clock: Clock }): Promise<Sessions> {
  const secret = await instanceSecret(database, "session");
  const sign = (text: string) => createHmac("sha256", secret).update(text).digest("base64url");
  return {
    create({ projectId, keyId }) {
      const payload = `${projectId}.${keyId}.${clock.now().getTime() + LIFETIME_MS}`;
      return { cookie: `${payload}.${sign(`session ${payload}`)}`, maxAgeSeconds: LIFETIME_MS / 1000 };
    },
    async read(cookieHeader) {
      const value = cookieHeader?.match(/(?:^|;\s*)docent_session=([^;]+)/)?.[1] ?? "";
      const [projectId, keyId, expiry, signature] = value.split(".");
      if (!projectId || !keyId || !expiry || !signature) return null;
      const payload = `${projectId}.${keyId}.${expiry}`;
      if (!isEqual(signature, sign(`session ${payload}`)) || Number(expiry) <= clock.now().getTime()) return null;
      if (!(await isKeyAlive({ database, clock }, keyId))) return null;
      return { projectId: projectId as ProjectId, keyId, csrfToken: sign(`form ${payload}`) };
    },
  };
}

export function isEqual(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

async function instanceSecret(database: Database, name: string): Promise<Buffer> {
  await database.kysely
    .insertInto("instance_secret")
    .values({ name, value: randomBytes(32).toString("base64url") })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const row = await database.kysely
    .selectFrom("instance_secret")
    .select("value")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return Buffer.from(row.value, "base64url");
}
