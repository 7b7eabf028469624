import { createSmartHttp } from "#hosts/embedded/smart-http.ts";
import { type AtWork, noteDoer } from "#features/keys/actor.ts";
import { levelIn, permissionRefusal } from "#features/keys/holder.ts";
import { ARCHIVED } from "#features/projects/archived.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import { findProject, findProjectBySlug } from "#features/projects/projects.ts";
import type { ProjectRoutesDeps } from "#features/projects/routes.ts";
import type { HttpContext } from "#kit/http/context.ts";
import { allowsScope, NOT_FOR_READERS } from "#kit/levels.ts";
import { AppError } from "#lib/app-error.ts";
import type { Access } from "./access.ts";
import type { CodeHosts } from "./code-hosts.ts";
import type { Context } from "./context.ts";
import { audit } from "./http/audit.ts";
import { doerFields } from "./http/request-log.ts";
import type { ProjectQuotas } from "./quotas.ts";
import type { Store } from "./store.ts";

/** `/git/{slug}.git` for git clients: access to clones and pushes, and the events of a push. */
export function composeGit(
  { logger, clock }: Pick<Context, "logger" | "clock">,
  parts: {
    store: Pick<Store, "database" | "repoStore">;
    access: Pick<Access, "authenticate">;
    embedded: Pick<CodeHosts["embedded"], "recordPush">;
    quotas: Pick<ProjectQuotas, "admitGrowth">;
    changeProject: ProjectRoutesDeps["change"];
  },
): (request: Request, c: HttpContext) => Promise<Response> {
  const { access, embedded, quotas } = parts;
  const { database, repoStore } = parts.store;
  const auditDeps = { database, clock, logger };
  const pushers = new WeakMap<object, { atWork: AtWork; client: HttpContext }>();
  return createSmartHttp<HttpContext>({
    repoStore,
    logger,
    authorize: async (slug, { key, client }, wanted) => {
      const project = await findProjectBySlug({ database }, slug);
      const principal = await access.authenticate(key, client.env.clientAddress);
      // A mirror is not served: clients clone from its host, and push there.
      const level = project && principal && levelIn(principal, project.id);
      if (project?.codeHost !== "embedded" || !principal || !level) return null;
      if (!allowsScope(level, "read")) throw new AppError("forbidden", NOT_FOR_READERS);
      if (wanted === "write" && !allowsScope(level, "write"))
        throw new AppError(
          "forbidden",
          `A push ${permissionRefusal(principal, { projectId: project.id, needed: "write" })}`,
        );
      if (wanted === "write" && project.archivedAt !== null) throw new AppError("forbidden", ARCHIVED);
      const repository = hostedRepository(project);
      const atWork = { doer: principal, projectId: project.id };
      noteDoer(client, { ...atWork, isRead: true }); // each branch of a push is recorded separately
      pushers.set(repository, { atWork, client });
      return repository;
    },
    async onPush(repository, push) {
      await embedded.recordPush(repository, push);
      const pusher = pushers.get(repository);
      if (!pusher) return;
      const { atWork, client } = pusher;
      const { projectId } = repository;
      client.get("logger").info({ projectId, ...push, ...doerFields(atWork.doer) }, "branch pushed");
      await audit(auditDeps, atWork, {
        action: "git/push",
        subject: push.branch,
        target: push.branch,
        address: client.env.clientAddress,
      });
    },
    async admitGrowth({ projectId }, bytes) {
      const project = await findProject({ database }, projectId);
      return project && quotas.admitGrowth(project, bytes);
    },
    async publishFrom({ projectId }, branch) {
      const project = await findProject({ database }, projectId);
      if (project) await parts.changeProject(project, { branch }, { isOfInstance: true, check: () => undefined });
    },
  });
}
