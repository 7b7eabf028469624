import { AppError } from "#lib/app-error.ts";
import type { Project } from "./project.ts";

/** What a project may use; null: as much as it likes. */
export interface Quotas {
  /** New jobs on a day of UTC. */
  jobsPerDay: number | null;
  /** Of a repository that is hosted here, in megabytes of a million bytes. */
  storageMb: number | null;
}

/** A quota with what is used of it. */
export interface QuotaUse {
  name: keyof Quotas;
  limit: number | null;
  used: number;
}

/** The quotas of a project: its own, else those of the instance. */
export const quotasOf = (instance: Quotas, { settings }: Pick<Project, "settings">): Quotas => ({
  jobsPerDay: settings.quotas?.jobsPerDay ?? instance.jobsPerDay,
  storageMb: settings.quotas?.storageMb ?? instance.storageMb,
});

/** Who can raise a quota, and how: for the sentence that refuses something. */
export const quotaAdvice = ({ slug }: Pick<Project, "slug">, name: keyof Quotas): string =>
  `An owner of the server can raise it: docent projects set ${slug} quotas '{"${name}": N}'.`;

export function refuseQuotasOf(settings: object | undefined, { isOfInstance }: { isOfInstance: boolean }): void {
  if (isOfInstance || settings === undefined || !("quotas" in settings)) return;
  throw new AppError(
    "forbidden",
    "Quotas of a project are set by an owner of the server, or with a key of the instance.",
  );
}
