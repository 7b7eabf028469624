import { existsSync } from "node:fs";
import path from "node:path";
import { AppError } from "#lib/app-error.ts";
import { type Login, readLogins, serverAddress } from "./logins.ts";
import { readSurroundings, type Surroundings } from "./surroundings.ts";
import { UsageError } from "./usage-error.ts";

/** The options that say where a command works. */
export interface PlaceOptions {
  data?: string | undefined;
  server?: string | undefined;
  project?: string | undefined;
}

/** Beside a data directory, or at a server with one of the person's logins there. */
export type WorkPlace =
  | { kind: "directory" }
  | { kind: "server"; server: string | null; logins: readonly Login[]; project: string | null };

/**
 * Where a command works: what its options name, else what the environment names, else `./data` if a store is there, else
 * the server of the newest login. A person with neither hears of the data directory.
 */
export function choosePlace(options: PlaceOptions, around: Surroundings = readSurroundings()): WorkPlace {
  if (options.data !== undefined && options.server !== undefined) {
    throw new UsageError("--data and --server are two places: say one.");
  }
  if (options.data !== undefined) return { kind: "directory" };
  const project = options.project ?? around.project;
  if (options.server !== undefined) return atServer(serverAddress(options.server), project, around);
  if (around.hasDataDirectory) return { kind: "directory" };
  if (around.server !== null) return atServer(serverAddress(around.server), project, around);
  if (existsSync(path.join(around.folder, "data", "instance-id"))) return { kind: "directory" };
  return readLogins(around.loginsFile).length > 0 ? atServer(null, project, around) : { kind: "directory" };
}

function atServer(server: string | null, project: string | null, around: Surroundings): WorkPlace {
  const { key } = around;
  // A key in the environment is for the project that is named there, or on the command line.
  const given = key !== null && server !== null && project !== null ? [{ server, project, name: null, key }] : [];
  return { kind: "server", server, project, logins: [...given, ...readLogins(around.loginsFile)] };
}

/** The login for a project by its id or name; without one the newest. `AppError unauthorized` says how to get one. */
export function findLogin(place: Extract<WorkPlace, { kind: "server" }>, named: string | null): Login {
  const project = named ?? place.project;
  const here = place.logins.filter(({ server }) => place.server === null || server === place.server);
  const login = here.find((one) => project === null || one.project === project || one.name === project);
  if (login) return login;
  const where = place.server === null ? "" : ` at ${place.server}`;
  throw new AppError(
    "unauthorized",
    `There is no key for ${project === null ? "any project" : `the project "${project}"`}${where}. \`docent login --server URL --project PROJECT_ID\` keeps one.`,
  );
}
