import { Hono } from "hono";
import { hasPassword, type Person, renamePerson, setPassword } from "#features/accounts/people.ts";
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  type PasskeyDeps,
  passkeySite,
  removePasskey,
  renamePasskey,
} from "#features/accounts/passkeys.ts";
import { findTwoFactor } from "#features/accounts/two-factor.ts";
import { type ChatDeps, chatOf, noteChatTrouble, openChatUrl, sealChatUrl, tryChat } from "#features/mail/chat.ts";
import { findNoticeChoices, NOTICE_KINDS, setNoticeChoices } from "#features/mail/notice-choices.ts";
import { createApiKey, listTokens, revokeApiKey } from "#features/keys/api-keys.ts";
import { endSessions, listSessions } from "#features/keys/sessions.ts";
import type { PersonAccess, PersonReader } from "#features/keys/person-access.ts";
import { AppError } from "#lib/app-error.ts";
import { newId, type PersonId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { isKeyScope } from "#kit/levels.ts";
import { clientOf } from "#kit/pages/client-of.ts";
import { noteSubject } from "#kit/http/context.ts";
import { isSameOrigin } from "#kit/http/same-origin.ts";
import { sendForbidden } from "#kit/pages/problem-page.ts";
import { limitedForm, sendPage } from "#kit/pages/send-page.ts";
import { type AccountPage, accountPage } from "./account-page.ts";

export interface AccountRoutesDeps extends PasskeyDeps {
  vault: KeyVault;
  chat: ChatDeps;
  /** Whether the rate limit admits another test message to a chat. */
  mayTryChat(id: PersonId): boolean;
  keysPerHour: number;
  personAccess: PersonAccess;
  /** Null if no mail server is configured. */
  sendMail: unknown;
  /** The same check, with the same limits, as at sign-in. */
  checkPassword(given: { email: string; password: string; address: string }): Promise<Person | null>;
}

/** The browser's response for a new passkey is several kilobytes. */
const MAX_FORM_BYTES = 16_384;
const PATH = "/-/account";
const DONE: Readonly<Record<string, string>> = {
  name: "Your name is changed.",
  mail: "Saved.",
  password: "Your password is changed, and your other sessions have ended.",
  "passkey-add": "The passkey is added. You can sign in with it from now on.",
  "passkey-rename": "The passkey is renamed.",
  "passkey-remove": "The passkey is removed: it opens nothing here any more. Delete it on your device as well.",
  "two-factor": "Two-factor codes are off.",
  sessions: "The session has ended.",
  revoke: "The token is revoked.",
  tokens: "This token was created when the form was sent first, and shown then. It is in the list below.",
};

/** `/-/account`: the signed-in person's own account. */
export function createAccountRoutes(deps: AccountRoutesDeps): Hono {
  const { personAccess, database, clock } = deps;
  const routes = new Hono();
  type Shown = Partial<Pick<AccountPage, "notice" | "problem" | "made">>;

  async function noticesOf({ id }: Person): Promise<AccountPage["notices"]> {
    const { chatUrl, ...choices } = await findNoticeChoices(database.kysely, id);
    const url = openChatUrl(deps.vault, id, chatUrl);
    return { ...choices, chatHost: url && new URL(url).host, canMail: deps.sendMail !== null };
  }

  /** The sealed address of the chat webhook after the form was sent: a new one is tried first. */
  async function chatUrlOf({ person, field }: PersonReader & { field(name: string): string }): Promise<string | null> {
    if (field("chat") !== "") {
      const sealed = sealChatUrl(deps.vault, person.id, field("chat"));
      if (!deps.mayTryChat(person.id)) {
        throw new AppError("rate_limited", "Too many test messages. Wait a minute.", { retryAfterSeconds: 60 });
      }
      await tryChat(deps.chat, field("chat").trim());
      await noteChatTrouble(database, chatOf(person.id), null);
      return sealed;
    }
    const { chatUrl } = await findNoticeChoices(database.kysely, person.id);
    const kept = field("no-chat") === "yes" ? null : chatUrl;
    if (kept === null && deps.sendMail === null) {
      throw new AppError("invalid", "This server sends no mail. Enter the address of a chat webhook.");
    }
    return kept;
  }

  const view = async ({ session, person, instance }: PersonReader, shown: Shown = {}) =>
    accountPage({
      instance: instance("account"),
      csrfToken: session.csrfToken,
      once: newId("key", clock.now()),
      person,
      twoFactor: (await hasPassword(database.kysely, person.id))
        ? ((await findTwoFactor(database.kysely, person.id)) ?? "off")
        : null,
      passkeys: passkeySite(deps.baseUrl()) === null ? null : await listPasskeys(database, person.id),
      sessions: await listSessions(deps, person.id),
      ownSession: session.hash,
      notices: await noticesOf(person),
      tokens: await listTokens(deps, person.id),
      now: clock.now(),
      notice: null,
      problem: null,
      made: null,
      ...shown,
    });

  routes.get(PATH, async (c) => {
    const opened = await personAccess.open(c);
    if (opened.answer) return opened.answer;
    return sendPage(c, await view(opened, { notice: DONE[c.req.query("done") ?? ""] ?? null }));
  });

  async function makeToken({ person, field }: PersonReader & { field(name: string): string }) {
    const scope = field("scope");
    if (!isKeyScope(scope)) throw new AppError("invalid", "Choose a scope from the list.");
    const once = /^key_[0-9a-z]{26}$/.exec(field("once"))?.[0];
    return await createApiKey(deps, {
      projectId: null,
      personId: person.id,
      name: field("name"),
      expiresInDays: field("lifetime") === "never" ? null : Number(field("lifetime")),
      scope,
      ...(once !== undefined && { once }),
    });
  }

  routes.post(`${PATH}/passkey-options`, limitedForm(MAX_FORM_BYTES), async (c) => {
    const opened = await personAccess.open(c);
    if (opened.answer) return opened.answer;
    if (!isSameOrigin(c)) return sendForbidden(c);
    c.header("Cache-Control", "no-store");
    const { id, email } = opened.person;
    const { password } = await c.req.parseBody();
    try {
      // A passkey gives permanent access, so a hijacked session must not be able to add one.
      const isAsked = await hasPassword(database.kysely, id);
      const given = { email, password: typeof password === "string" ? password : "", address: clientOf(c) };
      if (isAsked && (await deps.checkPassword(given)) === null) {
        throw new AppError("invalid", "The password is wrong.");
      }
      return c.json(await beginPasskey(deps, opened.person));
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "internal") throw error;
      return c.json({ problem: error.message }, error.code === "rate_limited" ? 429 : 400);
    }
  });

  routes.post(
    `${PATH}/:action{name|mail|password|sessions|tokens|revoke|passkey-add|passkey-rename|passkey-remove}`,
    limitedForm(MAX_FORM_BYTES),
    async (c) => {
      const opened = await personAccess.openForm(c);
      if (opened.answer) return opened.answer;
      const { person, session, field } = opened;
      const action = c.req.param("action");
      try {
        switch (action) {
          case "name":
            await renamePerson(deps, person.id, field("name"));
            break;
          case "mail":
            await setNoticeChoices(database, person.id, {
              jobs: field("jobs") === "yes",
              kinds: NOTICE_KINDS.filter((kind) => field(kind) === "yes"),
              isDaily: field("when") === "daily",
              chatUrl: await chatUrlOf(opened),
              at: clock.now(),
            });
            break;
          case "password": {
            const given = { email: person.email, password: field("current"), address: clientOf(c) };
            if ((await deps.checkPassword(given)) === null) {
              throw new AppError("invalid", "The current password is wrong.");
            }
            await setPassword(deps, person, { password: field("password"), keep: session.hash });
            break;
          }
          case "passkey-add": {
            const answer = { attempt: field("attempt"), credential: field("credential") };
            await addPasskey(deps, person.id, { name: field("name"), ...answer });
            break;
          }
          case "passkey-rename":
            await renamePasskey(database, person.id, { id: field("passkey"), name: field("name") });
            break;
          case "passkey-remove":
            await removePasskey(database, person.id, field("passkey"));
            break;
          case "sessions": {
            const hash = field("session");
            await endSessions(database, person.id, hash === "" ? { keep: session.hash } : { hash });
            break;
          }
          case "revoke": {
            const token = (await listTokens(deps, person.id)).find(({ id }) => id === field("token"));
            if (token) {
              await revokeApiKey(deps, token.id);
              noteSubject(c, token.name);
            }
            break;
          }
          default: {
            const made = await makeToken(opened);
            noteSubject(c, made.name);
            // Sent as the response to the form, so that the token cannot be loaded again.
            return sendPage(c, await view(opened, { made }), { status: 201, isSecret: true });
          }
        }
        return c.redirect(`${PATH}?done=${action}`, 303);
      } catch (error) {
        if (!(error instanceof AppError) || error.code === "internal") throw error;
        if (action === "tokens" && error.code === "conflict") return c.redirect(`${PATH}?done=tokens`, 303);
        const status = error.code === "rate_limited" ? 429 : 400;
        return sendPage(c, await view(opened, { problem: error.message }), { status });
      }
    },
  );
  return routes;
}
