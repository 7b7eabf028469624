import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { html } from "hono/html";
import type { Principal } from "#accounts/api-keys.ts";
import { SESSION_COOKIE, type Sessions } from "#accounts/sessions.ts";
import type { HttpContext, HttpEnv } from "#http/context.ts";
import { page } from "#http/page.ts";

export interface SignInDeps {
  sessions: Sessions;
  authenticate(key: string): Promise<Principal | null>;
}

const MAX_FORM_BYTES = 4_096;

/** Where a person turns an API key into a browser session. */
export function signInRoutes({ sessions, authenticate }: SignInDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get("/sign-in", (c) => c.html(form(safeTarget(c.req.query("to")), null)));

  routes.post("/sign-in", bodyLimit({ maxSize: MAX_FORM_BYTES }), async (c) => {
    if (!isSameOrigin(c)) return c.html(form("/", "The form was sent from another site."), 403);
    const fields = await c.req.parseBody();
    const target = safeTarget(typeof fields["to"] === "string" ? fields["to"] : undefined);
    const key = typeof fields["key"] === "string" ? fields["key"].trim() : "";
    const principal = await authenticate(key);
    if (!principal) return c.html(form(target, "This key is not valid: it is unknown, expired or revoked."), 401);
    const { cookie, maxAgeSeconds } = sessions.create(principal);
    const secure = new URL(c.req.url).protocol === "https:" ? "; Secure" : "";
    c.header(
      "Set-Cookie",
      `${SESSION_COOKIE}=${cookie}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`,
    );
    return c.redirect(target, 303);
  });

  routes.post("/sign-out", (c) => {
    if (!isSameOrigin(c)) return c.redirect("/", 303);
    c.header("Set-Cookie", `${SESSION_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`);
    return c.redirect("/sign-in", 303);
  });

  return routes;
}

/** Browsers say where a form comes from; one from elsewhere could sign a person in under somebody else's key. */
function isSameOrigin(c: HttpContext): boolean {
  const origin = c.req.header("origin");
  return origin === undefined || URL.parse(origin)?.host === c.req.header("host");
}

/** Only a path of our own: `//host` and `/\host` would lead elsewhere. */
function safeTarget(to: string | undefined): string {
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
        <label>API key <input name="key" type="password" autocomplete="current-password" required autofocus /></label>
        <button>Sign in</button>
      </form>`,
  );
}
