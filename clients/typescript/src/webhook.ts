import { DocentError } from "./docent-error.ts";
import type { Schemas } from "./operations.ts";

const MAX_AGE_SECONDS = 300;

/**
 * Reads a request to a webhook once its signature and its age are right (Standard Webhooks 1.0.0). `body` is as it came, not
 * parsed and written again. Throws `DocentError unauthorized` for any other request: answer it with 401.
 */
export async function readWebhook(
  request: { headers: Headers | Record<string, string | string[] | undefined>; body: string },
  { secret, now = new Date() }: { secret: string; now?: Date },
): Promise<Schemas["WebhookMessage"] & { id: string }> {
  const header = (name: string): string => {
    const { headers } = request;
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    return (Array.isArray(value) ? value[0] : value) ?? "";
  };
  const [id, timestamp] = [header("webhook-id"), header("webhook-timestamp")];
  const age = Math.abs(now.getTime() / 1_000 - Number(timestamp));
  if (id === "" || !/^\d{1,12}$/.test(timestamp) || !(age <= MAX_AGE_SECONDS)) {
    throw new DocentError("unauthorized", "This is no webhook's request, or it is older than five minutes.");
  }
  const key = await crypto.subtle.importKey(
    "raw",
    bytesOf(secret.replace(/^whsec_/, "")),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${request.body}`);
  for (const signature of header("webhook-signature").split(" ").slice(0, 8)) {
    const given = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(signature)?.[1];
    // The comparison takes the same time wherever they differ.
    if (given !== undefined && (await crypto.subtle.verify("HMAC", key, bytesOf(given), signed))) {
      return { ...(JSON.parse(request.body) as Schemas["WebhookMessage"]), id };
    }
  }
  throw new DocentError("unauthorized", "The signature is not that of this webhook's secret.");
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
