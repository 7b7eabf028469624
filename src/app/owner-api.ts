import path from "node:path";
import { randomUUID } from "node:crypto";
import { createTrustedTime } from "#db/trusted-time.ts";
import type { Project } from "#features/projects/project.ts";
import { createProjectMaking } from "#features/projects/project-making.ts";
import { pinSite, unpinSite } from "#features/sites/deployments/pins.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { createAccessTokens } from "#features/sites/entrance/access-tokens.ts";
import { SITE_TOKENS } from "#features/sites/entrance/site-link.ts";
import { createAgentLists } from "#features/visitors/clients/agent-list.ts";
import type { Analytics } from "#features/visitors/collect/analytics.ts";
import { createCountsCache } from "#features/visitors/reports/counts-cache.ts";
import { requestContext } from "#kit/http/context.ts";
import { createRouter } from "#kit/http/router.ts";
import { AppError } from "#lib/app-error.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { composeApi } from "./api.ts";
import { composeCodeHosts } from "./code-hosts.ts";
import type { Context } from "./context.ts";
import { finishDeletions } from "./delete-project.ts";
import { createApi } from "./http/api.ts";
import { composeJobs } from "./jobs.ts";
import type { Store } from "./store.ts";

/** Client address of the owner's calls. */
const HERE = "127.0.0.1";

export interface OwnerApi extends AsyncDisposable {
  /** Key for `fetch`, with all permissions. Valid only for this object, and never stored. */
  key: string;
  /** Responds as the server would, but throws errors, with more detail than remote callers get. */
  fetch(request: Request): Promise<Response>;
}

/**
 * The API for the owner of an open store, served in this process. A server may be running on the same store. Starts no
 * background work and serves no sites.
 */
export function composeOwnerApi(
  context: Context,
  {
    store: opened,
    say,
    onProgress,
  }: {
    store: Omit<Store, "time" | "places">;
    say(words: string): void;
    /** Receives the progress of git while it fetches a repository. */
    onProgress(line: string): void;
  },
): OwnerApi {
  const { config, clock, logger } = context;
  const store = { ...opened, places: null, time: createTrustedTime({ ...opened, clock, logger }) };
  const { database, repoStore, vault } = store;
  const codeHosts = composeCodeHosts(context, store);
  const hosts = { ...codeHosts, making: createProjectMaking({ ...codeHosts.remote, clock, onProgress }) };
  const outboundHttp = createOutboundHttp(config.webhooks);
  const jobs = composeJobs(context, { store, hosts, outboundHttp });
  // Pull requests on another host come from the store: the server that polls the host keeps them current, and a list
  // would otherwise send one request for each job.
  const currentPullRequest: typeof jobs.requests.currentPullRequest = async (project, number) =>
    project.codeHost === "embedded" ? jobs.requests.currentPullRequest(project, number) : null;
  const closing = new AbortController();
  const pins = { database, repoStore, clock };
  const api = composeApi(context, {
    store,
    hosts,
    jobs: { ...jobs, requests: { ...jobs.requests, currentPullRequest } },
    async tryChores(project, trial) {
      // Imported on demand: it reads and renders pages.
      const { createContentProcess } = await import("#docs/render/process/content-process.ts");
      const { composeApiAddresses } = await import("./api-addresses.ts");
      const { composePreviewLinks } = await import("./sites.ts");
      const { composeTurns } = await import("./job-workers.ts");
      await using content = createContentProcess({ logger });
      const addresses = composeApiAddresses(context, { ...store, content, outboundHttp });
      const previewLinks = composePreviewLinks(context, store);
      const parts = { jobs, store, hosts, content, previewLinks, addresses, outboundHttp };
      return await composeTurns(context, parts).tryChores(project, trial);
    },
    access: {
      authenticate: async (given) => (given === key ? { projectId: null, keyId: "owner", scope: "admin" } : null),
      isHolderAlive: async () => true,
      mayMailInvitation: () => true,
    },
    // A running server notices changes by itself.
    deployments: {
      branches: { require: (project, branch) => requireBranch(repoStore, project, branch) },
      watch: { refresh: async () => undefined },
      pin: (project, wanted) => pinSite(pins, project, { ...wanted, by: "docent deployments pin" }),
      unpin: (project, check) => unpinSite(pins, project.id, check),
    },
    analytics: {
      cache: createCountsCache(),
      journal: { append: () => Promise.reject(new Error("Views are sent to a server.")) },
      eraseReaders: (asked) => eraseBesideServer(context, { store, signal: closing.signal }, asked),
    },
    siteTokens: createAccessTokens({ key: vault.keyFor(SITE_TOKENS), clock }),
    // The owner needs no proof.
    domainProof: { isProven: async () => true, record: () => ({ name: "", value: "" }) },
    admitsProof: () => true,
    rewritesFile: true,
    say,
    closing: closing.signal,
  });
  const { remove } = api.projects;
  const deletions = { database, repoStore, dataDirectory: config.dataDirectory };
  const key = `docent_${randomUUID()}`;
  const app = createRouter();
  app.onError((error) => {
    throw error;
  });
  app.use(requestContext({ logger, faults: { failed: () => undefined, answered: () => undefined } }));
  app.route(
    "/",
    createApi({
      ...api,
      projects: {
        ...api.projects,
        async remove(project, check) {
          await finishDeletions(deletions);
          await remove(project, check);
        },
      },
    }),
  );
  return {
    key,
    fetch: async (request) => app.fetch(request, { peerAddress: HERE, clientAddress: HERE }),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await hosts.making[Symbol.asyncDispose]();
    },
  };
}

async function requireBranch(repoStore: RepoStore, { id }: Project, branch: string): Promise<string> {
  const commit = await repoStore.resolve(id, `refs/heads/${branch}`);
  if (commit !== null) return commit;
  const names = (await repoStore.branches(id)).slice(0, 20).map(({ name }) => name);
  const known = names.length > 0 ? `The branches are ${names.join(", ")}.` : "The repository is empty: push it first.";
  throw new AppError("invalid", `There is no branch ${branch}. ${known}`);
}

/** Like `Analytics.eraseReaders`, and waits until a running server has folded its journal. */
async function eraseBesideServer(
  { config: { dataDirectory }, clock, logger }: Context,
  { store: { database, vault }, signal }: { store: Pick<Store, "database" | "vault">; signal: AbortSignal },
  { hasDamage: _, ...asked }: Parameters<Analytics["eraseReaders"]>[0],
): ReturnType<Analytics["eraseReaders"]> {
  // Imported on demand: it loads the collector.
  const { foldLeftSlots } = await import("#features/visitors/collect/analytics.ts");
  const { eraseAddress } = await import("#features/visitors/index/erase-address.ts");
  const { removeDamageOf, waitForJournals } = await import("#features/visitors/journal/settle-journals.ts");
  const journals = path.join(dataDirectory, "journal");
  const deps = { database, vault, clock, logger };
  await foldLeftSlots({ ...deps, dataDirectory, location: null }, journals);
  const isSettled = await waitForJournals(journals, { signal });
  const damagedFiles = await removeDamageOf(journals, asked.address);
  const agents = createAgentLists({ dataDirectory, clock, logger })();
  return { ...(await eraseAddress({ ...deps, agents }, { ...asked, signal })), isSettled, damagedFiles };
}
