import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Context, Hono } from "hono";
import { hasOwner } from "#features/accounts/people.ts";
import { createApiKey } from "#features/keys/api-keys.ts";
import type { KeyHolder } from "#features/keys/holder.ts";
import { type OperatorAccess, SETUP_PATH } from "#features/keys/operator-access.ts";
import { instancePlace } from "#features/keys/person-access.ts";
import type { Session } from "#features/keys/sessions.ts";
import type { Connecting, ConnectionInput } from "#features/projects/connecting.ts";
import type { Project } from "#features/projects/project.ts";
import { createProject } from "#features/projects/projects.ts";
import { publishedUrl } from "#features/projects/site/external-site.ts";
import { chosenAddress, refuseNoAddress } from "#features/projects/site/hosting-fields.ts";
import type { ProjectRoutesDeps } from "#features/projects/routes.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { REMOTE_KINDS } from "#hosts/code-host.ts";
import type { HostApps } from "#hosts/remote/host-apps.ts";
import type { Database } from "#db/database.ts";
import { findConnectionState } from "#hosts/remote/connections.ts";
import { noteSubject } from "#kit/http/context.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { isSameSecret } from "#lib/secrets/secret.ts";
import { sendForbidden, sendNotFound } from "#kit/pages/problem-page.ts";
import { limitedForm, type PageStatus, sendPage } from "#kit/pages/send-page.ts";
import { tokenIn } from "#kit/pages/token-field.ts";
import { connectedPage, connectFailedPage, connectingPage } from "./connecting-page.ts";
import {
  type Entries,
  isDocsPlace,
  NEW_PROJECT_PATH,
  newProjectPage,
  type ListedApp,
  type DocsPlace,
  DOCS_PLACES,
  staysAtHost,
} from "./new-project-page.ts";
import { filesOfFolder, filesOfZip, MAX_UPLOAD_BYTES, UPLOAD_LIMIT } from "./uploaded-docs.ts";

export interface NewProjectRoutesDeps {
  database: Database;
  repoStore: RepoStore;
  clock: Clock;
  keysPerHour: number;
  operatorAccess: OperatorAccess;
  connecting: Connecting;
  hostApps: Pick<HostApps, "list" | "offers">;
  /** Folder of the example project. */
  exampleFolder: string;
  listProjects(): Promise<Project[]>;
  /** Starts a session of a project; returns a `Set-Cookie` value. */
  signIn(signedIn: KeyHolder): Promise<string>;
  projects: Pick<ProjectRoutesDeps, "admitSite">;
  siteUrl(slug: string): string;
}

const UNDER_WAY = `${NEW_PROJECT_PATH}/connecting`;
const MAX_FORM_BYTES = MAX_UPLOAD_BYTES + 64 * 1024;
const STATUS: Partial<Record<AppError["code"], PageStatus>> = {
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
  internal: 500,
};

