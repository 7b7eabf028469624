import type { Project } from "#projects/project.ts";
import { idempotencyKey } from "#jobs/idempotency.ts";
import { createJob, type NewJob, type SubmitDeps } from "#jobs/submit.ts";
import { findComplaint, lineRules, MAX_TITLE_CHARACTERS, PROMPT_RULES } from "#jobs/text-rules.ts";
import type { Job } from "#jobs/job.ts";
import { AppError } from "#lib/app-error.ts";
import { newId } from "#lib/ids.ts";
import type { Member } from "./project-access.ts";
import type { NewJobForm } from "./new-job-form.ts";
import type { PageStatus } from "./send-page.ts";

export interface NewJobDeps {
  submit: SubmitDeps;
  /** The model that a job will use; `AppError invalid` when the project's cannot be used. */
  chooseModel(project: Project, asked: string | null): string;
}

/** What a form for a new job shows; `refused` brings back what was sent. */
export function newJobFormOf(
  { chooseModel }: NewJobDeps,
  { project, place, session }: Member,
  refused: NewJobForm["refused"] = null,
): NewJobForm {
  let model: string | null = null;
  try {
    model = chooseModel(project, null);
  } catch (error) {
    if (!(error instanceof AppError)) throw error; // told when the form is sent
  }
  return { place, csrfToken: session.csrfToken, once: newId("req"), model, branch: project.branch, refused };
}

export function promptProblem(prompt: string): string | null {
  const complaint = findComplaint(PROMPT_RULES, prompt);
  return complaint && `The instruction ${complaint}.`;
}

/** Why something that a person asked for was not done, with the status to say it with; null for our own faults. */
export function refusalOf(
  error: unknown,
): { problem: string; status: PageStatus; retryAfterSeconds: number | null } | null {
  if (!(error instanceof AppError)) return null;
  const retryAfterSeconds = error.retryAfterSeconds ?? null;
  if (error.code === "invalid") return { problem: error.message, status: 400, retryAfterSeconds };
  if (error.code === "conflict") return { problem: error.message, status: 409, retryAfterSeconds };
  if (error.code !== "rate_limited") return null;
  const minutes = Math.max(1, Math.ceil((retryAfterSeconds ?? 0) / 60));
  const problem = `This project has used its jobs and messages for the hour. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
  return { problem, status: 429, retryAfterSeconds };
}

/** Makes a job of a form, once however often the form is sent. `AppError invalid`, `rate_limited`. */
export async function submitNewJob(
  { submit, chooseModel }: NewJobDeps,
  { project, field }: Member & { field(name: string): string },
): Promise<Job> {
  const prompt = field("prompt");
  const title = field("title").trim();
  const problem = promptProblem(prompt) ?? titleProblem(title);
  if (problem !== null) throw new AppError("invalid", problem);
  const request: NewJob = {
    projectId: project.id,
    prompt,
    model: chooseModel(project, null),
    baseRef: project.branch,
    draft: false,
    title: title === "" ? null : title,
  };
  const once = /^req_[0-9a-z]{26}$/.exec(field("once"))?.[0];
  try {
    return (
      await createJob(
        submit,
        request,
        once === undefined ? null : idempotencyKey(project.id, `form ${once}`, { prompt, title }),
      )
    ).job;
  } catch (error) {
    // Sent before, then gone back to and changed: that is another job.
    const isOther = error instanceof AppError && (error.code === "idempotency_mismatch" || error.code === "conflict");
    if (!isOther) throw error;
    return (await createJob(submit, request, null)).job;
  }
}

function titleProblem(title: string): string | null {
  const complaint = title === "" ? null : findComplaint(lineRules(MAX_TITLE_CHARACTERS), title);
  return complaint && `The title ${complaint}.`;
}
