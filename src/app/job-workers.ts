import { AppError } from "#lib/app-error.ts";
import { createCircuitBreaker } from "#models/circuit-breaker.ts";
import { reachHost } from "#hosts/remote/reach-host.ts";
import { type CalledChore, choreNames } from "#agent/toolbox/chore-calls.ts";
import { BUILTIN_RULES } from "#models/model.ts";
import { choresIn, createChoreRunner } from "#rules/chore-runner.ts";
import { createTrials } from "#features/jobs/chores/try-chores.ts";
import { suggestChores } from "#features/jobs/chores/suggest-chores.ts";
import type { TryChoresDeps } from "#features/jobs/chores/try-routes.ts";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createLinkCache } from "#docs/links/parsed-file.ts";
import type { TurnViewDeps } from "#features/jobs/turn/turn-view.ts";
import { renderFile } from "#docs/render/render-file.ts";
import { type AddApiPages, createPageHeads } from "#docs/tree/page-tree.ts";
import type { MarkdownParser } from "#docs/parser.ts";
import type { ReadApi } from "#tools/tool.ts";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { startAutomations } from "#features/jobs/automations/automation-triggers.ts";
import { startCommentWorker } from "#features/jobs/comments/comment-worker.ts";
import { startDeadWorkerCheck } from "#features/jobs/worker/dead-workers.ts";
import { runTurn, type RunTurnDeps } from "#features/jobs/worker/run-turn.ts";
import { startSweeper } from "#features/jobs/requests/sweeper.ts";
import { startOutbox } from "#features/webhooks/webhook-worker.ts";
import { turnEnds } from "#features/jobs/turn/finish-turn.ts";
import type { Logger } from "#lib/logger.ts";
import { jobRuns, startWorker } from "#features/jobs/worker/worker.ts";
import { createAddApiPages } from "#docs/api/pages/add-api-pages.ts";
import type { PreviewLinks } from "#features/sites/preview-links.ts";
import type { KeptAddresses } from "#features/sites/site-versions.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import type { OutboundHttp } from "#lib/network/outbound-http.ts";
import { createWebReader } from "#tools/web/web-reader.ts";
import { isApiHost } from "#features/projects/site/api-hosts.ts";
import type { Project } from "#features/projects/project.ts";
import { findProject } from "#features/projects/projects.ts";
import type { CodeHosts } from "./code-hosts.ts";
import type { Context } from "./context.ts";
import type { Jobs } from "./jobs.ts";
import type { Store } from "./store.ts";

interface JobWorkerParts {
  jobs: Jobs;
  store: Store;
  hosts: CodeHosts;
  content: MarkdownParser & Pick<ContentProcess, "parserFor" | "readApi" | "render" | "apiDocuments">;
  previewLinks: PreviewLinks;
  addresses: Pick<KeptAddresses, "of">;
}

/** Starts all background work on jobs. Disposing releases the claims that it holds. */
export function startJobs(context: Context, parts: JobWorkerParts & { turns: Turns }): AsyncDisposable {
  const { config, logger, clock, address, own } = context;
  const { jobs, hosts } = parts;
  const { database, vault, time } = parts.store;
  const { requests } = jobs;
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

  const stack = new AsyncDisposableStack();
  stack.use(logJobRuns(logger));
  own(stack, "webhooks", startOutbox(jobs.outbox));
  own(stack, "automations", startAutomations({ ...jobs.automations, logger }));
  own(stack, "comments", startCommentWorker(comments));
  own(
    stack,
    "sweeper",
    startSweeper({
      ...jobs.outbox,
      time,
      redact: jobs.secrets.instance.redact,
      deliveryDays: config.retention.deliveryDays,
    }),
  );
  if (database.engine === "postgres") own(stack, "dead workers", startDeadWorkerCheck({ database, clock, logger }));
  own(stack, "worker", startWorker(parts.turns, config.jobs));
  return stack;
}

/** Logs one line when a worker releases a job: the outcome of the message, or that it waits for a retry. */
function logJobRuns(logger: Logger): Disposable {
  const stack = new DisposableStack();
  const results = new Map<JobId, string>();
  stack.use(turnEnds.subscribe(({ jobId, result }) => results.set(jobId, result)));
  stack.use(
    jobRuns.subscribe(({ jobId, waitedSeconds, seconds, ...fields }) => {
      const result = results.get(jobId) ?? "released";
      results.delete(jobId);
      const waitedMs = waitedSeconds === null ? null : Math.round(waitedSeconds * 1_000);
      logger.info({ ...fields, jobId, result, ms: Math.round(seconds * 1_000), waitedMs }, "job run ended");
    }),
  );
  return stack;
}

