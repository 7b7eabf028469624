import { AppError } from "#lib/app-error.ts";
import { PROJECT, PROJECTS, SITE_LINK } from "./answer-shapes.ts";
import type { InstanceLogin, Login } from "./logins.ts";
import {
  type PrintedProject,
  printedProject,
  type ProjectActions,
  type ProjectJson,
  shownSettings,
} from "./projects.ts";
import { createServer } from "./server.ts";
import type { Onlooker } from "./onlooker.ts";

const PAGE = 100;
/** A large repository is fetched while the server is asked. */
const MAKING_MS = 40 * 60_000;

/** Projects over the interface of a server. `loginFor`: the login for a project by its id, slug or name of a login. */
export function projectsAtServer(
  loginFor: { project(named: string): Promise<Login>; instance(): InstanceLogin },
  around: Onlooker,
): ProjectActions {
  const at = (login: Login | InstanceLogin, timeoutMs?: number) => createServer(login, around, timeoutMs).ask;
  const pathOf = (id: string) => `/v2/project/${encodeURIComponent(id)}`;
  return {
    async create({ name, repo, branch, token, app, host }) {
      if (repo !== null && !/^https?:/i.test(repo)) {
        throw new AppError(
          "invalid",
          "--repo takes a path beside the data directory alone. A server is given an https:// address; or create the project without --repo and push to it.",
        );
      }
      const body = {
        name,
        ...(branch !== null && { branch }),
        ...(repo !== null && {
          repository: {
            url: repo,
            ...(token !== null && { token }),
            ...(app && { app }),
            ...(host !== null && { host }),
          },
        }),
      };
      return printedProject(
        await at(loginFor.instance(), MAKING_MS)<ProjectJson>({ method: "POST", path: "/v2/projects", body }, PROJECT),
      );
    },
    async list() {
      const ask = at(loginFor.instance());
      const all: PrintedProject[] = [];
      for (let cursor: string | null = null; ;) {
        const query = { limit: PAGE, ...(cursor !== null && { cursor }) };
        const page: { projects: ProjectJson[]; nextCursor: string | null } = await ask(
          { method: "GET", path: "/v2/projects", query },
          PROJECTS,
        );
        all.push(...page.projects.map(printedProject));
        cursor = page.nextCursor;
        if (cursor === null) return all.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
      }
    },
    async find(named) {
      const login = await loginFor.project(named);
      return shownSettings(await at(login)<ProjectJson>({ method: "GET", path: pathOf(login.project) }, PROJECT));
    },
    async change({ id }, body) {
      const login = await loginFor.project(id);
      return shownSettings(await at(login)<ProjectJson>({ method: "PATCH", path: pathOf(id), body }, PROJECT));
    },
    async replaceToken({ id }, token) {
      const path = `${pathOf(id)}/connection/token`;
      await at(await loginFor.project(id))({ method: "POST", path, body: { token } });
    },
    async remove({ id, name }) {
      await at(await loginFor.project(id))({ method: "DELETE", path: pathOf(id), query: { name } });
    },
    async makeLink({ id }, body) {
      return await at(await loginFor.project(id))(
        { method: "POST", path: `${pathOf(id)}/site-links`, body },
        SITE_LINK,
      );
    },
    async signReadersOut({ id }) {
      await at(await loginFor.project(id))({ method: "DELETE", path: `${pathOf(id)}/site-sessions` });
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}
