import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Context, Hono } from "hono";
import type { Database } from "#db/database.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { OperatorAccess } from "#features/keys/operator-access.ts";
import { instancePlace } from "#features/keys/person-access.ts";
import type { Session } from "#features/keys/sessions.ts";
import type { Connecting } from "#features/projects/connecting.ts";
import { createProject } from "#features/projects/projects.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { isSameSecret } from "#lib/secrets/secret.ts";
import { sendForbidden } from "#kit/pages/problem-page.ts";
import { limitedForm, type PageStatus, sendPage } from "#kit/pages/send-page.ts";
import { CONNECT_PATH } from "./new-project-page.ts";
import { type Start, START_PATH, STARTS, startPage } from "./start-page.ts";
import { filesOfZip, MAX_UPLOAD_BYTES } from "./uploaded-docs.ts";

export interface StartRoutesDeps {
  database: Database;
  repoStore: RepoStore;
  clock: Clock;
  operatorAccess: OperatorAccess;
  connecting: Connecting;
  /** Folder of the example project. */
  exampleFolder: string;
}

const MAX_FORM_BYTES = MAX_UPLOAD_BYTES + 64 * 1024;
const STATUS: Partial<Record<AppError["code"], PageStatus>> = { conflict: 409, rate_limited: 429, unavailable: 503 };

/** `/-/new`: the ways to a new project, for owners of the instance and who came by a link of the operator. */
export function createStartRoutes(deps: StartRoutesDeps): Hono {
  const { operatorAccess, connecting } = deps;
  const routes = new Hono();

  const place = (session: Session | null) => session && instancePlace(session, "projects");

  routes.get(START_PATH, async (c) => {
    const opened = await operatorAccess.open(c);
    if (opened.answer) return opened.answer;
    const { operator, session } = opened;
    return sendPage(c, startPage({ instance: place(session), csrfToken: operator.csrfToken, refused: null }));
  });

  async function begin(c: Context, start: Start, form: FormData, name: string): Promise<string> {
    if (start === "copy") {
      const wish = { name, url: textOf(form, "url").trim(), kind: null, branch: null, copy: true };
      const id = await connecting.begin(wish, null);
      const found = connecting.look(id);
      if (found?.stage !== "failed") return `${CONNECT_PATH}/${id}`;
      connecting.forget(id);
      throw found.error;
    }
    const files = await filesOf(start, form);
    const project = await createProject(deps, { name, source: null, branch: null, ...(files && { files }) });
    return `/${project.slug}`;
  }

  async function filesOf(start: Start, form: FormData): Promise<Map<string, Uint8Array> | null> {
    if (start === "example") return filesIn(deps.exampleFolder);
    if (start !== "upload") return null;
    const file = form.get("file");
    if (!(file instanceof File) || file.size === 0) throw new AppError("invalid", "Choose a ZIP file.");
    return filesOfZip(new Uint8Array(await file.arrayBuffer()));
  }

  routes.post(`${START_PATH}/:start{${STARTS.join("|")}}`, limitedForm(MAX_FORM_BYTES), async (c) => {
    const opened = await operatorAccess.open(c);
    if (opened.answer) return opened.answer;
    const { operator, session } = opened;
    const form = await c.req.formData().catch(() => new FormData());
    if (!isSameSecret(textOf(form, "csrf"), operator.csrfToken)) return sendForbidden(c);
    const start = c.req.param("start") as Start;
    const name = textOf(form, "name").trim();
    try {
      return c.redirect(await begin(c, start, form, name), 303);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "internal") throw error;
      if (error.retryAfterSeconds !== undefined) c.header("Retry-After", String(error.retryAfterSeconds));
      const refused = { start, name, url: textOf(form, "url"), problem: error.message };
      const page = startPage({ instance: place(session), csrfToken: operator.csrfToken, refused });
      return sendPage(c, page, { status: STATUS[error.code] ?? 400 });
    }
  });
  return routes;
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
