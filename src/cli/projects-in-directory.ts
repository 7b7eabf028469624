import type { Onlooker } from "./places/onlooker.ts";
import { askForSync } from "#hosts/remote/connections.ts";
import { cloneProgress } from "#git/transfer/clone-progress.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { changeProject } from "#features/projects/change-project.ts";
import { connectProject, replaceProjectToken } from "#features/projects/connect-project.ts";
import { deleteProject, finishDeletions } from "#app/delete-project.ts";
import { describeProject } from "#features/projects/describe-project.ts";
import { listDomains } from "#features/projects/domains.ts";
import { normaliseDomain } from "#features/projects/domain-name.ts";
import type { Project } from "#features/projects/project.ts";
import { createProject, listProjects, requireProject } from "#features/projects/projects.ts";
import { ACCESS_MODES, endSiteVisits, readSiteAccess } from "#features/projects/site-access.ts";
import { REMOTE_KINDS } from "#hosts/code-host.ts";
import { createAccessTokens } from "#features/sites/entrance/access-tokens.ts";
import { createSiteLink, SITE_TOKENS } from "#features/sites/entrance/site-link.ts";
import { siteAddressOf } from "#features/sites/site-address.ts";
import { hostUrl, siteUrl } from "#app/instance/site-url.ts";
import { openInstance, openVault, repositoryUrlOf, siteUrlFor } from "./open-instance.ts";
import {
  type PrintedProject,
  printedProject,
  type ProjectActions,
  type ShownSettings,
  shownSettings as shownSettingsOf,
} from "./places/projects.ts";
import { connectDeps, removeWebhookOf } from "./project-connections.ts";

/** Projects in the store of a data directory. */
export async function projectsInDirectory(
  options: { data?: string | undefined; mayMakeStore?: boolean },
  { signal, say, progress }: Onlooker,
): Promise<ProjectActions> {
  await using stack = new AsyncDisposableStack();
  const instance = stack.use(await openInstance({ ...options, say }));
  const { database } = instance;
  const onProgress = (line: string) => {
    const words = cloneProgress(line);
    if (words !== null) progress(words);
  };

  // Described as the interface describes it, so that both places print the same.
  const describe = (project: Project) =>
    describeProject(
      {
        database,
        siteUrl: (of, domains) => siteUrlFor(instance, of, domains),
        repositoryUrl: (of) => repositoryUrlOf(instance, of),
        hasRepository: ({ id }) => instance.repoStore.exists(id),
      },
      project,
    );
  const shown = async (project: Project): Promise<PrintedProject> => printedProject(await describe(project));
  const shownSettings = async (project: Project): Promise<ShownSettings> => shownSettingsOf(await describe(project));

  const owned = stack.move();
  return {
    async create({ name, repo, branch, token, app, host }) {
      if (token === null && !app) {
        return await shown(await createProject(instance, { name, source: repo, branch, signal, onProgress }));
      }
      if (repo === null) {
        throw new AppError("invalid", "--token-file and --github-app go with --repo and the address of a repository.");
      }
      const kind = REMOTE_KINDS.find((one) => one === host) ?? null;
      if (host !== null && kind === null) throw new AppError("invalid", `--host is one of ${REMOTE_KINDS.join(", ")}.`);
      const wish = { name, url: repo, token: token === null ? null : new Secret(token), kind, branch };
      return await shown(await connectProject(await connectDeps(instance), { ...wish, signal, onProgress }));
    },
    list: async () => Promise.all((await listProjects(instance)).map(shown)),
    find: async (named) => shownSettings(await requireProject(instance, named)),
    async change({ id }, { access, domains, ...changes }) {
      const project = await requireProject(instance, id);
      const mode = ACCESS_MODES.find((known) => known === access?.mode);
      const own = { siteDomain: instance.config.siteDomain, baseUrl: instance.baseUrl };
      // The operator's word is enough: no proof is asked for.
      const deps = { ...instance, vault: await openVault(instance), admitDomain: async () => undefined };
      const { branch } = changes;
      if (branch !== undefined) await requireBranch(instance.repoStore, project, branch);
      const changed = await changeProject(deps, project, {
        ...changes,
        ...(mode && { access: { mode, password: access?.password } }),
        ...(domains && { domains: domains.map((domain) => normaliseDomain(domain, own)) }),
      });
      if (branch !== undefined && project.codeHost === "embedded") await instance.repoStore.setHead(project.id, branch);
      else if (branch !== undefined) await askForSync(instance, project.id);
      return shownSettings(changed);
    },
    async replaceToken({ id }, token) {
      await replaceProjectToken(await connectDeps(instance), await requireProject(instance, id), new Secret(token));
      await askForSync(instance, (await requireProject(instance, id)).id);
    },
    async remove({ id }) {
      const deps = { ...instance, dataDirectory: instance.config.dataDirectory };
      await finishDeletions(deps);
      const project = await requireProject(instance, id);
      await removeWebhookOf(instance, say, project);
      await deleteProject(deps, project);
    },
    async makeLink({ id }, { path, expiresInSeconds }) {
      const { baseUrl, clock, config } = instance;
      const project = await requireProject(instance, id);
      const tokens = createAccessTokens({ key: (await openVault(instance)).keyFor(SITE_TOKENS), clock });
      const wanted = {
        site: { id: project.id, access: await readSiteAccess(database.kysely, project.id) },
        address: siteAddressOf(project.settings, await listDomains(database.kysely, project.id), (host) =>
          hostUrl(baseUrl, host),
        ),
        ownUrl: siteUrl(baseUrl, config.siteDomain, project.slug),
        path,
        lifetimeSeconds: expiresInSeconds,
      };
      return createSiteLink({ tokens, clock }, wanted);
    },
    signReadersOut: async ({ id }) => endSiteVisits(instance, (await requireProject(instance, id)).id),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function requireBranch(repoStore: Pick<RepoStore, "branches">, project: Project, branch: string): Promise<void> {
  const names = (await repoStore.branches(project.id)).map(({ name }) => name);
  if (names.includes(branch)) return;
  throw new AppError(
    "invalid",
    `There is no branch ${branch}. The branches are ${names.slice(0, 20).join(", ") || "none yet"}.`,
  );
}
