import { countWorkers } from "#db/node-locks.ts";
import { createWorkerNotice } from "#features/jobs/queue/worker-notice.ts";
import { describeChores } from "#rules/chore-runner.ts";
import type { HostedRepository } from "#hosts/code-host.ts";
import { jobToJson } from "#features/jobs/http/job-json.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import { projectCatalogue } from "#features/projects/project-models.ts";
import type { Project } from "#features/projects/project.ts";
import { findProject } from "#features/projects/projects.ts";
import type { CodeHosts } from "./code-hosts.ts";
import type { Context } from "./context.ts";
import { composeModels, composeSecrets } from "./models.ts";
import type { Store } from "./store.ts";

export type Jobs = ReturnType<typeof composeJobs>;

/** Composes the operations on jobs, automations and webhooks; `startJobs` runs them. */
export function composeJobs(
  { config, logger, clock, version, address }: Context,
  parts: { store: Pick<Store, "database" | "vault" | "repoStore">; hosts: CodeHosts; outboundHttp: OutboundHttp },
) {
  const { outboundHttp, hosts } = parts;
  const { database, vault, repoStore } = parts.store;
  const models = composeModels(config);
  // Fails at startup for an unknown model, not in the first job.
  for (const name of [config.jobs.defaultModel, ...models.fallback]) models.resolve(name);
  const secrets = composeSecrets(config, vault);
  const { redact } = secrets.instance;
  const catalogueOf = (project: Project) => projectCatalogue({ models, vault }, project);

  /** Null if its host does not respond now: the caller uses the stored state. */
  const currentPullRequest = (repository: HostedRepository, number: number) =>
    hosts.recentPullRequest(repository, number).catch((error: unknown) => {
      if (error instanceof AppError) return null;
      throw error;
    });

  const requests = {
    withNotice: createWorkerNotice({
      clock,
      countWorkers: () => countWorkers(database),
    }),
    submit: {
      database,
      clock,
      vault,
      redact,
      redactFor: secrets.redactFor,
      agentCallsPerHour: config.limits.agentCallsPerHour,
      jobsPerDay: config.quotas.jobsPerDay,
    },
    findProject: (id: ProjectId) => findProject({ database }, id),
    repositoryUrl: (project: Project) => hosts.codeHost.repositoryUrl(hostedRepository(project)),
    chooseModel: (project: Project, asked: string | null) =>
      catalogueOf(project).resolve(asked ?? project.settings.model ?? config.jobs.defaultModel).name,
    describeChores,
    listModels: (project: Project) => catalogueOf(project).list(),
    listBranches: async (project: Project) => (await repoStore.branches(project.id)).map(({ name }) => name),
    // A branch that was mirrored before is checked at its host when the job runs.
    isMissingBranch: async (project: Project, branch: string) =>
      (await repoStore.resolve(project.id, `refs/heads/${branch}`)) === null &&
      (await hosts.codeHost.fetchBranch(hostedRepository(project), branch)) === null,
    codeHost: hosts.codeHost,
    currentPullRequest: (project: Project, number: number) => currentPullRequest(hostedRepository(project), number),
  };
  const automations = { ...requests, repoStore };
  const webhooks = { database, clock, vault, outboundHttp };
  const chat = { outboundHttp, userAgent: `Docent/${version}` };
  const outbox = {
    ...webhooks,
    logger,
    random: Math.random,
    redactFor: secrets.redactFor,
    userAgent: `Docent/${version}`,
    describeProject: async (id: ProjectId) => {
      const project = await requests.findProject(id);
      return project && { name: project.name, url: `${address.baseUrl()}/${project.slug}` };
    },
    presentJob: async (job: Parameters<typeof jobToJson>[0]) => {
      const project = await requests.findProject(job.projectId);
      return jobToJson(job, project ? requests.repositoryUrl(project) : "");
    },
  };

  return { requests, currentPullRequest, automations, webhooks, chat, outbox, secrets, catalogueOf };
}
