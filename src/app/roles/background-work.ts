import path from "node:path";
import type { Context } from "#app/context.ts";
import type { CodeHosts } from "#app/code-hosts.ts";
import { finishDeletions } from "#app/delete-project.ts";
import type { Deployments } from "#app/deployments.ts";
import { startJobs } from "#app/job-workers.ts";
import { startMailing } from "#app/mail.ts";
import { deleteOldRecords } from "#app/retention.ts";
import type { Store } from "#app/store.ts";
import type { composeApiAddresses } from "#app/api-addresses.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import { watchRepositories } from "#features/projects/lost-repositories.ts";
import { startMaintenance } from "#features/projects/maintenance.ts";
import { removeUnfinished } from "#hosts/unfinished-repositories.ts";

/** Starts what each node does for its own directory, and on workers also the daily work on the shared store. */
export function startUpkeep(
  stack: AsyncDisposableStack,
  context: Context,
  { store, hosts }: { store: Store; hosts: CodeHosts },
): void {
  const { config, logger, own } = context;
  const { dataDirectory } = config;
  const { database, repoStore } = store;
  const root = path.join(dataDirectory, "repositories");
  own(
    stack,
    "maintenance",
    startMaintenance({
      database,
      repoStore,
      logger,
      removeUnfinished: () => removeUnfinished({ database, repoStore, root }),
      finishDeletions: () => finishDeletions({ database, repoStore, dataDirectory }, { leaveUnusedSpace: true }),
      ...(config.role !== "web" && {
        reconcile: (project) => hosts.embedded.reconcile(hostedRepository(project)),
        deleteOldRecords: (signal) => deleteOldRecords(context, store, signal),
      }),
    }),
  );
  own(stack, "look for lost repositories", watchRepositories({ database, repoStore, logger }));
}

type BackgroundParts = Parameters<typeof startJobs>[1] & {
  deployments: Deployments;
  addresses: Pick<ReturnType<typeof composeApiAddresses>, "start">;
};

/** Starts the work that nodes claim from the store: jobs, mail, connected hosts, deployments. */
export async function startBackgroundWork(
  stack: AsyncDisposableStack,
  context: Context,
  parts: BackgroundParts,
): Promise<void> {
  const { own } = context;
  const { jobs, store, hosts, deployments, addresses } = parts;
  own(stack, "mail", await startMailing(context, { ...store, chat: jobs.chat }));
  stack.use(startJobs(context, parts));
  hosts.follow(stack, { makeReport: deployments.reportPullRequest });
  own(stack, "deployments", deployments.watch.start());
  own(stack, "descriptions at addresses", addresses.start(deployments.watch.refresh));
}
