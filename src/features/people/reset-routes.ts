import { type Context, Hono } from "hono";
import { carryOutReset, issueReset, readReset } from "#features/accounts/password-reset.ts";
import { readEmail } from "#features/accounts/people.ts";
import { noteDoer } from "#features/keys/actor.ts";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { Logger } from "#lib/logger.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { isSameOrigin } from "#kit/http/same-origin.ts";
import { clientOf } from "#kit/pages/client-of.ts";
import { formFields } from "#kit/pages/form-fields.ts";
import { sendForbidden, sendNotFound, sendProblem } from "#kit/pages/problem-page.ts";
import { limitedForm, type PageStatus, sendPage } from "#kit/pages/send-page.ts";
import { forgotPage, newPasswordPage } from "./reset-page.ts";

export interface ResetRoutesDeps {
  database: Database;
  clock: Clock;
  vault: KeyVault;
  baseUrl(): string;
  logger: Logger;
  /** Queues a mail; null if no mail server is configured. */
  sendMail: ((to: string, mail: { subject: string; text: string }) => Promise<void>) | null;
  /** Whether the rate limits of the address and the account admit another link. */
  mayAskForReset(given: { email: string; address: string }): boolean;
}

const MAX_FORM_BYTES = 4_096;
const FORGOT = "/-/forgot";
const RESET = "/-/reset";

/** `/-/forgot`, where people request a reset link by mail, and `/-/reset`, the page behind the link. */
export function createResetRoutes(deps: ResetRoutesDeps): Hono {
  const { sendMail } = deps;
  const routes = new Hono();

  routes.get(FORGOT, async (c) =>
    sendMail === null ? sendNotFound(c) : sendPage(c, forgotPage({ email: "", problem: null, isSent: false })),
  );

  routes.post(FORGOT, limitedForm(MAX_FORM_BYTES), async (c) => {
    if (sendMail === null) return sendNotFound(c);
    if (!isSameOrigin(c)) return sendForbidden(c);
    const entered = (await formFields(c))("email");
    const refuse = (problem: string, status: PageStatus) =>
      sendPage(c, forgotPage({ email: entered, problem, isSent: false }), { status });
    let email: string;
    try {
      email = readEmail(entered);
    } catch (error) {
      if (error instanceof AppError) return refuse(error.message, 400);
      throw error;
    }
    if (!deps.mayAskForReset({ email, address: clientOf(c) })) {
      return refuse(
        "Too many links were asked for. Use the newest one, try again tomorrow, or ask an owner of this server.",
        429,
      );
    }
    // Sent after the response, which has the same content and timing for an address without an account, so that nobody
    // can find out who has one.
    sendLink(email, sendMail).catch((err: unknown) =>
      deps.logger.error({ err }, "a link for a new password could not be queued"),
    );
    return sendPage(c, forgotPage({ email, problem: null, isSent: true }));
  });

  async function sendLink(email: string, send: NonNullable<typeof sendMail>): Promise<void> {
    const issued = await issueReset(deps, email);
    if (issued === null) return;
    await send(email, resetMail(`${deps.baseUrl()}${RESET}?token=${encodeURIComponent(issued.token)}`));
  }

  const show = (c: Context, token: string, problem: string | null) =>
    sendPage(c, newPasswordPage({ token, problem }), { status: problem === null ? 200 : 400, isSecret: true });

  routes.get(RESET, async (c) => {
    const token = c.req.query("token") ?? "";
    return (await readReset(deps, token)) === null ? sendProblem(c, OVER) : show(c, token, null);
  });

  routes.post(RESET, limitedForm(MAX_FORM_BYTES), async (c) => {
    if (!isSameOrigin(c)) return sendForbidden(c);
    const field = await formFields(c);
    try {
      const person = await carryOutReset(deps, field("token"), field("password"));
      noteDoer(c, { doer: { person }, projectId: null });
      return c.redirect("/sign-in", 303);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === "conflict") return sendProblem(c, OVER);
      if (error.code !== "invalid") throw error;
      return show(c, field("token"), error.message);
    }
  });
  return routes;
}

const OVER = {
  status: 404 as const,
  title: "This link has expired",
  text: ["It was used, or it is more than an hour old.", "Ask for another one from the sign-in page."],
};

const resetMail = (url: string) => ({
  subject: "Set a new password for Docent",
  text: `Someone requested a new password for your account. If it was you, set it here within an hour:

${url}

If it was not you, ignore this mail: your password does not change.
`,
});
