import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "./listen.ts";

export interface ReceivedWebhook {
  headers: IncomingHttpHeaders;
  raw: string;
  type: string;
  timestamp: string;
  /** The job. */
  data: { id: string; status: string; error: { code: string } | null };
}

type Behaviour = (response: ServerResponse, count: number) => void;

/** A real receiver of webhooks on loopback. `behave` responds to each request; without it, all succeed. */
export async function createWebhookReceiver(behave: Behaviour = (response) => void response.end("ok")) {
  const received: ReceivedWebhook[] = [];
  const waiting: (() => void)[] = [];
  const answer = { behave };
  const listener = await listen((request, response) => {
    void text(request).then((raw) => {
      const body = JSON.parse(raw) as Pick<ReceivedWebhook, "type" | "timestamp" | "data">;
      received.push({ headers: request.headers, raw, ...body });
      answer.behave(response, received.length);
      for (const wake of waiting.splice(0)) wake();
    });
  });
  return {
    url: `${listener.url}/hooks`,
    port: listener.port,
    received,
    /** Changes the responses to later requests. */
    behave: (next: Behaviour) => void (answer.behave = next),
    /** Resolves after this many requests. */
    async arrived(count: number): Promise<void> {
      while (received.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}

/**
 * Verification as a receiver implements it from the Standard Webhooks specification: whether any signature is by this
 * secret.
 */
export function isSignedBy(webhook: ReceivedWebhook, secret: string): boolean {
  if (!secret.startsWith("whsec_")) throw new Error("not a secret");
  const header = (name: string) => String(webhook.headers[name]);
  const content = `${header("webhook-id")}.${header("webhook-timestamp")}.${webhook.raw}`;
  const expected = createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
    .update(content)
    .digest();
  return header("webhook-signature")
    .split(" ")
    .map((signature) => signature.split(","))
    .some(([version, value]) => {
      const given = Buffer.from(value ?? "", "base64");
      return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
    });
}
