import { composeCodeHosts } from "#app/code-hosts.ts";
import { createContext } from "#app/context.ts";
import { composeModels, composeSecrets } from "#app/models.ts";
import type { AgentJob } from "#client/answers.ts";
import { jobToJson } from "#features/jobs/http/job-json.ts";
import { MessageBody, NewJobBody } from "#features/jobs/http/schemas.ts";
import { findJobRange, listJobFiles, readJobPatch } from "#features/jobs/diff.ts";
import type { Job } from "#features/jobs/job.ts";
import { findAnyJob } from "#features/jobs/jobs.ts";
import { listJobs } from "#features/jobs/list.ts";
import { cancelJob } from "#features/jobs/requests/cancel.ts";
import { closeJob, mergeJob } from "#features/jobs/requests/pull-request-ends.ts";
import { addMessage, createJob } from "#features/jobs/requests/submit.ts";
import { followJob } from "#features/jobs/stream.ts";
import { eventToJson } from "#features/jobs/transcript.ts";
import { AppError } from "#lib/app-error.ts";
import type { JobId } from "#lib/ids.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import { projectCatalogue } from "#features/projects/project-models.ts";
import type { Project } from "#features/projects/project.ts";
import { findProject, requireProject } from "#features/projects/projects.ts";
import { openInstance, openVault, repositoryUrlOf } from "./open-instance.ts";
import type { JobActions } from "./places/jobs.ts";

/** Jobs of the store in a data directory, beside its server or without one; needs no key. */
export async function jobsInDirectory(
  options: { data?: string | undefined },
  named: string | null,
): Promise<JobActions> {
  await using stack = new AsyncDisposableStack();
  const instance = stack.use(await openInstance(options));
  const { config, repoStore, database } = instance;
  const vault = await openVault(instance);
  const secrets = composeSecrets(config, vault);
  const { redact } = secrets.instance;
  const submit = {
    ...instance,
    redact,
    redactFor: secrets.redactFor,
    agentCallsPerHour: config.limits.agentCallsPerHour,
  };
  const project = named === null ? null : await requireProject(instance, named);
  const codeHosts = () => composeCodeHosts(createContext(config, instance), { database, repoStore, vault });

  const ours = (): Project => {
    if (project) return project;
    throw new AppError("invalid", "Say the PROJECT.");
  };
  async function requireJob(id: string): Promise<{ job: Job; owner: Project }> {
    const job = await findAnyJob(instance, id as JobId);
    const owner = job && (await findProject(instance, job.projectId));
    if (!owner) throw new AppError("not_found", `There is no job "${id}".`);
    return { job, owner };
  }
  const toJson = (job: Job, owner: Project): AgentJob => jobToJson(job, repositoryUrlOf(instance, owner));

  const ending = (job: Job, owner: Project) => ({
    name: { projectId: owner.id, jobId: job.id },
    repository: hostedRepository(owner),
    head: null,
  });

  async function rangeOf(id: string) {
    const { job, owner } = await requireJob(id);
    const repository = hostedRepository(owner);
    const hosts = codeHosts();
    const deps = {
      ...instance,
      currentPullRequest: hosts.recentPullRequest,
      pullRequestRange: hosts.embedded.pullRequestRange,
    };
    return { repository, range: await findJobRange(deps, { job, repository }) };
  }

  const owned = stack.move();
  return {
    isServing: instance.isServing,
    async create(asked) {
      const owner = ours();
      const { prompt, model, ref, title, draft, dryRun } = checked(NewJobBody, asked, "job");
      if (ref !== undefined && (await repoStore.resolve(owner.id, `refs/heads/${ref}`)) === null) {
        throw new AppError("invalid", `The repository has no branch "${ref}".`);
      }
      const models = projectCatalogue({ models: composeModels(config), vault }, owner);
      const { job } = await createJob(
        submit,
        {
          projectId: owner.id,
          prompt,
          model: models.resolve(model ?? owner.settings.model ?? config.jobs.defaultModel).name,
          baseRef: ref ?? owner.branch,
          draft: draft ?? false,
          dryRun: dryRun ?? false,
          title: title ?? null,
        },
        null,
      );
      return toJson(job, owner);
    },
    async list({ statuses, limit }) {
      const { items } = await listJobs(instance, { projectId: ours().id, statuses, limit, cursor: null });
      return items.map((job) => toJson(job, ours()));
    },
    async find(id) {
      const { job, owner } = await requireJob(id);
      return toJson(job, owner);
    },
    async message(id, text) {
      const { job, owner } = await requireJob(id);
      const { prompt } = checked(MessageBody, { prompt: text }, "message");
      return toJson((await addMessage(submit, { projectId: owner.id, jobId: job.id, prompt })).job, owner);
    },
    async cancel(id, { keepWork }) {
      const { job, owner } = await requireJob(id);
      return toJson(await cancelJob(submit, { projectId: owner.id, jobId: job.id, keepWork }), owner);
    },
    async patch(id) {
      const { repository, range } = await rangeOf(id);
      return range === null ? "" : readJobPatch(instance, repository, range);
    },
    async changes(id) {
      const { repository, range } = await rangeOf(id);
      if (range === null) return { base: null, head: null, files: [], hasMore: false };
      const { files, hasMore } = await listJobFiles(instance, repository, range);
      return { ...range, files, hasMore };
    },
    async merge(id) {
      const { job, owner } = await requireJob(id);
      return toJson(await mergeJob({ submit, ...codeHosts() }, ending(job, owner)), owner);
    },
    async close(id) {
      const { job, owner } = await requireJob(id);
      return toJson(await closeJob({ submit, ...codeHosts() }, ending(job, owner)), owner);
    },
    async *follow(id, { after, signal }) {
      const { job } = await requireJob(id);
      const isAllowed = () => Promise.resolve(true); // whoever has the data directory needs no key
      for await (const item of followJob(instance, { jobId: job.id, after, isAllowed, signal })) {
        if (item.kind === "events")
          for (const event of item.events) yield { ...eventToJson(event), data: { ...event.data } };
      }
      signal.throwIfAborted();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** What a schema of the interface takes; `AppError invalid` in its words. */
function checked<T>(
  schema: {
    safeParse(
      value: unknown,
    ): { success: true; data: T } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
  },
  value: unknown,
  what: string,
): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError("invalid", `The ${issue?.path.join(".") || what} ${issue?.message ?? "is not valid"}.`);
}
