import type { Hono } from "hono";
import { formPages } from "#kit/pages/form-pages.ts";
import type { Member, ProjectAccess, SentForm } from "#features/keys/page-access.ts";
import { findSource, listSources, type SourceRepository } from "#hosts/sources/sources.ts";
import { parseForm } from "#kit/pages/parse-form.ts";
import { tokenIn } from "#kit/pages/token-field.ts";
import { AppError } from "#lib/app-error.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { NewSourceBody, type SourceRoutesDeps } from "./routes.ts";
import { sourcesPage } from "./sources-page.ts";

export interface SourcePagesDeps {
  access: ProjectAccess;
  database: SourceRoutesDeps["database"];
  /** Source operations of the API. */
  projects: Pick<SourceRoutesDeps, "making" | "replaceSourceToken" | "removeSource">;
}

const ID = ":id{src_[0-9a-z]{26}}";
const LABELS = { url: "Address", name: "Name", token: "Token", branch: "Branch", host: "Code host" };

/** `/{slug}/sources`: additional repositories that a project's agent reads, for its admins. */
export function createSourcePages(deps: SourcePagesDeps): Hono {
  const { database, projects } = deps;

  async function sourceOf({ project, param }: SentForm): Promise<SourceRepository> {
    const source = await findSource(database, project.id, param("id"));
    if (!source) throw new AppError("not_found", "This source was removed.");
    return source;
  }

  return formPages<Member, never>({
    access: deps.access,
    pages: { sources: "admin" },
    actions: {
      "sources/add": {
        needs: "admin",
        notice: "The source is added. The agent can read it from now on.",
        async run({ project, field }) {
          const entered = ["name", "url", "token", "host", "branch"].map((name) => [name, field(name).trim()] as const);
          const filled = Object.fromEntries(entered.filter(([name, text]) => text !== "" || name === "name" || name === "url")); // oxfmt-ignore
          const { name, url, token, host = null, branch = null } = parseForm(NewSourceBody, filled, LABELS);
          const input = { projectId: project.id, name, url, kind: host, branch };
          await projects.making.addSource({ ...input, token: token === undefined ? null : new Secret(token) });
          return null;
        },
      },
      [`sources/${ID}/token`]: {
        needs: "admin",
        notice: "The new token is in use.",
        async run(sent) {
          await projects.replaceSourceToken(await sourceOf(sent), tokenIn(sent.field("token")), async () => undefined);
          return null;
        },
      },
      [`sources/${ID}/remove`]: {
        needs: "admin",
        notice: "The source is removed.",
        async run(sent) {
          await projects.removeSource(await sourceOf(sent));
          return null;
        },
      },
    },
    async show({ project, place, session }, { notice, refused }) {
      const sources = await listSources(database, project.id);
      return sourcesPage({ place, csrfToken: session.csrfToken, sources, notice, refused });
    },
  });
}
