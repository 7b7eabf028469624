import { AppError } from "#lib/app-error.ts";
import type { TryChoresDeps } from "#features/jobs/chores/try-routes.ts";
import { findProject } from "#features/projects/projects.ts";
import type { Analytics } from "#features/visitors/collect/analytics.ts";
import type { AccessTokens } from "#features/sites/entrance/access-tokens.ts";
import { logDirectory } from "#lib/logs/log-files.ts";
import { readKeptLog } from "#lib/logs/read-log.ts";
import type { Access } from "./access.ts";
import type { Context } from "./context.ts";
import type { Deployments } from "./deployments.ts";
import type { ApiDeps } from "./http/api.ts";
import type { Jobs } from "./jobs.ts";
import { composeSendMail } from "./mail.ts";
import { composeProjects, type ProjectParts } from "./projects.ts";

export interface ApiParts extends ProjectParts {
  analytics: Pick<Analytics, "cache" | "journal" | "eraseReaders">;
  jobs: Pick<Jobs, "currentPullRequest" | "requests" | "automations" | "webhooks">;
  access: Pick<Access, "authenticate" | "isHolderAlive" | "mayMailInvitation">;
  deployments: ProjectParts["deployments"] & Pick<Deployments, "pin" | "unpin">;
  siteTokens: AccessTokens;
  /** Absent in processes that do not read pages. */
  tryChores?: TryChoresDeps["tryChores"] | undefined;
  /** Limit and polling interval of event streams; see `agentJobEventsRoutes`. */
  streams?: Pick<ApiDeps["jobEvents"], "streamTimes" | "maxStreams">;
  /** Aborted when the server begins to stop, which ends streams. */
  closing: AbortSignal;
}

export const onlyAtAServer = (): Promise<never> =>
  Promise.reject(new AppError("unavailable", "Chores are tried by a running server. Start it with `docent serve`."));

/** Composes the dependencies of API operations, at a server and in a command on a data directory. */
export function composeApi(context: Context, parts: ApiParts): ApiDeps {
  const { config, clock, address } = context;
  const { store, hosts, analytics, jobs, access, deployments } = parts;
  const { database, repoStore, time } = store;
  const { findProject: projectOf } = jobs.requests;
  return {
    authenticate: access.authenticate,
    hasProjectId: async (id) => (await findProject({ database }, id)) !== null,
    agentJobs: jobs.requests,
    trials: { findProject: jobs.requests.findProject, tryChores: parts.tryChores ?? onlyAtAServer },
    jobEvents: {
      ...jobs.requests,
      database,
      repoStore,
      currentPullRequest: jobs.currentPullRequest,
      pullRequestRange: hosts.embedded.pullRequestRange,
      isHolderAlive: access.isHolderAlive,
      closing: parts.closing,
      ...parts.streams,
    },
    webhooks: jobs.webhooks,
    automations: jobs.automations,
    agentSessions: { database, findProject: projectOf },
    keys: {
      database,
      clock,
      keysPerHour: config.limits.keysPerHour,
      keySecret: store.vault.keyFor("api keys over http"),
    },
    logs: { readKeptLog: (query) => readKeptLog(logDirectory(config.dataDirectory), query) },
    projects: composeProjects(context, parts),
    invitations: {
      database,
      clock,
      findProject: projectOf,
      baseUrl: address.baseUrl,
      mayMailInvitation: access.mayMailInvitation,
      sendMail: composeSendMail(context, store),
    },
    siteLinks: {
      database,
      clock,
      findProject: projectOf,
      siteTokens: parts.siteTokens,
      siteUrl: address.siteUrl,
      hostUrl: address.hostUrl,
    },
    deployments: { database, repoStore, clock, findProject: projectOf, deployments },
    apiAddresses: { database, clock, findProject: projectOf, refreshSite: deployments.watch.refresh },
    analytics: {
      database,
      clock,
      time,
      cache: analytics.cache,
      journal: analytics.journal,
      eraseReaders: analytics.eraseReaders,
      baseUrl: address.baseUrl,
      analyticsCallsPerHour: config.limits.analyticsCallsPerHour,
    },
  };
}
