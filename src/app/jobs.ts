import type { HostedRepository } from "#hosts/code-host.ts";
import { reachHost } from "#hosts/remote/reach-host.ts";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createLinkCache } from "#docs/links/parsed-file.ts";
import type { GateDeps } from "#agent/gate/gate.ts";
import { renderFile } from "#docs/render/render-file.ts";
import { type AddApiPages, createPageHeads } from "#docs/page-tree.ts";
import type { MarkdownParser } from "#docs/parser.ts";
import type { ReadApi } from "#tools/tool.ts";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { jobToJson } from "#features/jobs/http/job-json.ts";
import { startAutomations } from "#features/jobs/automations/automation-triggers.ts";
import { startCommentWorker } from "#features/jobs/comments/comment-worker.ts";
import { runTurn } from "#features/jobs/worker/run-turn.ts";
import { startSweeper } from "#features/jobs/requests/sweeper.ts";
import { startOutbox } from "#features/webhooks/webhook-worker.ts";
import { startWorker } from "#features/jobs/worker/worker.ts";
import { AppError } from "#lib/app-error.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import { projectCatalogue } from "#features/projects/project-models.ts";
import { createAddApiPages } from "#docs/api/add-api-pages.ts";
import { noAddresses } from "#docs/api/api-addresses.ts";
import type { Project } from "#features/projects/project.ts";
import { findProject } from "#features/projects/projects.ts";
import type { PreviewLinks } from "#features/sites/preview-links.ts";
import type { KeptAddresses } from "#features/sites/site-versions.ts";
import type { CodeHosts } from "./code-hosts.ts";
import type { Context } from "./context.ts";
import { composeModels, composeSecrets } from "./models.ts";
import type { Store } from "./store.ts";

interface JobParts {
  store: Store;
  hosts: CodeHosts;
  content: MarkdownParser & Pick<ContentProcess, "parserFor" | "readApi" | "render" | "apiDocuments">;
  previewLinks: PreviewLinks;
  outboundHttp: OutboundHttp;
  /** Absent: no description at an address is read. */
  addresses?: Pick<KeptAddresses, "of">;
}

export type Jobs = ReturnType<typeof composeJobs>;

