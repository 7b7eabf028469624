import { type Context, Hono } from "hono";
import { hasOwner } from "#features/accounts/people.ts";
import { createApiKey } from "#features/keys/api-keys.ts";
import type { KeyHolder } from "#features/keys/holder.ts";
import { REMOTE_KINDS } from "#hosts/code-host.ts";
import type { HostApps } from "#hosts/remote/host-apps.ts";
import type { Database } from "#db/database.ts";
import { findConnectionState } from "#hosts/remote/connections.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { Connecting, ConnectingStage, ConnectWish } from "#features/projects/connecting.ts";
import { limitedForm, type PageStatus, sendPage } from "#kit/pages/send-page.ts";
import { tokenIn } from "#kit/pages/token-field.ts";
import { sendNotFound } from "#kit/pages/problem-page.ts";
import {
  CONNECT_PATH,
  type ConnectEntries,
  connectedPage,
  connectFailedPage,
  connectingPage,
  connectPage,
  NO_ENTRIES,
} from "./new-project-page.ts";
import { type OperatorAccess, SETUP_PATH } from "#features/keys/operator-access.ts";

export interface ConnectRoutesDeps {
  database: Database;
  clock: Clock;
  keysPerHour: number;
  operatorAccess: OperatorAccess;
  connecting: Connecting;
  hostApps: Pick<HostApps, "list">;
  /** Begins a session of a project; answers with a `Set-Cookie` value. */
  signIn(signedIn: KeyHolder): Promise<string>;
  siteUrl(slug: string): string;
}

const MAX_FORM_BYTES = 16_384;
const STATUS: Partial<Record<AppError["code"], PageStatus>> = {
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
  internal: 500,
};

/** `/admin/connect`: where whoever runs the server makes projects of repositories on hosts elsewhere. */
export function createConnectRoutes(deps: ConnectRoutesDeps): Hono {
  const { operatorAccess, connecting } = deps;
  const routes = new Hono();

  // Accounts come first; what can be done without one stands on that page.
  routes.get("/admin", async (c) => {
    if (c.req.query("pass") === undefined) return c.redirect(SETUP_PATH, 303);
    return operatorAccess.enter(c, { to: SETUP_PATH, hasOwner: await hasOwner(deps.database.kysely) });
  });

  routes.get(CONNECT_PATH, async (c) => {
    const opened = await operatorAccess.open(c);
    if (opened.answer) return opened.answer;
    const { csrfToken } = opened.operator;
    const entries = { ...NO_ENTRIES, url: c.req.query("repository") ?? "", name: c.req.query("name") ?? "" };
    return sendPage(c, connectPage({ csrfToken, entries, problem: null, apps: await deps.hostApps.list() }));
  });

  routes.post(CONNECT_PATH, limitedForm(MAX_FORM_BYTES), async (c) => {
    const opened = await operatorAccess.openForm(c);
    if (opened.answer) return opened.answer;
    const { field, operator } = opened;
    const entries: ConnectEntries = {
      name: field("name").trim(),
      url: field("url").trim(),
      kind: field("kind"),
      branch: field("branch").trim(),
    };
    const apps = await deps.hostApps.list();
    const refuse = (error: AppError) => {
      if (error.retryAfterSeconds !== undefined) c.header("Retry-After", String(error.retryAfterSeconds));
      const page = connectPage({ csrfToken: operator.csrfToken, entries, problem: error.message, apps });
      return sendPage(c, page, { status: STATUS[error.code] ?? 400 });
    };
    try {
      const id = await connecting.begin(
        wishOf(entries),
        field("token").trim() === "" && apps.length > 0 ? null : tokenIn(field("token")),
      );
      const found = connecting.look(id);
      if (found?.stage !== "failed") return c.redirect(`${CONNECT_PATH}/${id}`, 303);
      connecting.forget(id);
      return refuse(found.error);
    } catch (error) {
      if (error instanceof AppError) return refuse(error);
      throw error;
    }
  });

  routes.get(`${CONNECT_PATH}/:id{req_[0-9a-z]{26}}`, async (c) => {
    const opened = await operatorAccess.open(c);
    if (opened.answer) return opened.answer;
    const id = c.req.param("id");
    const found = connecting.look(id);
    if (!found) return sendNotFound(c);
    const { url } = found.wish;
    if (found.stage === "under_way") {
      return sendPage(c, connectingPage({ url, progress: found.progress }));
    }
    if (found.stage === "failed") {
      return sendPage(c, connectFailedPage({ url, problem: found.error.message }));
    }
    // Before anything is awaited: of two requests one makes the key.
    connecting.forget(id);
    return opened.session === null ? welcome(c, found) : c.redirect(`/${found.project.slug}`, 303);
  });

  /** The first key of the project, and this browser signed in with it. */
  async function welcome(c: Context, { project }: Extract<ConnectingStage, { stage: "done" }>) {
    const { slug, name, id: projectId } = project;
    const made = await createApiKey(deps, { projectId, name: "first key", expiresInDays: 90 });
    c.header("Set-Cookie", await deps.signIn({ projectId, keyId: made.id }));
    const isByApp = (await findConnectionState(deps, projectId))?.app != null;
    const shown = { name, slug, siteUrl: deps.siteUrl(slug), key: made.key, isByApp };
    const page = connectedPage(shown);
    return sendPage(c, page, { isSecret: true });
  }
  return routes;
}

function wishOf({ name, url, kind, branch }: ConnectEntries): ConnectWish {
  const found = REMOTE_KINDS.find((one) => one === kind) ?? null;
  if (found === null && kind !== "") throw new AppError("invalid", "Choose a host from the list.");
  return { name, url, kind: found, branch: branch === "" ? null : branch };
}
