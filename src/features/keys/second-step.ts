import { html } from "hono/html";
import type { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import type { Person } from "#features/accounts/people.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { PersonId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { openClaims, sealClaims } from "#lib/secrets/sealed-claims.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { page, sendOwnPage } from "#kit/http/own-page.ts";
import { isSameOrigin } from "#kit/http/same-origin.ts";
import { safeTarget } from "./sign-in-target.ts";

export interface SecondStepDeps {
  clock: Clock;
  vault: KeyVault;
  findPersonById(id: PersonId): Promise<Person | null>;
  /** Whether a person has two-factor codes. */
  needsCode(id: PersonId): Promise<boolean>;
  /** Verifies a code, which can be used only once. `AppError rate_limited`. */
  checkCode(id: PersonId, given: { code: string; address: string }): Promise<boolean>;
}

const CODE_PATH = "/sign-in/code";
const MAX_FORM_BYTES = 4_096;
const ATTEMPT = {
  purpose: "second step of a sign-in",
  lifetimeMs: 5 * 60_000,
  schema: z.object({ id: z.string().transform((id) => id as PersonId) }),
};

/** Asks for a code after the password. The form contains sealed proof that the password was right. */
export function askForCode(
  c: HttpContext,
  { vault, clock }: Pick<SecondStepDeps, "vault" | "clock">,
  { id, target }: { id: PersonId; target: string },
) {
  const attempt = sealClaims({ vault, clock }, { id }, ATTEMPT);
  c.header("Cache-Control", "no-store");
  return sendOwnPage(c, codeForm({ attempt, target, problem: null }));
}

/** `/sign-in/code`: the form of `askForCode`. `enter` starts the session. */
export function secondStepRoutes(
  routes: Hono<HttpEnv>,
  deps: SecondStepDeps & { enter(c: HttpContext, person: Person, target: string): Promise<Response> },
): void {
  const tooLarge = (c: HttpContext) => refuse(c, { attempt: "", target: "/", problem: "The form is too large." }, 413);
  routes.post(CODE_PATH, bodyLimit({ maxSize: MAX_FORM_BYTES, onError: tooLarge }), async (c) => {
    const fields = new URLSearchParams(await c.req.text());
    const attempt = fields.get("attempt") ?? "";
    const form = { attempt, target: safeTarget(fields.get("to")) };
    if (!isSameOrigin(c)) return refuse(c, { ...form, problem: "The form was sent from another site." }, 403);
    const claims = openClaims(deps, attempt, ATTEMPT);
    const person = claims && (await deps.findPersonById(claims.id));
    if (!person) {
      return refuse(c, { ...form, attempt: "", problem: "This took too long. Sign in again with your password." }, 401);
    }
    try {
      const code = (fields.get("code") ?? "").slice(0, 100);
      if (await deps.checkCode(person.id, { code, address: c.env.clientAddress })) {
        return await deps.enter(c, person, form.target);
      }
      const problem = "The code is wrong, or was used before. Wait for the app's next code, or enter a recovery code.";
      return refuse(c, { ...form, problem }, 401);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === "conflict") return refuse(c, { ...form, problem: error.message }, 409);
      if (error.code !== "rate_limited") throw error;
      c.header("Retry-After", String(error.retryAfterSeconds ?? 60));
      return refuse(c, { ...form, problem: error.message }, 429);
    }
  });
}

interface CodeForm {
  /** Empty if the password must be entered again. */
  attempt: string;
  target: string;
  problem: string | null;
}

function refuse(c: HttpContext, form: CodeForm, status: 401 | 403 | 409 | 413 | 429) {
  c.header("Cache-Control", "no-store");
  return sendOwnPage(c, codeForm(form), status);
}

const codeForm = ({ attempt, target, problem }: CodeForm) =>
  page(
    "Two-factor code",
    html`<h1>Two-factor code</h1>
      ${problem === null ? "" : html`<p role="alert" class="problem">${problem}</p>`}
      ${
        attempt === ""
          ? ""
          : html`<p>Enter the six digits that your authenticator app shows, or one of your recovery codes.</p>
              <form method="post" action="${CODE_PATH}">
                <input type="hidden" name="attempt" value="${attempt}" />
                <input type="hidden" name="to" value="${target}" />
                <label>Code <input name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="20" required autofocus /></label>
                <button>Sign in</button>
              </form>
              <p class="hint">Without the app and the recovery codes, ask an owner of this server to turn two-factor codes off for you.</p>`
      }
      <p><a href="/sign-in?to=${encodeURIComponent(target)}">Back to sign-in</a></p>`,
  );
