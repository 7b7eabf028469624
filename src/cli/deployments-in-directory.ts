import { requireProject } from "#features/projects/projects.ts";
import { findLive, listDeployments } from "#features/sites/deployments/deployment.ts";
import { deploymentToJson, pinToJson } from "#features/sites/deployments/deployment-json.ts";
import { pinSite, unpinSite } from "#features/sites/deployments/pins.ts";
import { openInstance } from "./open-instance.ts";
import type { DeploymentActions } from "./places/deployments.ts";

/** Deployments of a project in the store of a data directory. */
export async function deploymentsInDirectory(
  options: { data?: string | undefined },
  named: string,
): Promise<DeploymentActions> {
  await using stack = new AsyncDisposableStack();
  const instance = stack.use(await openInstance(options));
  const project = await requireProject(instance, named);
  const owned = stack.move();
  return {
    name: project.slug,
    async list(limit) {
      const found = await listDeployments(instance, { projectId: project.id, limit, before: null });
      const live = await findLive(instance, project);
      const { pin } = project;
      return {
        deployments: found.map((one) => deploymentToJson(one, live?.id ?? null)),
        pin: pin && pinToJson(pin),
        isMissing: pin !== null && (await instance.repoStore.resolve(project.id, pin.commit)) === null,
      };
    },
    pin: async (commit) => pinToJson(await pinSite(instance, project, { commit, by: "docent deployments pin" })),
    unpin: () => unpinSite(instance, project.id),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