/** `/-/new`: the ways to create a project, for owners of the instance and visitors with an operator's link. */
export function createNewProjectRoutes(deps: NewProjectRoutesDeps): Hono {
  const { operatorAccess, connecting } = deps;
  const routes = new Hono();
  const place = (session: Session | null) => session && instancePlace(session, "projects");

  // Accounts come first; that page links to what is possible without one.
  routes.get("/admin", async (c) => {
    if (c.req.query("pass") === undefined) return c.redirect(SETUP_PATH, 303);
    return operatorAccess.enter(c, { to: SETUP_PATH, hasOwner: await hasOwner(deps.database.kysely) });
  });
  // The former path of this page.
  routes.get("/admin/connect", (c) => c.redirect(`${NEW_PROJECT_PATH}?from=github`, 308));

  /** Includes installations, unless a repository is already selected. */
  async function listedApps(isChosen: boolean): Promise<ListedApp[]> {
    return Promise.all(
      (await deps.hostApps.list()).map(async (app) => {
        if (isChosen) return { app, installations: [], problem: null };
        try {
          return { app, installations: await deps.hostApps.offers(app.id), problem: null };
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          return { app, installations: [], problem: error.message };
        }
      }),
    );
  }

  type Opened = Extract<Awaited<ReturnType<OperatorAccess["open"]>>, { operator: object }>;
  async function view(
    { operator, session }: Opened,
    shown: { docsPlace: DocsPlace; entries: Entries; problem: string | null },
  ) {
    const isGithub = shown.docsPlace === "github";
    const projects = isGithub ? await deps.listProjects() : [];
    return newProjectPage({
      ...shown,
      instance: place(session),
      csrfToken: operator.csrfToken,
      apps: isGithub ? await listedApps(shown.entries.url !== "") : [],
      connected: new Map(projects.flatMap(({ sourceUrl, slug }) => (sourceUrl === null ? [] : [[sourceUrl, slug]]))),
    });
  }

  routes.get(NEW_PROJECT_PATH, async (c) => {
    const opened = await operatorAccess.open(c);
    if (opened.answer) return opened.answer;
    const { from = "", repository: url = "", name = "", branch = "", kind = "", site } = c.req.query();
    const entries = { url, name, branch, kind, externalSite: site ?? null };
    return sendPage(c, await view(opened, { docsPlace: isDocsPlace(from) ? from : "github", entries, problem: null }));
  });

  routes.post(
    `${NEW_PROJECT_PATH}/:from{${Object.keys(DOCS_PLACES).join("|")}}`,
    limitedForm(MAX_FORM_BYTES, async (c) => {
      const opened = await operatorAccess.open(c);
      if (opened.answer) return opened.answer;
      const problem = `The upload is too large: the files may have ${UPLOAD_LIMIT} together.`;
      const page = await view(opened, {
        docsPlace: c.req.param("from") as DocsPlace,
        entries: { name: "", url: "", kind: "", branch: "", externalSite: null },
        problem,
      });
      return sendPage(c, page, { status: 413 });
    }),
    async (c) => {
      const opened = await operatorAccess.open(c);
      if (opened.answer) return opened.answer;
      const form = await c.req.formData().catch(() => new FormData());
      if (!isSameSecret(textOf(form, "csrf"), opened.operator.csrfToken)) return sendForbidden(c);
      const docsPlace = c.req.param("from") as DocsPlace;
      const [name, url, kind, branch] = ["name", "url", "kind", "branch"].map((field) => textOf(form, field).trim());
      noteSubject(c, name!);
      const externalSite = chosenAddress((field) => textOf(form, field));
      const entries = { name: name!, url: url!, kind: kind!, branch: branch!, externalSite };
      try {
        refuseNoAddress(externalSite);
        const settings = externalSite === null ? {} : { externalSite: await deps.projects.admitSite(externalSite) };
        if (!staysAtHost(docsPlace) && docsPlace !== "git") {
          const files = await filesOf(deps, docsPlace, form);
          const project = await createProject(deps, {
            name: entries.name,
            source: null,
            branch: null,
            settings,
            ...(files && { files }),
          });
          return await welcome(c, opened.session, project);
        }
        const token = textOf(form, "token");
        const isByApp = docsPlace === "github" && token.trim() === "" && (await deps.hostApps.list()).length > 0;
        const id = await connecting.begin(
          { ...inputOf(entries), settings, copy: docsPlace === "git" },
          docsPlace === "git" || isByApp ? null : tokenIn(token),
        );
        const found = connecting.look(id);
        if (found?.stage !== "failed") return c.redirect(`${UNDER_WAY}/${docsPlace}/${id}`, 303);
        connecting.forget(id);
        throw found.error;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.retryAfterSeconds !== undefined) c.header("Retry-After", String(error.retryAfterSeconds));
        const page = await view(opened, { docsPlace, entries, problem: error.message });
        return sendPage(c, page, { status: STATUS[error.code] ?? 400 });
      }
    },
  );

  routes.get(`${UNDER_WAY}/:from/:id{req_[0-9a-z]{26}}`, async (c) => {
    const opened = await operatorAccess.open(c);
    if (opened.answer) return opened.answer;
    const { from, id } = c.req.param();
    const found = connecting.look(id);
    if (!found || !isDocsPlace(from)) return sendNotFound(c);
    const instance = place(opened.session);
    const { url, name, branch, kind, settings } = found.input;
    if (found.stage === "under_way") return sendPage(c, connectingPage({ instance, url, progress: found.progress }));
    if (found.stage === "failed") {
      const externalSite = settings?.externalSite ?? null;
      const entries = { url, name, branch: branch ?? "", kind: kind ?? "", externalSite };
      return sendPage(c, connectFailedPage({ instance, docsPlace: from, entries, problem: found.error.message }));
    }
    // Set before any await, so that only one of two requests creates the key.
    connecting.forget(id);
    return welcome(c, opened.session, found.project);
  });

  /** Redirects to the new project. The operator has no account, and gets the first key and a session with it. */
  async function welcome(c: Context, session: Session | null, project: Project) {
    const { slug, name, id: projectId } = project;
    if (session !== null) return c.redirect(`/${slug}`, 303);
    const made = await createApiKey(deps, { projectId, name: "first key", expiresInDays: 90 });
    c.header("Set-Cookie", await deps.signIn({ projectId, keyId: made.id }));
    const state = await findConnectionState(deps, projectId);
    const connection = state && (state.app === null ? "token" : "app");
    const page = connectedPage({ name, slug, siteUrl: publishedUrl(project, deps.siteUrl), key: made.key, connection });
    return sendPage(c, page, { isSecret: true });
  }
  return routes;
}

function inputOf({ name, url, kind, branch }: Entries): ConnectionInput {
  const found = REMOTE_KINDS.find((one) => one === kind) ?? null;
  if (found === null && kind !== "") throw new AppError("invalid", "Choose a host from the list.");
  return { name, url, kind: found, branch: branch === "" ? null : branch };
}

async function filesOf(
  { exampleFolder }: Pick<NewProjectRoutesDeps, "exampleFolder">,
  docsPlace: DocsPlace,
  form: FormData,
): Promise<Map<string, Uint8Array> | null> {
  if (docsPlace === "example") return filesIn(exampleFolder);
  if (docsPlace !== "upload") return null;
  const file = form.get("file");
  if (file instanceof File && file.size > 0) return filesOfZip(new Uint8Array(await file.arrayBuffer()));
  // A browser sends an empty file without a name for an empty file field.
  const folder = form.getAll("folder").filter((each) => each instanceof File && each.name !== "");
  if (folder.length === 0) throw new AppError("invalid", "Choose a folder or a ZIP file.");
  return filesOfFolder(folder as File[]);
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

async function filesIn(folder: string): Promise<Map<string, Uint8Array>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files.map(async (file) => [path.relative(folder, file).replaceAll("\\", "/"), await readFile(file)] as const),
    ),
  );
}
