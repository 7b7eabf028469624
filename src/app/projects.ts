import { askForSync } from "#hosts/remote/connections.ts";
import { removeHostWebhook } from "#hosts/remote/webhook-upkeep.ts";
import type { ProjectConnectionDeps } from "#features/connections/routes.ts";
import type { ProjectRoutesDeps } from "#features/projects/routes.ts";
import type { SourceRoutesDeps } from "#features/sources/routes.ts";
import { replaceSourceToken } from "#hosts/sources/add-source.ts";
import { removeSource } from "#hosts/sources/sources.ts";
import type { Database } from "#db/database.ts";
import { AppError, errorText } from "#lib/app-error.ts";
import { changedSettings, changeProject } from "#features/projects/change-project.ts";
import { replaceProjectToken } from "#features/projects/connect-project.ts";
import { deleteProject } from "./delete-project.ts";
import { describeProject } from "#features/projects/describe-project.ts";
import { normaliseDomain } from "#features/projects/site/domain-name.ts";
import { admitExternalSite } from "#features/projects/site/external-site.ts";
import type { DomainProof } from "#features/projects/site/domain-proof.ts";
import type { Project } from "#features/projects/project.ts";
import { refuseQuotasOf } from "#features/projects/quotas.ts";
import { siteAddressOf } from "#features/sites/site-project.ts";
import type { CodeHosts } from "./code-hosts.ts";
import type { Context } from "./context.ts";
import type { Deployments } from "./deployments.ts";
import type { Jobs } from "./jobs.ts";
import type { Store } from "./store.ts";

export interface ProjectParts {
  store: Store;
  hosts: CodeHosts;
  jobs: Pick<Jobs, "requests">;
  deployments: {
    branches: Pick<Deployments["branches"], "require">;
    watch: Pick<Deployments["watch"], "refresh">;
  };
  domainProof: DomainProof;
  /** Whether the DNS rate limit admits another query for this project. */
  admitsProof(projectId: string): boolean;
  /** Rewrites the SQLite file after a deletion. That would block the event loop of a server. */
  rewritesFile?: boolean;
  /** Reports warnings to the caller; if absent, they are logged. */
  say?(words: string): void;
}

/** Composes the project operations of the API. */
export function composeProjects(
  { config, clock, logger, address }: Context,
  parts: ProjectParts,
): ProjectRoutesDeps & ProjectConnectionDeps & SourceRoutesDeps {
  const { store, hosts, jobs, deployments, domainProof } = parts;
  const { database, repoStore, vault } = store;
  const { findProject, repositoryUrl, chooseModel, listModels } = jobs.requests;

  /** Callers with a single project prove in DNS that they control a domain. */
  async function requireProof(project: Project, domain: string): Promise<void> {
    if (!parts.admitsProof(project.id)) {
      throw new AppError("rate_limited", "DNS was asked often enough. Wait a minute.", { retryAfterSeconds: 60 });
    }
    if (await domainProof.isProven(project.id, domain)) return;
    const { name, value } = domainProof.record(project.id, domain);
    throw new AppError(
      "conflict",
      `Show that ${domain} is yours: make the TXT record ${name} with the value ${value}, and ask again.`,
    );
  }

  const describe = (project: Project, inside: Database = database) =>
    describeProject(
      {
        database: inside,
        repositoryUrl,
        hasRepository: ({ id }) => repoStore.exists(id),
        siteUrl({ settings, slug }, domains) {
          if (settings.externalSite !== undefined) return `${settings.externalSite}/`;
          const { origin, base } = siteAddressOf(settings, domains, address.hostUrl);
          return origin === null ? address.siteUrl(slug) : `${origin}${base}/`;
        },
      },
      project,
    );

  const ownNames = () => ({ siteDomain: config.siteDomain, baseUrl: address.baseUrl() });
  const admitSite = (text: string) => admitExternalSite(database.kysely, text, ownNames());

  return {
    database,
    clock,
    findProject,
    making: hosts.making,
    admitSite,
    describe: (project) => describe(project),
    async change(project, { domains, branch, ...changes }, { isOfInstance, check }) {
      // The server calls these addresses from inside its network.
      if (!isOfInstance && changes.settings && "models" in changes.settings) {
        throw new AppError("forbidden", "Model providers of a project are set with a key of the instance.");
      }
      if (typeof changes.settings?.model === "string" && changes.settings.model !== project.settings.model) {
        const settings = await changedSettings({ vault }, project, changes);
        chooseModel({ ...project, settings }, null); // as a job would
      }
      refuseQuotasOf(changes.settings, { isOfInstance });
      if (typeof changes.settings?.externalSite === "string") await admitSite(changes.settings.externalSite);
      const moves = branch !== undefined && branch !== project.branch;
      if (moves) await deployments.branches.require(project, branch);
      const changed = await changeProject(
        { database, vault, clock, admitDomain: isOfInstance ? async () => undefined : requireProof },
        project,
        {
          ...changes,
          ...(branch !== undefined && { branch }),
          ...(domains && { domains: domains.map((domain) => normaliseDomain(domain, ownNames())) }),
        },
        async (current, inside) => check(await describe(current, inside)),
      );
      if (moves) {
        if (project.codeHost === "embedded") await repoStore.setHead(project.id, branch);
        else await askForSync({ database }, project.id);
      }
      await deployments.watch.refresh(project.id);
      return changed;
    },
    async remove(project, check) {
      check(await describe(project)); // before any request to the host
      if (project.codeHost !== "embedded") {
        await removeHostWebhook(hosts.remote, project.id).catch((error: unknown) => {
          const reason = errorText(error);
          parts.say?.(`The webhook at ${project.sourceUrl} could not be removed: ${reason}`);
          if (!parts.say)
            logger.warn({ reason, projectId: project.id }, "webhook of a deleted project was not removed");
        });
      }
      const deps = { database, repoStore, dataDirectory: config.dataDirectory };
      await deleteProject(deps, project, {
        leaveUnusedSpace: !parts.rewritesFile,
        check: async (current, inside) => check(await describe(current, inside)),
      });
    },
    replaceToken: (project, token) => replaceProjectToken({ ...hosts.remote, clock }, project, token),
    syncSoon: (project) => askForSync({ database }, project.id),
    replaceSourceToken: (source, token, beside) =>
      replaceSourceToken({ ...hosts.remote, clock }, source, token, beside),
    removeSource: (source) => removeSource({ database, repoStore }, source),
    models: (project) => ({ usual: chooseModel(project, null), models: listModels(project) }),
  };
}
