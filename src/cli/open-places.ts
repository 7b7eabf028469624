import type { AutomationActions } from "./places/automations.ts";
import type { DeploymentActions } from "./places/deployments.ts";
import type { JobActions } from "./places/jobs.ts";
import { choosePlace, findLogin, type PlaceOptions } from "./places/place.ts";
import type { ReportActions } from "./places/reports.ts";
import type { WebhookActions } from "./places/webhooks.ts";

// Each of these loads one of two modules: that of the store costs a third of a second, that of servers next to nothing.

/** Jobs of a project by its id or name; null where the job says the project, or the login does. */
export async function openJobs(
  options: PlaceOptions,
  project: string | null,
  signal: AbortSignal,
): Promise<JobActions> {
  const place = choosePlace(options);
  if (place.kind === "directory") return (await import("./jobs-in-directory.ts")).jobsInDirectory(options, project);
  return (await import("./places/jobs-at-server.ts")).jobsAtServer(findLogin(place, project), signal);
}

/** Automations of a project by its id or name. */
export async function openAutomations(
  options: PlaceOptions,
  project: string,
  signal: AbortSignal,
): Promise<AutomationActions> {
  const place = choosePlace(options);
  if (place.kind === "directory")
    return (await import("./automations-in-directory.ts")).automationsInDirectory(options, project, signal);
  return (await import("./places/automations-at-server.ts")).automationsAtServer(findLogin(place, project), signal);
}

/** Deployments of a project by its id or name. */
export async function openDeployments(
  options: PlaceOptions,
  project: string,
  signal: AbortSignal,
): Promise<DeploymentActions> {
  const place = choosePlace(options);
  if (place.kind === "directory")
    return (await import("./deployments-in-directory.ts")).deploymentsInDirectory(options, project);
  return (await import("./places/deployments-at-server.ts")).deploymentsAtServer(findLogin(place, project), signal);
}

/** Webhooks of a project by its id or name. */
export async function openWebhooks(
  options: PlaceOptions,
  project: string,
  signal: AbortSignal,
): Promise<WebhookActions> {
  const place = choosePlace(options);
  if (place.kind === "directory")
    return (await import("./webhooks-in-directory.ts")).webhooksInDirectory(options, project);
  return (await import("./places/webhooks-at-server.ts")).webhooksAtServer(findLogin(place, project), signal);
}

/** Counts of a project by its id or name. */
export async function openReports(options: PlaceOptions, project: string, signal: AbortSignal): Promise<ReportActions> {
  const place = choosePlace(options);
  if (place.kind === "directory")
    return (await import("./reports-in-directory.ts")).reportsInDirectory(options, project);
  return (await import("./places/reports-at-server.ts")).reportsAtServer(findLogin(place, project), signal);
}
