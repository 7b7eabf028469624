import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { html } from "hono/html";
import type { Principal } from "./api-keys.ts";
import { allowsScope } from "#kit/http/key-scopes.ts";
import type { Sessions } from "./sessions.ts";
import { AppError } from "#lib/app-error.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { page, sendOwnPage } from "#kit/http/page.ts";

export interface SignInDeps {
  sessions: Sessions;
  authenticate(key: string, address: string): Promise<Principal | null>;
}

const MAX_FORM_BYTES = 4_096;

/** Where a person turns an API key into a browser session. */
export function signInRoutes({ sessions, authenticate }: SignInDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  routes.get("/sign-in", (c) => sendOwnPage(c, form(safeTarget(c.req.query("to")), null)));

  routes.post("/sign-in", limitedForm, async (c) => {
    if (!isSameOrigin(c)) return sendOwnPage(c, form("/", "The form was sent from another site."), 403);
    const fields = new URLSearchParams(await c.req.text());
    const target = safeTarget(fields.get("to"));
    const found = await authenticate((fields.get("key") ?? "").trim(), c.env.clientAddress).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "forbidden") return error;
      throw error;
    });
    if (found instanceof AppError) return sendOwnPage(c, form(target, found.message), 403);
    const principal = found;
    if (!principal) {
      return sendOwnPage(c, form(target, "This key is not valid: it is unknown, expired or revoked."), 401);
    }
    if (!allowsScope(principal.scope, "admin")) {
      const problem = `This key has the scope "${principal.scope}": signing in needs a key with the scope "admin".`;
      return sendOwnPage(c, form(target, problem), 403);
    }
    c.header("Set-Cookie", await sessions.create(principal));
    return c.redirect(target, 303);
  });

  routes.post("/sign-out", async (c) => {
    if (!isSameOrigin(c)) return c.redirect("/", 303);
    c.header("Set-Cookie", await sessions.end(c.req.header("cookie") ?? null));
    return c.redirect("/sign-in", 303);
  });

  return routes;
}

const limitedForm = bodyLimit({
  maxSize: MAX_FORM_BYTES,
  onError: (c) => sendOwnPage(c, form("/", "The form is too large."), 413),
});

/** Browsers say where a form comes from; one from elsewhere could sign a person in under somebody else's key. */
function isSameOrigin(c: HttpContext): boolean {
  const origin = c.req.header("origin");
  return origin === undefined || URL.parse(origin)?.host === c.req.header("host");
}

/** Only a path of our own: `//host` and `/\host` would lead elsewhere. */
function safeTarget(to: string | null | undefined): string {
  return to && /^\/(?![/\\])[\x21-\x7e]*$/.test(to) ? to : "/";
}

function form(target: string, problem: string | null) {
  return page(
    "Sign in",
    html`<h1>Sign in</h1>
      <p>Paste an API key of the project. <code>docent keys create PROJECT</code> makes one.</p>
      ${problem ? html`<p role="alert" class="problem">${problem}</p>` : ""}
      <form method="post" action="/sign-in">
        <input type="hidden" name="to" value="${target}" />
        <input name="username" autocomplete="username" value="docent" hidden />
        <label>API key <input name="key" type="password" autocomplete="current-password" required autofocus /></label>
        <button>Sign in</button>
      </form>`,
  );
}
