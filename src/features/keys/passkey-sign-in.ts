import { html } from "hono/html";
import type { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { PasskeyAnswer } from "#features/accounts/passkeys.ts";
import type { Person } from "#features/accounts/people.ts";
import { AppError } from "#lib/app-error.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { isSameOrigin } from "#kit/http/same-origin.ts";
import { dashboardFile } from "#kit/pages/dashboard-files.ts";
import { safeTarget } from "./sign-in-target.ts";

export interface PasskeySignInDeps {
  /** Whether the page offers passkeys. */
  hasPasskeys(): Promise<boolean>;
  beginPasskeySignIn(): Promise<{ attempt: string; options: object }>;
  /** Verifies a passkey response; null if it is invalid. */
  checkPasskey(answer: PasskeyAnswer): Promise<Person | null>;
}

const PATH = "/sign-in/passkey";
const MAX_FORM_BYTES = 16_384;

/** `/sign-in/passkey`: options for the browser, and the form with its response. A passkey counts as both factors. */
export function passkeySignInRoutes(
  routes: Hono<HttpEnv>,
  deps: PasskeySignInDeps & {
    enter(c: HttpContext, person: Person, target: string): Promise<Response>;
    refuse(c: HttpContext, problem: string, status: 401 | 403): Promise<Response>;
  },
): void {
  routes.post(`${PATH}/options`, async (c) => {
    if (!isSameOrigin(c)) throw new AppError("forbidden", "The request came from another site.");
    c.header("Cache-Control", "no-store");
    return c.json(await deps.beginPasskeySignIn(), 200);
  });
  routes.post(PATH, bodyLimit({ maxSize: MAX_FORM_BYTES }), async (c) => {
    if (!isSameOrigin(c)) return deps.refuse(c, "The form was sent from another site.", 403);
    const fields = new URLSearchParams(await c.req.text());
    const answer = { attempt: fields.get("attempt") ?? "", credential: fields.get("credential") ?? "" };
    const person = await deps.checkPasskey(answer);
    if (person !== null) return await deps.enter(c, person, safeTarget(fields.get("to")));
    const problem = "This passkey does not open an account here, or the sign-in took too long. Try again.";
    return await deps.refuse(c, problem, 401);
  });
}

/** Hidden until its script detects support for passkeys. */
export const passkeyForm = (target: string) =>
  html`<form method="post" action="${PATH}" data-passkey="${PATH}/options" hidden>
      <input type="hidden" name="to" value="${target}" />
      <input type="hidden" name="attempt" />
      <input type="hidden" name="credential" />
      <p role="alert" class="problem" hidden></p>
      <button class="wide-button second">Sign in with a passkey</button>
    </form>
    <script type="module" src="${dashboardFile("passkeys.js")}"></script>`;
