import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import { chatLink } from "#lib/chat-markup.ts";
import type { PersonId } from "#lib/ids.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { Secret } from "#lib/secrets/secret.ts";

/** Posts messages to the incoming webhooks of people's chats. */
export interface ChatDeps {
  outboundHttp: OutboundHttp;
  userAgent: string;
}

const MAX_URL = 2_000;
const WITHIN_MS = 10_000;
const MAX_RESPONSE_BYTES = 1_024;
const OUT_OF_REACH =
  "This server cannot reach the address. For a chat on your own network, an owner of the server has to list it in DOCENT_WEBHOOK_ALLOW.";
const PREFIX = "chat:";

/** The recipient of queued messages for a person's chat, in place of an email address. */
export const chatOf = (id: PersonId): string => PREFIX + id;

const purposeOf = (id: PersonId) => `chat address ${id}`;

/** The sealed form of an address as entered. `AppError invalid`. */
export function sealChatUrl(vault: KeyVault, id: PersonId, text: string): string {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol) || text.length > MAX_URL) {
    throw new AppError("invalid", "A chat webhook is an http or https address, as your chat shows it.");
  }
  return vault.seal(new Secret(url.href), purposeOf(id));
}

/** The address of a person's chat webhook; null without one, or if another server's key sealed it. */
export function openChatUrl(vault: KeyVault, id: PersonId, sealed: string | null): string | null {
  if (sealed === null) return null;
  try {
    return vault.open(sealed, purposeOf(id)).reveal();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** The chat webhook of a queued recipient; null for an email address, and undefined if the person has none any more. */
export async function findChat(
  { database, vault }: { database: Database; vault: KeyVault },
  recipient: string,
): Promise<string | null | undefined> {
  if (!recipient.startsWith(PREFIX)) return null;
  const id = recipient.slice(PREFIX.length) as PersonId;
  const row = await database.kysely.selectFrom("person").select("chat_url").where("id", "=", id).executeTakeFirst();
  return openChatUrl(vault, id, row?.chat_url ?? null) ?? undefined;
}

/** Keeps why a person's chat did not accept a message, for their account page; null once it accepts one. */
export async function noteChatTrouble(
  { kysely }: Pick<Database, "kysely">,
  recipient: string,
  trouble: { problem: string; at: Date } | null,
): Promise<void> {
  await kysely
    .updateTable("person")
    .set({ chat_trouble: trouble?.problem ?? null, chat_trouble_at: trouble?.at.getTime() ?? null })
    .where("id", "=", recipient.slice(PREFIX.length) as PersonId)
    .$if(trouble === null, (update) => update.where("chat_trouble", "is not", null))
    .execute();
}

/** Why a message was not accepted; null if it was. `isFinal`: another attempt is useless. */
export async function postToChat(
  { outboundHttp, userAgent }: ChatDeps,
  url: string,
  { text, signal }: { text: string; signal?: AbortSignal },
): Promise<{ problem: string; isFinal: boolean } | null> {
  const result = await outboundHttp.send({
    url,
    method: "POST",
    headers: { "Content-Type": "application/json", "User-Agent": userAgent },
    body: JSON.stringify({ text }),
    timeoutMs: WITHIN_MS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    ...(signal && { signal }),
  });
  // Anyone with an account can send requests this way, so the outcome says nothing about the hosts of a private network.
  if (!result.ok) return { problem: OUT_OF_REACH, isFinal: result.reason === "refused" };
  if (result.status >= 200 && result.status < 300) return null;
  // A proxy may answer 404 or a redirect while the chat restarts.
  const isFinal = result.status === 410;
  return { problem: `It answered ${result.status}: check the address in your chat.`, isFinal };
}

/** A test message, so that an address that does not work is not saved. `AppError invalid`. */
export async function tryChat(deps: ChatDeps, url: string): Promise<void> {
  const failed = await postToChat(deps, url, { text: "Docent will post your notifications here." });
  if (failed) throw new AppError("invalid", `The chat webhook did not accept a test message. ${failed.problem}`);
}

/** Notices as one message. */
export const chatTextOf = (
  notices: readonly { headline: string; url: string }[],
  { more, baseUrl }: { more: number; baseUrl: string },
): string =>
  [
    ...notices.map(({ headline, url }) => chatLink(url, headline)),
    ...(more > 0 ? [chatLink(`${baseUrl}/`, `And ${more} more`)] : []),
  ].join("\n");
