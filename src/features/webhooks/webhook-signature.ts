import { createHmac, randomBytes } from "node:crypto";
import { Secret } from "#lib/secrets/secret.ts";

// Standard Webhooks 1.0.0: 24 to 64 random bytes.
const SECRET_BYTES = 32;
const PREFIX = "whsec_";

export const newWebhookSecret = () => new Secret(PREFIX + randomBytes(SECRET_BYTES).toString("base64"));

/**
 * The headers of one attempt according to the Standard Webhooks specification 1.0.0, signed with every given secret: the
 * current one first, and during a rotation the previous one, too.
 */
export function webhookHeaders(
  message: { id: string; at: Date; body: string },
  secrets: readonly Secret[],
): Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string> {
  const timestamp = String(Math.floor(message.at.getTime() / 1000));
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.reveal().slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  });
  return { "webhook-id": message.id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
