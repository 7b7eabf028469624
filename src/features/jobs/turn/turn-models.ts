import type { CalledChore } from "#agent/toolbox/chore-calls.ts";
import { AppError } from "#lib/app-error.ts";
import type { ResolvedModel } from "#models/model.ts";
import { type Job, type JobError, jobError } from "#features/jobs/job.ts";
import type { Project } from "#features/projects/project.ts";

export interface ModelDeps {
  /** Throws `AppError invalid` for a model that cannot be used. */
  resolveModel(project: Project, name: string): ResolvedModel;
  /** The stand-ins for a model whose provider is away, in order. A project's or job's own choice has only its own stand-ins. */
  fallbackModels(project: Project, name: string): ResolvedModel[];
  /** Carries out chores instead of a language model. */
  choreModel(project: Project, chores: readonly CalledChore[]): ResolvedModel;
}

type Models = readonly [ResolvedModel, ...ResolvedModel[]];

/** The model that was called, then the others. */
export const inOrder = (called: ResolvedModel, all: Models): Models => [
  called,
  ...all.filter((each) => each !== called),
];

/** The job's model and its stand-ins. Fails when the model's provider was removed from the settings after the job was created. */
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
    const withEffort = (each: ResolvedModel) => (effort === undefined ? each : { ...each, effort });
    return { ok: true, models: [withEffort(model), ...deps.fallbackModels(project, model.name).map(withEffort)] };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid") throw error;
    const hint = "Set the provider up again and send the message again, or create a job with another model.";
    return { ok: false, error: jobError("model_error", error.message, hint) };
  }
}
