import { createPrivateKey, sign } from "node:crypto";
import { Secret } from "#lib/secrets/secret.ts";

// https://docs.github.com/en/apps (2026): valid for at most ten minutes, issued one minute in the past in case our
// clock is ahead of GitHub's.
const BEFORE_SECONDS = 60;
const AFTER_SECONDS = 540;

/** The token with which an app authenticates: a JWT (RFC 7519), signed with RS256. */
export function appJwt({ number, privateKey }: { number: string; privateKey: Secret }, now: Date): Secret {
  const seconds = Math.floor(now.getTime() / 1_000);
  const claims = { iat: seconds - BEFORE_SECONDS, exp: seconds + AFTER_SECONDS, iss: number };
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(signed), createPrivateKey(privateKey.reveal()));
  return new Secret(`${signed}.${signature.toString("base64url")}`);
}
