import { Hono } from "hono";
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from "./api-keys.ts";
import { noteSubject } from "#kit/http/context.ts";
import { isKeyScope, type KeyScope } from "#kit/levels.ts";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { newId } from "#lib/ids.ts";
import { DEFAULT_SCOPE, isOver, type KeysPage, keysPage, NO_EXPIRY, revokePage } from "./page.ts";
import { sendNotFound } from "#kit/pages/problem-page.ts";
import type { Member, ProjectAccess } from "./page-access.ts";
import { limitedForm, sendPage } from "#kit/pages/send-page.ts";

export interface KeysRoutesDeps {
  database: Database;
  clock: Clock;
  keysPerHour: number;
  access: ProjectAccess;
  session: {
    /** Ends the session of a request; returns the `Set-Cookie` value that clears it. */
    end(request: Request): Promise<string>;
  };
  /** URL of this server. */
  baseUrl(): string;
}

const KEY = ":id{key_[0-9a-z]{26}}";
const MAX_FORM_BYTES = 4_096;

/** `/{slug}/keys`: lists, creates and revokes API keys, for signed-in readers. */
export function createKeysRoutes(deps: KeysRoutesDeps): Hono {
  const { access, clock } = deps;
  const routes = new Hono();

  const view = async (
    { project, place, session }: Member,
    { made = null, refused = null, isRepeated = false }: Partial<Pick<KeysPage, "made" | "refused" | "isRepeated">>,
  ) =>
    keysPage({
      place,
      csrfToken: session.csrfToken,
      once: newId("key", clock.now()),
      projectId: project.id,
      baseUrl: deps.baseUrl(),
      keys: await listApiKeys(deps, project.id),
      ownKeyId: "keyId" in session ? session.keyId : null,
      now: clock.now(),
      made,
      refused,
      isRepeated,
    });
  /** A valid key of the project, with the consequences of revoking it. */
  const find = async ({ project, session }: Member, id: string) => {
    const working = (await listApiKeys(deps, project.id)).filter((key) => !isOver(key, clock.now()));
    const key = working.find((candidate) => candidate.id === id);
    return key ? { key, isOwn: "keyId" in session && key.id === session.keyId, isLast: working.length === 1 } : null;
  };

  routes.get("/:slug/keys", async (c) => {
    const opened = await access.open(c, "admin");
    if (opened.answer) return opened.answer;
    return sendPage(c, await view(opened, { isRepeated: c.req.query("repeated") !== undefined }));
  });

  routes.post("/:slug/keys", limitedForm(MAX_FORM_BYTES), async (c) => {
    const opened = await access.openForm(c, { signInTo: `/${c.req.param("slug")}/keys`, needs: "admin" });
    if (opened.answer) return opened.answer;
    const name = opened.field("name");
    const lifetime = opened.field("lifetime");
    const asked = opened.field("scope");
    const allow = opened.field("allow");
    const once = /^key_[0-9a-z]{26}$/.exec(opened.field("once"))?.[0];
    try {
      const expiresInDays = lifetime === NO_EXPIRY ? null : Number(lifetime);
      const made: ApiKey & { key: string } = await createApiKey(deps, {
        projectId: opened.project.id,
        name,
        expiresInDays,
        scope: scopeOf(asked),
        allow: rangesOf(allow),
        ...(once !== undefined && { once }),
      });
      noteSubject(c, name);
      // Sent as the response to the form, without a URL of its own, so that the key cannot be loaded again.
      return sendPage(c, await view(opened, { made }), { status: 201, isSecret: true });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Reloaded or submitted twice: redirect to a URL that is safe to reload.
      if (error.code === "conflict") return c.redirect(`/${opened.place.slug}/keys?repeated`, 303);
      const isTooMany = error.code === "rate_limited";
      if (!isTooMany && error.code !== "invalid") throw error;
      if (isTooMany) c.header("Retry-After", String(error.retryAfterSeconds ?? 0));
      const problem = isTooMany ? tooMany(deps.keysPerHour, error.retryAfterSeconds ?? 0) : error.message;
      const page = await view(opened, { refused: { name, lifetime, scope: asked, allow, problem } });
      return sendPage(c, page, { status: isTooMany ? 429 : 400 });
    }
  });

  routes.get(`/:slug/keys/${KEY}/revoke`, async (c) => {
    const opened = await access.open(c, "admin");
    if (opened.answer) return opened.answer;
    const found = await find(opened, c.req.param("id"));
    if (!found) return sendNotFound(c);
    const { place, session } = opened;
    return sendPage(c, revokePage({ place, csrfToken: session.csrfToken, ...found }));
  });

  routes.post(`/:slug/keys/${KEY}/revoke`, limitedForm(MAX_FORM_BYTES), async (c) => {
    const keysPath = `/${c.req.param("slug")}/keys`;
    const opened = await access.openForm(c, { signInTo: keysPath, needs: "admin" });
    if (opened.answer) return opened.answer;
    const found = await find(opened, c.req.param("id"));
    if (!found) return sendNotFound(c);
    await revokeApiKey(deps, found.key.id);
    noteSubject(c, found.key.name);
    if (!found.isOwn) return c.redirect(keysPath, 303);
    // The session ended with its key; this only clears the cookie.
    c.header("Set-Cookie", await deps.session.end(c.req.raw));
    return c.redirect("/sign-in", 303);
  });
  return routes;
}

function tooMany(keysPerHour: number, seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return `A project makes at most ${keysPerHour} keys an hour, and this one has. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
}

/** Splits a list at spaces or commas. Empty: the key works from everywhere. */
function rangesOf(text: string): string[] | null {
  const ranges = text.split(/[\s,]+/).filter((one) => one !== "");
  return ranges.length === 0 ? null : ranges;
}

function scopeOf(asked: string): KeyScope {
  if (asked === "") return DEFAULT_SCOPE;
  if (isKeyScope(asked)) return asked;
  throw new AppError("invalid", "A key has the scope read, agent, write or admin.");
}