export type Turns = ReturnType<typeof composeTurns>;

/** Composes the dependencies of turns and of chore trials. */
export function composeTurns(
  { config, logger, clock, address, version }: Context,
  parts: JobWorkerParts & { outboundHttp: OutboundHttp },
) {
  const { store, hosts, content, previewLinks, addresses, outboundHttp } = parts;
  const { secrets, catalogueOf } = parts.jobs;
  const { database, repoStore, vault } = store;
  const caches = { heads: createPageHeads(), links: createLinkCache() };
  const deps = {
    database,
    clock,
    logger,
    redact: secrets.instance.redact,
    breaker: createCircuitBreaker({ clock }),
    vault,
    repoStore,
    codeHost: hosts.codeHost,
    parser: content,
    tools: createAgentTools(caches),
    resolveModel: (project: Project, name: string) => catalogueOf(project).resolve(name),
    fallbackModels(project: Project, name: string) {
      const catalogue = catalogueOf(project);
      // The docs are not sent to a provider that neither the project nor the server chose for such jobs.
      const isOwn = (project.settings.models as { fallback?: unknown } | undefined)?.fallback !== undefined;
      if (!isOwn && name !== config.jobs.defaultModel) return [];
      return catalogue.fallback.flatMap((name) => {
        try {
          return [catalogue.resolve(name)];
        } catch (error) {
          // The project may not be allowed to use the instance's fallback.
          if (error instanceof AppError && error.code === "invalid") return [];
          throw error;
        }
      });
    },
    choreModel: (project: Project, chores: readonly CalledChore[]) => ({
      ...catalogueOf(project).resolve(BUILTIN_RULES),
      model: createChoreRunner(chores),
    }),
    webReader: ({ settings: { webHosts = [] } }: Project) =>
      webHosts.length === 0
        ? undefined
        : createWebReader(
            { outboundHttp, userAgent: `Docent/${version}` },
            { hosts: webHosts, isAllowed: (url) => isApiHost(webHosts, url) },
          ),
    reviewUrl: ({ slug }: Project, jobId: JobId) => `${address.baseUrl()}/${slug}/jobs/${jobId}/review`,
    previewUrl: ({ id, slug }: Project, number: number) => previewLinks.link({ projectId: id, slug, number }),
    limits: config.jobs.limits,
    gate: { parser: content, findSecrets: secrets.instance.findSecrets, linkCache: caches.links, heads: caches.heads },
  };
  const trials = createTrials();
  const depsOf = (project: Project) => {
    const { redact, findSecrets } = secrets.scannerOf(project);
    const parser = content.parserFor(project.id);
    const addApiPages: AddApiPages = async (site) => {
      const kept = await addresses.of(project.id);
      return createAddApiPages(content.apiDocuments, project.id, { addresses: kept })(site);
    };
    const readApi: ReadApi = (path, read) => content.readApi({ path, owner: project.id, read });
    const renderPage: TurnViewDeps["renderPage"] = (page) =>
      renderFile((input) => content.render(input), { owner: project.id, ...page });
    const gate = { ...deps.gate, parser, findSecrets, addApiPages, render: renderPage };
    return { ...deps, parser, readApi, redact, renderPage, gate };
  };
  return {
    ...deps,
    findProject: (id: ProjectId) => findProject({ database }, id),
    runTurn(turn: Parameters<typeof runTurn>[1]) {
      const own = depsOf(turn.project);
      const suggest: RunTurnDeps["suggestChores"] = (project, refused) =>
        suggestChores(
          {
            ...own,
            readChores: (sentence) => choresIn(sentence, choreNames),
            tryChores: (trial) => trials(own, { project, ...trial }),
          },
          { project, ...refused },
        );
      return runTurn({ ...own, suggestChores: suggest }, turn);
    },
    tryChores: ((project, trial) =>
      trials(depsOf(project), { project, ...trial })) satisfies TryChoresDeps["tryChores"],
  };
}
