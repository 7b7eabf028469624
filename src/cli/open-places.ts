import type { ApiActions } from "./places/apis.ts";
import type { AutomationActions } from "./places/automations.ts";
import type { DeploymentActions } from "./places/deployments.ts";
import type { JobActions } from "./places/jobs.ts";
import type { KeyActions } from "./places/keys.ts";
import type { LogActions } from "./places/logs.ts";
import { choosePlace, findInstanceLogin, findLogin, type PlaceOptions } from "./places/place.ts";
import type { Onlooker } from "./places/onlooker.ts";
import type { ProjectActions } from "./places/projects.ts";
import type { ReportActions } from "./places/reports.ts";
import type { SourceActions } from "./places/sources.ts";
import type { UpkeepActions } from "./places/upkeep.ts";
import type { WebhookActions } from "./places/webhooks.ts";

// Each of these loads one of two modules: that of the store costs a third of a second, that of servers next to nothing.

/** Jobs of a project by its id or name; null where the job says the project, or the login does. */
export async function openJobs(options: PlaceOptions, project: string | null, around: Onlooker): Promise<JobActions> {
  const place = choosePlace(options);
  if (place.kind === "directory") return (await import("./jobs-in-directory.ts")).jobsInDirectory(options, project);
  return (await import("./places/jobs-at-server.ts")).jobsAtServer(await findLogin(place, project, around), around);
}

/** Automations of a project by its id or name. */
export async function openAutomations(
  options: PlaceOptions,
  project: string,
  around: Onlooker,
): Promise<AutomationActions> {
  const place = choosePlace(options);
  if (place.kind === "directory")
    return (await import("./automations-in-directory.ts")).automationsInDirectory(options, project, around.signal);
  return (await import("./places/automations-at-server.ts")).automationsAtServer(
    await findLogin(place, project, around),
    around,
  );
}

/** Deployments of a project by its id or name. */
export async function openDeployments(
  options: PlaceOptions,
  project: string,
  around: Onlooker,
): Promise<DeploymentActions> {
  const place = choosePlace(options);
  if (place.kind === "directory")
    return (await import("./deployments-in-directory.ts")).deploymentsInDirectory(options, project);
  return (await import("./places/deployments-at-server.ts")).deploymentsAtServer(
    await findLogin(place, project, around),
    around,
  );
}

/** Webhooks of a project by its id or name. */
export async function openWebhooks(options: PlaceOptions, project: string, around: Onlooker): Promise<WebhookActions> {
  const place = choosePlace(options);
  if (place.kind === "directory")
    return (await import("./webhooks-in-directory.ts")).webhooksInDirectory(options, project);
  return (await import("./places/webhooks-at-server.ts")).webhooksAtServer(
    await findLogin(place, project, around),
    around,
  );
}

/** Descriptions of APIs at addresses of a project by its id or name. */
export async function openApis(options: PlaceOptions, project: string, around: Onlooker): Promise<ApiActions> {
  const place = choosePlace(options);
  if (place.kind === "directory") return (await import("./apis-in-directory.ts")).apisInDirectory(options, project);
  return (await import("./places/apis-at-server.ts")).apisAtServer(await findLogin(place, project, around), around);
}

/** Sources of a project by its id or name. */
export async function openSources(options: PlaceOptions, project: string, around: Onlooker): Promise<SourceActions> {
  const place = choosePlace(options);
  if (place.kind === "directory")
    return (await import("./sources-in-directory.ts")).sourcesInDirectory(options, project, around);
  return (await import("./places/sources-at-server.ts")).sourcesAtServer(
    await findLogin(place, project, around),
    around,
  );
}

/** Counts of a project by its id or name. */
export async function openReports(options: PlaceOptions, project: string, around: Onlooker): Promise<ReportActions> {
  const place = choosePlace(options);
  if (place.kind === "directory")
    return (await import("./reports-in-directory.ts")).reportsInDirectory(options, project);
  return (await import("./places/reports-at-server.ts")).reportsAtServer(
    await findLogin(place, project, around),
    around,
  );
}

/** Upkeep of a project's counts, by its id or name. */
export async function openUpkeep(options: PlaceOptions, project: string, around: Onlooker): Promise<UpkeepActions> {
  const place = choosePlace(options);
  if (place.kind === "directory")
    return (await import("./upkeep-in-directory.ts")).upkeepInDirectory(options, project, around.signal);
  return (await import("./places/upkeep-at-server.ts")).upkeepAtServer(await findLogin(place, project, around), around);
}

/** Projects of the instance; at a server with a key of it, or for one project with that project's. */
export async function openProjects(
  options: PlaceOptions & { mayMakeStore?: boolean },
  around: Onlooker,
): Promise<ProjectActions> {
  const place = choosePlace(options);
  if (place.kind === "directory")
    return (await import("./projects-in-directory.ts")).projectsInDirectory(options, around);
  const loginFor = {
    project: (named: string) => findLogin(place, named, around),
    instance: () => findInstanceLogin(place),
  };
  return (await import("./places/projects-at-server.ts")).projectsAtServer(loginFor, around);
}

/** Keys of a project by its id or name; of the instance with null. */
export async function openKeys(options: PlaceOptions, project: string | null, around: Onlooker): Promise<KeyActions> {
  const place = choosePlace(options);
  if (place.kind === "directory") return (await import("./keys-in-directory.ts")).keysInDirectory(options, project);
  const login = project === null ? findInstanceLogin(place) : await findLogin(place, project, around);
  return (await import("./places/keys-at-server.ts")).keysAtServer(login, around);
}

/** What the servers of a data directory logged, or a server, with a key of the instance. */
export async function openLogs(options: PlaceOptions, around: Onlooker): Promise<LogActions> {
  const place = choosePlace(options);
  if (place.kind === "directory") return (await import("./logs-in-directory.ts")).logsInDirectory(options);
  return (await import("./places/logs-at-server.ts")).logsAtServer(findInstanceLogin(place), around);
}
