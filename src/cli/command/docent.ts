import type { OpenInstance } from "./open-instance.ts";
import type { ProgressListener } from "#cli/places/progress-listener.ts";
import { choosePlace, findInstanceLogin, findLogin, type PlaceOptions } from "#cli/places/place.ts";
import { type ApiOperations, operationsAt } from "#cli/places/server.ts";

/** What commands work with: the operations of the API, at a server or beside a data directory. */
export interface Docent extends ApiOperations, AsyncDisposable {
  /** Id of the project that the calls are for; null: the instance. */
  projectId: string | null;
  /** What the person calls the project. */
  name: string;
  /** What the API works on beside a data directory; null at a server. */
  beside: OpenInstance | null;
}

/**
 * Which operations to call: those of a project by its id or name, those of the project that has a job or key, or those of
 * the instance. Creating a project also creates the instance if it does not exist yet.
 */
export type Whose = { project: string } | { job: string } | { key: string } | "instance" | "new project";

/** Opens the place that the options name. The store's code is loaded beside a data directory alone: it takes a while. */
export async function openDocent(options: PlaceOptions, whose: Whose, listener: ProgressListener): Promise<Docent> {
  const place = choosePlace(options);
  if (place.kind === "directory") return (await import("./beside-directory.ts")).openBeside(options, whose, listener);
  const login =
    typeof whose === "string"
      ? findInstanceLogin(place)
      : await findLogin(place, "project" in whose ? whose.project : null, listener);
  return {
    ...operationsAt(login, listener),
    projectId: login.project,
    name: login.name ?? login.project ?? "",
    beside: null,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
