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
  /** Null when the project's repository is here. */
  connectionState(project: Project): Promise<ConnectionState | null>;
  /** Of projects that are connected. */
  connection: {
    webhookSecret(project: Project): Promise<Secret | null>;
    /** `AppError` with what the new token lacks. */
    replaceToken(project: Project, token: Secret): Promise<void>;
    /** Has the host looked at within a second. */
    syncSoon(project: Project): Promise<void>;
  };
}

const MAX_FORM_BYTES = 8_192;
const NOTICES: Readonly<Record<string, string>> = {
  sync: "The host is looked at now.",
  token: "The new token is in use.",
};

/** `/{slug}/connection`: how following a host goes, for readers who are signed in to the project. */
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
        // In the answer to the form alone: no address leads to the secret.
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
