import type { RepoStore } from "#git/repo-store.ts";
import { repositoryBytes } from "#git/repository-size.ts";
import { jobsToday } from "#features/jobs/requests/job-quota.ts";
import type { Project } from "#features/projects/project.ts";
import { quotaAdvice, quotasOf, type QuotaUse } from "#features/projects/quotas.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Database } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { Config } from "./instance/config.ts";

const MB = 1_000_000;

export type ProjectQuotas = ReturnType<typeof composeQuotas>;

/** What projects may use, and what they use of it. */
export function composeQuotas(
  { config, clock }: { config: Pick<Config, "quotas">; clock: Clock },
  { database, repoStore }: { database: Database; repoStore: Pick<RepoStore, "directory"> },
) {
  /** Bytes of the pushes that were admitted and may not be on disk yet. Of this node: others measure what it has stored. */
  const underWay = new Map<ProjectId, number>();
  const bytesOf = (project: Pick<Project, "id">) => repositoryBytes(repoStore.directory(project.id));
  return {
    /** The quotas of a project with what is used. Storage is left out of a repository that is on its host. */
    async useOf(project: Project): Promise<QuotaUse[]> {
      const { jobsPerDay, storageMb } = quotasOf(config.quotas, project);
      const jobs = await jobsToday(database, { projectId: project.id, now: clock.now() });
      const uses: QuotaUse[] = [{ name: "jobsPerDay", limit: jobsPerDay, used: jobs }];
      if (project.codeHost !== "embedded") return uses;
      return [...uses, { name: "storageMb", limit: storageMb, used: (await bytesOf(project)) / MB }];
    },
    /** Whether any quota holds for a project. */
    hasAny: (project: Project) => Object.values(quotasOf(config.quotas, project)).some((limit) => limit !== null),
    /**
     * Lets the repository of a project grow by so many bytes, which count against the quota until disposed. A text says why it may
     * not; null where there is no quota.
     */
    async admitGrowth(project: Project, bytes: number): Promise<string | Disposable | null> {
      const { storageMb } = quotasOf(config.quotas, project);
      if (storageMb === null) return null;
      const earlier = underWay.get(project.id) ?? 0;
      const change = (by: number) => {
        const now = (underWay.get(project.id) ?? 0) + by;
        if (now > 0) underWay.set(project.id, now);
        else underWay.delete(project.id);
      };
      change(bytes);
      const used = await bytesOf(project);
      if (used + earlier + bytes <= storageMb * MB) return { [Symbol.dispose]: () => change(-bytes) };
      change(-bytes);
      const shown = (size: number) => `${(size / MB).toFixed(1)} MB`;
      const others = earlier === 0 ? "" : `, other pushes that are under way have ${shown(earlier)}`;
      return `The repository has ${shown(used)}${others} and this push has ${shown(bytes)}; the quota of the project is ${storageMb} MB (storageMb). ${quotaAdvice(project, "storageMb")}`;
    },
  };
}
