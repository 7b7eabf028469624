import type { OpenInstance } from "./open-instance.ts";
import type { ProgressListener } from "#cli/places/progress-listener.ts";
import { choosePlace, findInstanceLogin, findLogin, type PlaceOptions } from "#cli/places/place.ts";
import { type ApiOperations, operationsAt } from "#cli/places/server.ts";

/** Interface of commands to Docent: the API operations, at a server or on a data directory. */
export interface Docent extends ApiOperations, AsyncDisposable {
  /** Project of the calls; null: the instance. */
  projectId: string | null;
  /** The project's name on the command line. */
  name: string;
  /** The open store of a data directory; null at a server. */
  beside: OpenInstance | null;
}

/**
 * Scope of the calls: a project by its ID or name, the project of a job or key, or the instance. Creating a project
 * also creates the store if necessary.
 */
export type Whose = { project: string } | { job: string } | { key: string } | "instance" | "new project";

/**
 * Opens the place in the options. The code of the store is imported only for a data directory, because that takes a
 * while.
 */
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
