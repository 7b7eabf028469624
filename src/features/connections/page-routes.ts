import { webhookPath } from "#hosts/remote/webhook-upkeep.ts";
import { Hono } from "hono";
import type { ConnectionState } from "#hosts/remote/connections.ts";
import { AppError } from "#lib/app-error.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import type { Project } from "#features/projects/project.ts";
import { sendNotFound } from "#kit/pages/problem-page.ts";
import type { Member, ProjectAccess } from "#features/keys/page-access.ts";
import { limitedForm, sendPage } from "#kit/pages/send-page.ts";
import { tokenIn } from "#kit/pages/token-field.ts";
import { type ConnectionPage, connectionPage } from "./page.ts";

export interface ConnectionRoutesDeps {
  access: ProjectAccess;
  baseUrl(): string;
  /** Null for the embedded host. */
  connectionState(project: Project): Promise<ConnectionState | null>;
  /** For connected projects only. */
  connection: {
    webhookSecret(project: Project): Promise<Secret | null>;
    /** `AppError` with the missing permissions of the new token. */
    replaceToken(project: Project, token: Secret): Promise<void>;
    /** Schedules a sync within a second. */
    syncSoon(project: Project): Promise<void>;
  };
}

const MAX_FORM_BYTES = 8_192;
const NOTICES: Readonly<Record<string, string>> = {
  sync: "The host is looked at now.",
  token: "The new token is in use.",
};

/** `/{slug}/connection`: the state of the sync with a host, for signed-in readers. */
export function createConnectionRoutes(deps: ConnectionRoutesDeps): Hono {
  const { access, connection } = deps;
  const routes = new Hono();

  type Shown = Partial<Pick<ConnectionPage, "webhookSecret" | "notice" | "refused" | "isFollowed">>;
  const view = ({ project, place, session }: Member, state: ConnectionState, shown: Shown = {}) =>
    connectionPage({
      place,
      csrfToken: session.csrfToken,
      connection: state,
      branch: project.branch,
      webhookUrl: deps.baseUrl() + webhookPath(project.id),
      webhookSecret: null,
      notice: null,
      refused: null,
      isFollowed: false,
      ...shown,
    });

  routes.get("/:slug/connection", async (c) => {
    const opened = await access.open(c, "admin");
    if (opened.answer) return opened.answer;
    const state = await deps.connectionState(opened.project);
    if (!state) return sendNotFound(c);
    const notice = NOTICES[c.req.query("done") ?? ""] ?? null;
    return sendPage(c, view(opened, state, { notice, isFollowed: true }));
  });

  routes.post("/:slug/connection/:action{sync|token|webhook}", limitedForm(MAX_FORM_BYTES), async (c) => {
    const page = `/${c.req.param("slug")}/connection`;
    const opened = await access.openForm(c, { signInTo: page, needs: "admin" });
    if (opened.answer) return opened.answer;
    const { project } = opened;
    const state = await deps.connectionState(project);
    if (!state) return sendNotFound(c);
    switch (c.req.param("action")) {
      case "webhook": {
        // Only in the response to the form, so that no URL shows the secret.
        const secret = await connection.webhookSecret(project);
        return sendPage(c, view(opened, state, { webhookSecret: secret?.reveal() ?? null }), {
          isSecret: true,
        });
      }
      case "sync":
        await connection.syncSoon(project);
        return c.redirect(`${page}?done=sync`, 303);
      default:
        try {
          await connection.replaceToken(project, tokenIn(opened.field("token")));
          await connection.syncSoon(project);
          return c.redirect(`${page}?done=token`, 303);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          const status = error.code === "unavailable" ? 503 : 400;
          return sendPage(c, view(opened, state, { refused: error.message }), { status });
        }
    }
  });
  return routes;
}
