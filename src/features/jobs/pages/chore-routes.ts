import { type Context, Hono } from "hono";
import type { CalledChore } from "#agent/toolbox/chore-calls.ts";
import type { TryChoresDeps } from "#features/jobs/chores/try-routes.ts";
import { addMessage, createJob } from "#features/jobs/requests/submit.ts";
import type { Job } from "#features/jobs/job.ts";
import { findJob } from "#features/jobs/jobs.ts";
import { askerOf, noteDoer } from "#features/keys/actor.ts";
import type { Member, ProjectAccess } from "#features/keys/page-access.ts";
import { idempotencyKey, onlyOnce } from "#kit/http/request-outcomes.ts";
import { limitedForm, type PageStatus, sendPage } from "#kit/pages/send-page.ts";
import { AppError } from "#lib/app-error.ts";
import { type JobId, newId } from "#lib/ids.ts";
import { choreInputs, choreOfForm } from "./chore-form.ts";
import { type ChorePage, chorePage, isChore } from "./chore-page.ts";
import { type NewJobDeps, refusalOf } from "./new-job.ts";

export interface ChoreRoutesDeps extends NewJobDeps {
  access: ProjectAccess;
  tryChores: TryChoresDeps["tryChores"];
  /** Chores in words, for people. */
  describeChores(chores: readonly CalledChore[]): string;
}

const MAX_FORM_BYTES = 512 * 1024;
const DEFAULT_CHORE = "replace_term";

/** `/{slug}/jobs/chores`: each chore as a form. */
export function createChoreRoutes(deps: ChoreRoutesDeps): Hono {
  const { access, submit } = deps;
  const routes = new Hono();

  const show = (
    c: Context,
    { place, session }: Member,
    { asked, trial, status = 200 }: { asked: Asked; trial: ChorePage["trial"]; status?: PageStatus },
  ) =>
    sendPage(
      c,
      chorePage({
        place,
        csrfToken: session.csrfToken,
        once: newId("req"),
        ...asked,
        inputs: choreInputs(asked.chore),
        trial,
      }),
      { status },
    );

  const read = async (field: (name: string) => string, { project }: Member): Promise<Asked> => {
    const job = await findJob(submit, { projectId: project.id, jobId: field("job") as JobId });
    return askedBy(field, job);
  };

  const attempt = async (c: Context, member: Member, asked: Asked) => {
    try {
      const chores = [choreOfForm(asked.chore, asked.given)];
      const ref = asked.job ? nextBase(asked.job) : asked.ref === "" ? member.project.branch : asked.ref;
      const trial = await deps.tryChores(member.project, { ref, chores, signal: c.req.raw.signal });
      return await show(c, member, { asked, trial });
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "internal") throw error;
      return show(c, member, { asked, trial: { problem: error.message } });
    }
  };

  /** Creates a job, or sends a follow-up to one. */
  const send = async ({ project, session }: Member, asked: Asked, sentOnce: string): Promise<Job> => {
    const chores = [choreOfForm(asked.chore, asked.given)];
    const message = { prompt: deps.describeChores(chores), chores, askedBy: await askerOf(submit.database, session) };
    const baseRef = asked.ref === "" ? project.branch : asked.ref;
    if (!asked.job && baseRef !== project.branch && (await deps.isMissingBranch(project, baseRef)))
      throw new AppError("invalid", `The repository has no branch "${baseRef}".`);
    const once = /^req_[0-9a-z]{26}$/.exec(sentOnce)?.[0] ?? newId("req");
    const key = idempotencyKey(project.id, `form ${once}`, { chores, baseRef, jobId: asked.job?.id });
    const model = deps.chooseModel(project, null);
    const { answer: job } = await onlyOnce(submit, key, {
      carryOut: async () =>
        asked.job
          ? (await addMessage(submit, { projectId: project.id, jobId: asked.job.id, ...message }, key)).job
          : (
              await createJob(
                submit,
                { projectId: project.id, ...message, model, baseRef, draft: false, title: null },
                key,
              )
            ).job,
      repeat: (jobId) => findJob(submit, { projectId: project.id, jobId: jobId as JobId }),
    });
    return job;
  };

  routes.get("/:slug/jobs/chores", async (c) => {
    const opened = await access.open(c, "agent");
    if (opened.answer) return opened.answer;
    const asked = await read((name) => c.req.query(name) ?? "", opened);
    return c.req.query("try") === "yes" ? attempt(c, opened, asked) : show(c, opened, { asked, trial: null });
  });

  routes.post("/:slug/jobs/chores", limitedForm(MAX_FORM_BYTES), async (c) => {
    const opened = await access.openForm(c, { signInTo: `/${c.req.param("slug")}/jobs/chores`, needs: "agent" });
    if (opened.answer) return opened.answer;
    const { project, field } = opened;
    const asked = await read(field, opened);
    if (field("do") === "try") {
      noteDoer(c, { doer: opened.session, projectId: project.id, action: "tryChores" });
      return attempt(c, opened, asked);
    }
    try {
      const job = await send(opened, asked, field("once"));
      return c.redirect(`/${opened.place.slug}/jobs/${job.id}`, 303);
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      return show(c, opened, { asked, trial: { problem: refusal.problem }, status: refusal.status });
    }
  });
  return routes;
}

type Asked = Pick<ChorePage, "chore" | "ref" | "given" | "job">;

function askedBy(field: (name: string) => string, job: Job | null): Asked {
  const named = field("chore");
  const chore = isChore(named) ? named : DEFAULT_CHORE;
  const given = Object.fromEntries(choreInputs(chore).map(({ name }) => [name, field(name)]));
  return { chore, ref: field("ref").trim(), given, job };
}

/** The branch that a follow-up starts from. */
const nextBase = ({ pullRequest, branch, baseRef }: Job): string =>
  (pullRequest?.state === "open" ? branch : null) ?? baseRef;
