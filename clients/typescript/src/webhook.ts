import type { Schemas } from "./operations.ts";
import type { WebhookEvent } from "./answers.ts";
import { DocentError } from "./docent-error.ts";

const MAX_AGE_SECONDS = 300;

/**
 * Reads a request to a webhook once its signature and its age are right (Standard Webhooks 1.0.0). `body` is as it came, not
 * parsed and written again. Throws `DocentError unauthorized` for any other request: answer it with 401. What is older than
 * five minutes is refused; an event may come twice with the same `id`.
 */
export async function readWebhook(
  request: { headers: Headers | Record<string, string | string[] | undefined>; body: string },
  { secret, now = new Date() }: { secret: string; now?: Date },
): Promise<WebhookEvent> {
  const header = headerReader(request.headers);
  const [id, timestamp] = [header("webhook-id"), header("webhook-timestamp")];
  const age = Math.abs(now.getTime() / 1_000 - Number(timestamp));
  if (id === "" || !/^\d{1,12}$/.test(timestamp) || !(age <= MAX_AGE_SECONDS)) {
    throw new DocentError("unauthorized", "This is no webhook's request, or it is older than five minutes.");
  }
  const key = await keyOf(secret);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${request.body}`);
  for (const signature of header("webhook-signature").split(" ").slice(0, 8)) {
    const given = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(signature)?.[1];
    // The comparison takes the same time wherever they differ.
    if (given !== undefined && (await crypto.subtle.verify("HMAC", key, bytesOf(given), signed))) {
      return Object.assign(eventIn(request.body), { id });
    }
  }
  throw new DocentError("unauthorized", "The signature is not that of this webhook's secret.");
}

function headerReader(headers: Headers | Record<string, string | string[] | undefined>): (name: string) => string {
  if (headers instanceof Headers) return (name) => headers.get(name) ?? "";
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => [given.get(name) ?? ""].flat()[0] ?? "";
}

async function keyOf(secret: string) {
  try {
    const bytes = bytesOf(secret.replace(/^whsec_/, ""));
    return await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  } catch (cause) {
    throw new DocentError("invalid", "The webhook's secret is whsec_ and base64, as it was shown when it was made.", {
      cause,
    });
  }
}

function eventIn(body: string): Schemas["WebhookMessage"] | Schemas["WebhookTest"] {
  try {
    return JSON.parse(body) as Schemas["WebhookMessage"] | Schemas["WebhookTest"];
  } catch (cause) {
    throw new DocentError("unexpected_answer", "The request is signed, but it is not JSON.", { cause });
  }
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
