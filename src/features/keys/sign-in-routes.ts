import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { html, raw } from "hono/html";
import type { Person } from "#features/accounts/people.ts";
import { noteDoer } from "./actor.ts";
import { passkeyForm, type PasskeySignInDeps, passkeySignInRoutes } from "./passkey-sign-in.ts";
import { PROVIDER_PATH, providerRoutes, type ProviderRoutesDeps } from "./provider-routes.ts";
import { askForCode, type SecondStepDeps, secondStepRoutes } from "./second-step.ts";
import { safeTarget } from "./sign-in-target.ts";
import type { Holder, Principal } from "./holder.ts";
import { allowsScope } from "#kit/levels.ts";
import { AppError } from "#lib/app-error.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { isSameOrigin } from "#kit/http/same-origin.ts";
import { page, sendOwnPage } from "#kit/http/own-page.ts";

export interface SignInDeps extends ProviderRoutesDeps, SecondStepDeps, PasskeySignInDeps {
  authenticate(key: string, address: string): Promise<Holder | null>;
  /** Verifies an email address and a password; null if either is wrong. `AppError rate_limited`. */
  checkPassword(given: { email: string; password: string; address: string }): Promise<Person | null>;
  /** Whether password reset links can be mailed. */
  canResetPassword: boolean;
  /** Whether the instance has an owner. */
  hasOwner(): Promise<boolean>;
  operators: { end(): string };
}

const MAX_FORM_BYTES = 4_096;

interface Refused {
  problem: string;
  status: 401 | 403 | 429;
  retryAfterSeconds?: number;
}

/** Sign-in with email address and password, a passkey, or an API key. */
export function signInRoutes(deps: SignInDeps): Hono<HttpEnv> {
  const { sessions, authenticate, checkPassword, hasOwner, canResetPassword } = deps;
  const provider = deps.provider?.settings.name ?? null;
  const routes = new Hono<HttpEnv>().route("/", providerRoutes(deps));
  async function send(
    c: HttpContext,
    given: Pick<Form, "target" | "problem" | "email" | "isByKey">,
    status: 200 | Refused["status"],
  ) {
    const hasPasskeys = await deps.hasPasskeys();
    const shown = { provider, hasOwner: await hasOwner(), canResetPassword, hasPasskeys, ...given };
    return await sendOwnPage(c, form(shown), status, { hasScript: hasPasskeys });
  }
  routes.get("/sign-in", (c) => send(c, { target: safeTarget(c.req.query("to")) }, 200));

  async function byPassword(c: HttpContext, email: string, password: string): Promise<{ person: Person } | Refused> {
    const address = c.env.clientAddress;
    try {
      const person = await checkPassword({ email, password, address });
      if (person === null) return { problem: "The email address or the password is wrong.", status: 401 };
      return { person };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "rate_limited") throw error;
      return { problem: error.message, status: 429, retryAfterSeconds: error.retryAfterSeconds ?? 60 };
    }
  }

  async function byKey(c: HttpContext, key: string): Promise<Principal | Refused> {
    try {
      const holder = await authenticate(key, c.env.clientAddress);
      if (holder === null) return { problem: "This key is not valid: it is unknown, expired or revoked.", status: 401 };
      if ("person" in holder) {
        return {
          problem: "This is a personal access token, for programs. Sign in with your email address.",
          status: 403,
        };
      }
      if (allowsScope(holder.scope, "admin")) return holder;
      const problem = `This key has the scope "${holder.scope}": signing in needs a key with the scope "admin".`;
      return { problem, status: 403 };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "forbidden") throw error;
      return { problem: error.message, status: 403 };
    }
  }

  routes.post("/sign-in", limitedForm, async (c) => {
    if (!isSameOrigin(c)) return send(c, { target: "/", problem: "The form was sent from another site." }, 403);
    const fields = new URLSearchParams(await c.req.text());
    const target = safeTarget(fields.get("to"));
    const email = fields.get("email");
    const outcome =
      email === null
        ? await byKey(c, (fields.get("key") ?? "").trim())
        : await byPassword(c, email, fields.get("password") ?? "");
    if ("problem" in outcome) {
      if (outcome.retryAfterSeconds !== undefined) c.header("Retry-After", String(outcome.retryAfterSeconds));
      const { problem, status } = outcome;
      return send(c, { target, problem, email, isByKey: email === null }, status);
    }
    if ("person" in outcome) {
      const { person } = outcome;
      return (await deps.needsCode(person.id))
        ? askForCode(c, deps, { id: person.id, target })
        : await enter(c, person, target);
    }
    noteDoer(c, { doer: outcome, projectId: outcome.projectId });
    c.header("Set-Cookie", await sessions.create(outcome));
    return c.redirect(target, 303);
  });
  async function enter(c: HttpContext, person: Person, target: string): Promise<Response> {
    noteDoer(c, { doer: { person }, projectId: null, action: "sign-in" });
    const browser = c.req.header("user-agent") ?? "";
    c.header("Set-Cookie", await sessions.create({ personId: person.id, address: c.env.clientAddress, browser }));
    return c.redirect(target, 303);
  }
  secondStepRoutes(routes, { ...deps, enter });
  passkeySignInRoutes(routes, {
    ...deps,
    enter,
    refuse: (c, problem, status) => send(c, { target: "/", problem }, status),
  });

  routes.post("/sign-out", async (c) => {
    if (!isSameOrigin(c)) return c.redirect("/", 303);
    const cookie = c.req.header("cookie") ?? null;
    const session = await sessions.read(cookie, c.env.clientAddress);
    if (session !== null)
      noteDoer(c, { doer: session, projectId: "person" in session ? null : session.projectId, action: "sign-out" });
    c.header("Set-Cookie", await sessions.end(cookie));
    c.header("Set-Cookie", deps.operators.end(), { append: true });
    return c.redirect("/sign-in", 303);
  });

  return routes;
}

