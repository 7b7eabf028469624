import { DEPLOYMENTS, PIN } from "./answer-shapes.ts";
import type { DeploymentActions, ShownDeployment, ShownPin } from "./deployments.ts";
import type { Login } from "./logins.ts";
import { createServer } from "./server.ts";
import type { Onlooker } from "./onlooker.ts";

/** Deployments over the interface of a server. */
export function deploymentsAtServer(login: Login, around: Onlooker): DeploymentActions {
  const { ask } = createServer(login, around);
  const project = `/v2/project/${encodeURIComponent(login.project)}`;
  return {
    name: login.name ?? login.project,
    async list(limit) {
      const path = `${project}/deployments`;
      const { deployments, pin } = await ask<{ deployments: ShownDeployment[]; pin: ShownPin | null }>(
        { method: "GET", path, query: { limit } },
        DEPLOYMENTS,
      );
      return { deployments, pin, isMissing: false };
    },
    pin: (commit) => ask({ method: "POST", path: `${project}/pin`, body: { commit } }, PIN),
    unpin: () => ask({ method: "DELETE", path: `${project}/pin` }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
