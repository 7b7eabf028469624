import { Hono } from "hono";
import { z } from "zod";
import type { HostApps } from "#hosts/remote/host-apps.ts";
import { noteSubject } from "#kit/http/context.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { newId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { openClaims, sealClaims } from "#lib/secrets/sealed-claims.ts";
import { isSameSecret } from "#lib/secrets/secret.ts";
import { sendForbidden, sendProblem } from "#kit/pages/problem-page.ts";
import { sendPage } from "#kit/pages/send-page.ts";
import { GITHUB_APP_PATH, NEW_PROJECT_PATH } from "./new-project-page.ts";
import { newGithubAppPage } from "./github-app-page.ts";
import { doerOf, noteDoer } from "#features/keys/actor.ts";
import type { OperatorAccess } from "#features/keys/operator-access.ts";
import { instancePlace } from "#features/keys/person-access.ts";

export interface GithubAppRoutesDeps {
  operatorAccess: OperatorAccess;
  hostApps: HostApps;
  vault: KeyVault;
  clock: Clock;
  baseUrl(): string;
}

const GITHUB = "https://github.com";
const REPOSITORIES = `${NEW_PROJECT_PATH}?from=github`;
/** State of the redirect to the host and back: the browser, and the host. */
const STATE = {
  purpose: "github app state",
  lifetimeMs: 3_600_000,
  schema: z.object({ id: z.string(), origin: z.string(), browser: z.string() }),
};

/** `/admin/github-app`: creates an app for this server on GitHub. */
export function createGithubAppRoutes(deps: GithubAppRoutesDeps): Hono {
  const { operatorAccess, hostApps, clock } = deps;
  const routes = new Hono();

  routes.get(GITHUB_APP_PATH, async (c) => {
    const opened = await operatorAccess.open(c);
    if (opened.answer) return opened.answer;
    const { origin = GITHUB, organization = "" } = c.req.query();
    const id = newId("app", clock.now());
    const browser = opened.operator.fingerprint;
    const instance = opened.session && instancePlace(opened.session, "projects");
    const shown = { instance, apps: await hostApps.list(), organization };
    try {
      const state = (host: string) => sealClaims(deps, { id, origin: host, browser }, STATE);
      const host = URL.parse(origin)?.origin ?? origin;
      const made = await hostApps.manifest({ id, state: state(host), origin, organization, baseUrl: deps.baseUrl() });
      const hasWebhook = made.manifest.includes("hook_attributes");
      const page = newGithubAppPage({ ...shown, origin: host, manifest: made, problem: null, hasWebhook });
      return sendPage(c, page, { formOrigin: new URL(made.action).origin });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const page = newGithubAppPage({
        ...shown,
        origin: GITHUB,
        manifest: null,
        problem: error.message,
        hasWebhook: true,
      });
      return sendPage(c, page, { status: 400 });
    }
  });

  // GitHub redirects back with a code for the app.
  routes.get(`${GITHUB_APP_PATH}/made`, async (c) => {
    const opened = await operatorAccess.open(c);
    if (opened.answer) return opened.answer;
    const state = openClaims(deps, c.req.query("state") ?? "", STATE);
    if (state === null || !isSameSecret(state.browser, opened.operator.fingerprint)) return sendForbidden(c);
    try {
      const app = await hostApps.take({ id: state.id, origin: state.origin, code: c.req.query("code") ?? "" });
      // The redirect from GitHub is a GET request that changes something.
      noteDoer(c, { ...doerOf(c)!, action: "createGithubApp", isRead: false });
      noteSubject(c, app.name);
      return c.redirect(REPOSITORIES, 303);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "invalid") throw error;
      // Reloaded: the app was stored the first time.
      if (await hostApps.find(state.id)) return c.redirect(REPOSITORIES, 303);
      const text = [error.message, `Go to ${GITHUB_APP_PATH} and begin again.`];
      return sendProblem(c, { status: 400, title: "The app was not taken over", text });
    }
  });

  // After an installation on GitHub. Which one it was is requested from GitHub, not read from the URL.
  routes.get(`${GITHUB_APP_PATH}/installed`, async (c) => {
    const opened = await operatorAccess.open(c);
    if (opened.answer) return opened.answer;
    return c.redirect(REPOSITORIES, 303);
  });

  // Redirect of old bookmarks: an app's repositories are now on the page for new projects.
  routes.get(`${GITHUB_APP_PATH}/:id{app_[0-9a-z]{26}}`, async (c) => {
    const opened = await operatorAccess.open(c);
    return opened.answer ?? c.redirect(REPOSITORIES, 303);
  });
  return routes;
}