const limitedForm = bodyLimit({
  maxSize: MAX_FORM_BYTES,
  onError: (c) =>
    sendOwnPage(c, form({ target: "/", provider: null, hasOwner: true, problem: "The form is too large." }), 413),
});

interface Form {
  target: string;
  /** Name of the identity provider; null if there is none. */
  provider: string | null;
  hasOwner: boolean;
  canResetPassword?: boolean;
  hasPasskeys?: boolean;
  problem?: string;
  email?: string | null;
  isByKey?: boolean;
}

function form(shown: Form) {
  const { target, provider, hasOwner, canResetPassword = false, hasPasskeys = false, problem } = shown;
  const { email = null, isByKey = false } = shown;
  const to = html`<input type="hidden" name="to" value="${target}" />`;
  const byKey = html`<form method="post" action="/sign-in">
    ${to}
    <input name="username" autocomplete="username" value="docent" hidden />
    <label>API key <input name="key" type="password" autocomplete="current-password" required ${hasOwner ? "" : raw("autofocus")} /></label>
    <button>Sign in</button>
  </form>`;
  const alert = problem === undefined ? "" : html`<p role="alert" class="problem">${problem}</p>`;
  const elsewhere =
    provider === null
      ? ""
      : html`<p><a class="wide-button" href="${PROVIDER_PATH}?to=${encodeURIComponent(target)}">Sign in with ${provider}</a></p>`;
  if (!hasOwner && provider === null) {
    return page(
      "Sign in",
      html`<h1>Sign in</h1>
        <p>Paste an API key of the project. <code>docent keys create PROJECT</code> makes one.</p>
        ${alert} ${byKey}
        <p class="hint">Nobody has an account yet: <code>docent admin</code> on the server prints the link that creates the first one.</p>`,
    );
  }
  return page(
    "Sign in",
    html`<h1>Sign in</h1>
      ${alert} ${elsewhere}
      <form method="post" action="/sign-in">
        ${to}
        <label>Email address <input name="email" type="email" autocomplete="username" required value="${email ?? ""}" ${isByKey || provider !== null ? "" : raw("autofocus")} /></label>
        <label>Password <input name="password" type="password" autocomplete="current-password" required /></label>
        <button>Sign in</button>
      </form>
      ${hasPasskeys ? passkeyForm(target) : ""}
      <details ${isByKey ? raw("open") : ""}>
        <summary>Sign in with an API key</summary>
        <p>For a project without accounts, or a browser that is to do what one key may.</p>
        ${byKey}
      </details>
      ${canResetPassword ? html`<p class="hint"><a href="/-/forgot">Forgot your password?</a> Without an account, ask an owner of this server for an invitation.</p>` : html`<p class="hint">No account, or a forgotten password? An owner of this server invites you, or sets a new password. For the last owner, <code>docent admin --reset-password</code> on the server does.</p>`}`,
  );
}