/** Jobs as the interface and the dashboard ask for them, and what carries them out. */
export function composeJobs(context: Context, parts: JobParts) {
  const { config, logger, clock, address, version, own } = context;
  const { outboundHttp, hosts } = parts;
  const { database, vault, time, repoStore } = parts.store;
  const models = composeModels(config);
  models.resolve(config.jobs.defaultModel); // a wrong default shows at the start, not in the first job
  const secrets = composeSecrets(config, vault);
  const { redact } = secrets.instance;
  const catalogueOf = (project: Project) => projectCatalogue({ models, vault }, project);

  /** Null when its host cannot tell now: what is stored of it holds then. */
  const currentPullRequest = (repository: HostedRepository, number: number) =>
    hosts.recentPullRequest(repository, number).catch((error: unknown) => {
      if (error instanceof AppError) return null;
      throw error;
    });

  const requests = {
    submit: {
      database,
      clock,
      redact,
      redactFor: secrets.redactFor,
      agentCallsPerHour: config.limits.agentCallsPerHour,
    },
    findProject: (id: ProjectId) => findProject({ database }, id),
    repositoryUrl: (project: Project) => hosts.codeHost.repositoryUrl(hostedRepository(project)),
    chooseModel: (project: Project, asked: string | null) =>
      catalogueOf(project).resolve(asked ?? project.settings.model ?? config.jobs.defaultModel).name,
    listModels: (project: Project) => catalogueOf(project).list(),
    listBranches: async (project: Project) => (await repoStore.branches(project.id)).map(({ name }) => name),
    // One that was seen once is looked for at its host when the job is worked on.
    isMissingBranch: async (project: Project, branch: string) =>
      (await repoStore.resolve(project.id, `refs/heads/${branch}`)) === null &&
      (await hosts.codeHost.fetchBranch(hostedRepository(project), branch)) === null,
    codeHost: hosts.codeHost,
    currentPullRequest: (project: Project, number: number) => currentPullRequest(hostedRepository(project), number),
  };
  const automations = { ...requests, repoStore };
  const webhooks = { database, clock, vault, outboundHttp };
  const outbox = {
    ...webhooks,
    logger,
    random: Math.random,
    redactFor: secrets.redactFor,
    userAgent: `Docent/${version}`,
    presentJob: async (job: Parameters<typeof jobToJson>[0]) => {
      const project = await requests.findProject(job.projectId);
      return jobToJson(job, project ? requests.repositoryUrl(project) : "");
    },
  };

  const comments = {
    leaseMs: 4 * config.jobs.leaseMs,
    submit: requests.submit,
    logger,
    markKey: vault.keyFor("answers"),
    reach: (projectId: ProjectId, signal: AbortSignal) => reachHost(hosts.remote, projectId, signal),
    jobUrl: async (projectId: ProjectId, jobId: JobId) => {
      const project = await requests.findProject(projectId);
      return project && `${address.baseUrl()}/${project.slug}/jobs/${jobId}`;
    },
  };

  /** Everything that works on jobs in the background; what is disposed gives back what it holds. */
  function start(): AsyncDisposable {
    const stack = new AsyncDisposableStack();
    own(stack, "webhooks", startOutbox(outbox));
    own(stack, "automations", startAutomations({ ...automations, logger }));
    own(stack, "comments", startCommentWorker(comments));
    own(stack, "sweeper", startSweeper({ database, clock, time, redact, logger }));
    own(stack, "worker", startWorker(composeTurns(context, { ...parts, secrets, catalogueOf }), config.jobs));
    return stack;
  }
  return { requests, currentPullRequest, automations, webhooks, outbox, start };
}

/** What a worker carries turns out with. */
function composeTurns(
  { config, logger, clock }: Context,
  {
    store,
    hosts,
    content,
    previewLinks,
    secrets,
    catalogueOf,
    addresses: kept,
  }: JobParts & {
    secrets: ReturnType<typeof composeSecrets>;
    catalogueOf(project: Project): ReturnType<typeof projectCatalogue>;
  },
) {
  const { database, repoStore, vault } = store;
  const caches = { heads: createPageHeads(), links: createLinkCache() };
  const deps = {
    database,
    clock,
    logger,
    redact: secrets.instance.redact,
    vault,
    repoStore,
    codeHost: hosts.codeHost,
    parser: content,
    tools: createAgentTools(caches),
    resolveModel: (project: Project, name: string) => catalogueOf(project).resolve(name),
    previewUrl: ({ id, slug }: Project, number: number) => previewLinks.link({ projectId: id, slug, number }),
    limits: config.jobs.limits,
    gate: { parser: content, findSecrets: secrets.instance.findSecrets, linkCache: caches.links, heads: caches.heads },
  };
  return {
    ...deps,
    findProject: (id: ProjectId) => findProject({ database }, id),
    runTurn(turn: Parameters<typeof runTurn>[1]) {
      const { redact, findSecrets } = secrets.scannerOf(turn.project);
      const parser = content.parserFor(turn.project.id);
      const addApiPages: AddApiPages = async (site) => {
        const addresses = (await kept?.of(turn.project.id)) ?? noAddresses;
        return createAddApiPages(content.apiDocuments, turn.project.id, { addresses })(site);
      };
      const readApi: ReadApi = (path, read) => content.readApi({ path, owner: turn.project.id, read });
      const render: GateDeps["render"] = (page) =>
        renderFile((input) => content.render(input), { owner: turn.project.id, ...page });
      return runTurn(
        { ...deps, parser, readApi, redact, gate: { ...deps.gate, parser, findSecrets, addApiPages, render } },
        turn,
      );
    },
  };
}
