import { type Context, Hono } from "hono";
import { AppError } from "#lib/app-error.ts";
import type { Level } from "#kit/levels.ts";
import type { Html } from "./markup.ts";
import type { Refused } from "./post-form.ts";
import { limitedForm, type PageStatus, sendPage } from "./send-page.ts";

type Refusal = { answer: Response | Promise<Response> };
type Field = { field(name: string): string };
/** The input of an action: who sent the form, its fields and the parameters of its path. */
export type Sent<Who> = Who & Field & { param(name: string): string };

/** Admits people who may see a page or send its forms, or responds for them. */
interface FormAccess<Who> {
  open(c: Context, needs: Level): Promise<(Who & { answer?: never }) | Refusal>;
  openForm(
    c: Context,
    options: { signInTo: string; needs: Level },
  ): Promise<(Who & Field & { answer?: never }) | Refusal>;
}

/** How a page is shown: fresh, after a form succeeded, or again with the form that was refused. */
export interface Shown<Made> {
  /** What the form just did. */
  notice: string | null;
  refused: Refused | null;
  /** A result that is shown in this response only, such as a secret. */
  made: Made | null;
}

export interface FormAction<Who, Made> {
  needs: Level;
  /** The message on the page after success. */
  notice?: string;
  /** Returns a result or message that is shown once, where the browser goes next, or null for the page that has the form. */
  run(sent: Sent<Who>, c: Context): Promise<{ made: Made; status?: 200 } | { notice: string } | { to: string } | null>;
}

// An instruction of 32,000 characters, or two of a project: a form encodes a character in up to 9 bytes.
const MAX_FORM_BYTES = 512 * 1024;

/** Statuses of the errors that are shown on the form's page, which keeps the entered values. */
export const FORM_STATUSES: Readonly<Partial<Record<AppError["code"], PageStatus>>> = {
  invalid: 400,
  forbidden: 400,
  not_found: 409, // removed meanwhile, in another window
  conflict: 409,
  too_large: 413,
  precondition_failed: 409,
  rate_limited: 429,
  unavailable: 503,
};

/**
 * Pages below `/{slug}/` and their forms. A form is sent to `PAGE/ACTION`, or `PAGE/ID/ACTION` for a thing without a
 * page of its own. An error is shown on the form's page, which keeps the entered values.
 */
export function formPages<Who extends object, Made>(deps: {
  access: FormAccess<Who>;
  pages: Readonly<Record<string, Level>>;
  /** Keyed by the path below the slug. */
  actions: Readonly<Record<string, FormAction<Who, Made>>>;
  show(member: Who, shown: Shown<Made>, c: Context): Promise<Html>;
}): Hono {
  const { access, actions, show } = deps;
  const routes = new Hono();
  const send = async (c: Context, member: Who, shown: Shown<Made>, status: PageStatus = 200) => {
    return sendPage(c, await show(member, shown, c), { status, isSecret: shown.made !== null });
  };

  for (const [path, needs] of Object.entries(deps.pages)) {
    routes.get(`/:slug/${path}`, async (c) => {
      const opened = await access.open(c, needs);
      if (opened.answer) return opened.answer;
      const done = Object.entries(actions).find(([known]) => lastOf(known) === c.req.query("done"));
      return send(c, opened, { notice: done?.[1].notice ?? null, refused: null, made: null });
    });
  }
  for (const [path, { needs, run }] of Object.entries(actions)) {
    const parent = path.slice(0, path.lastIndexOf("/"));
    const depth = parent in deps.pages ? parent.split("/").length : 1;
    routes.post(`/:slug/${path}`, limitedForm(MAX_FORM_BYTES), async (c) => {
      const page = c.req.path.split("/", depth + 2).join("/");
      const opened = await access.openForm(c, { signInTo: page, needs });
      if (opened.answer) return opened.answer;
      try {
        const done = await run({ ...opened, param: (name) => c.req.param(name) ?? "" }, c);
        if (done === null) return c.redirect(`${page}?done=${lastOf(path)}`, 303);
        if ("to" in done) return c.redirect(done.to, 303);
        if ("notice" in done) return await send(c, opened, { notice: done.notice, refused: null, made: null });
        return await send(c, opened, { notice: null, refused: null, made: done.made }, done.status ?? 201);
      } catch (error) {
        const status = error instanceof AppError ? FORM_STATUSES[error.code] : undefined;
        if (!(error instanceof AppError) || status === undefined) throw error;
        if (error.retryAfterSeconds) c.header("Retry-After", String(error.retryAfterSeconds));
        const refused = { action: lastOf(path), problem: error.message, field: opened.field };
        return send(c, opened, { notice: null, refused, made: null }, status);
      }
    });
  }
  return routes;
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
