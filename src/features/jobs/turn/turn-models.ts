import type { CalledChore } from "#agent/toolbox/chore-calls.ts";
import { AppError } from "#lib/app-error.ts";
import type { ResolvedModel } from "#models/model.ts";
import { type Job, type JobError, jobError } from "#features/jobs/job.ts";
import type { Project } from "#features/projects/project.ts";

export interface ModelDeps {
  /** Throws `AppError invalid` for a model that cannot be used. */
  resolveModel(project: Project, name: string): ResolvedModel;
  /** Those that stand in for a model whose provider is away, in order. What a project or a job chose for itself only its own list replaces. */
  fallbackModels(project: Project, name: string): ResolvedModel[];
  /** What carries chores out in place of a model. */
  choreModel(project: Project, chores: readonly CalledChore[]): ResolvedModel;
}

type Models = readonly [ResolvedModel, ...ResolvedModel[]];

/** The one that was asked, and then the others. */
export const inOrder = (asked: ResolvedModel, all: Models): Models => [asked, ...all.filter((each) => each !== asked)];

/** The job's model and those that stand in for it. A model can be gone: its provider was taken out of the settings after the job was made. */
export function findModels(
  deps: ModelDeps,
  {
    project,
    job,
    chores,
  }: { project: Project; job: Pick<Job, "model" | "effort">; chores: readonly CalledChore[] | null },
): { ok: true; models: Models } | { ok: false; error: JobError } {
  if (chores) return { ok: true, models: [deps.choreModel(project, chores)] };
  try {
    const model = deps.resolveModel(project, job.model);
    if (model.isBuiltin) return { ok: true, models: [model] };
    const effort = job.effort ?? project.settings.effort;
    const asAsked = (each: ResolvedModel) => (effort === undefined ? each : { ...each, effort });
    return { ok: true, models: [asAsked(model), ...deps.fallbackModels(project, model.name).map(asAsked)] };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid") throw error;
    const hint = "Set the provider up again and send the message again, or create a job with another model.";
    return { ok: false, error: jobError("model_error", error.message, hint) };
  }
}
